// HTTP/1.1 over one socket, with answers that end and answers that go on. Small, as it talks to etcd on loopback alone.

import Glibc

struct ConnectionFailure: Error {
    let text: String
}

struct Answer {
    let status: Int
    let body: [UInt8]
}

final class HTTPConnection {
    private let descriptor: Int32
    private var bytes: [UInt8] = []
    private var at = 0
    private var isChunked = false

    init(port: UInt16) throws {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = in_addr_t(INADDR_LOOPBACK).bigEndian
        address.sin_port = port.bigEndian
        let failed = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) != 0
            }
        }
        var isOn: Int32 = 1
        setsockopt(
            descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &isOn,
            socklen_t(MemoryLayout<Int32>.size))
        if failed { throw ConnectionFailure(text: "etcd takes no connection") }
    }

    deinit { close(descriptor) }

    func answer(to request: Request) throws -> Answer {
        let status = try begin(request)
        var body: [UInt8] = []
        if isChunked {
            while let chunk = try nextChunk(waiting: 20_000) { body += chunk }
        } else {
            try fill(to: contentLength)
            body = Array(bytes[at..<at + contentLength])
            at += contentLength
        }
        return Answer(status: status, body: body)
    }

    private var contentLength = 0

    /// Sends a request, and returns the status of its answer, whose body is not read yet.
    func begin(_ request: Request) throws -> Int {
        bytes.removeFirst(at)
        at = 0
        var head = "\(request.method) \(request.path) HTTP/1.1\r\nHost: etcd\r\n"
        for header in request.headers { head += header + "\r\n" }
        head += "Content-Type: application/json\r\nContent-Length: \(request.body.count)\r\n\r\n"
        try send(Array(head.utf8) + request.body)
        let status = try line().split(separator: " ")
        isChunked = false
        contentLength = 0
        while true {
            let header = try line().lowercased()
            if header.isEmpty { break }
            if header.hasPrefix("content-length:") {
                contentLength = Int(header.dropFirst(15).drop { $0 == " " }) ?? 0
            }
            if header.hasPrefix("transfer-encoding:") { isChunked = true }
        }
        return status.count > 1 ? Int(status[1]) ?? 0 : 0
    }

    /// The next part of an answer; nil at its end, or when none comes in time.
    func nextChunk(waiting milliseconds: Int32) throws -> [UInt8]? {
        if at == bytes.count, !isReadable(milliseconds) { return nil }
        let size = Int(try line(), radix: 16) ?? 0
        if size == 0 {
            // The gateway sends headers behind the body, too.
            while try !line().isEmpty {}
            return nil
        }
        try fill(to: size + 2)
        let chunk = Array(bytes[at..<at + size])
        at += size + 2
        return chunk
    }

    private func isReadable(_ milliseconds: Int32) -> Bool {
        var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return poll(&entry, 1, milliseconds) > 0
    }

    private func send(_ bytes: [UInt8]) throws {
        var sent = 0
        while sent < bytes.count {
            let count = bytes[sent...].withUnsafeBytes {
                Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            if count <= 0 { throw ConnectionFailure(text: "etcd takes no request") }
            sent += count
        }
    }

    /// Reads until so many bytes are there.
    private func fill(to count: Int) throws {
        while bytes.count - at < count { try read() }
    }

    private func read() throws {
        if !isReadable(20_000) { throw ConnectionFailure(text: "etcd does not answer") }
        var buffer = [UInt8](repeating: 0, count: 65_536)
        let count = recv(descriptor, &buffer, buffer.count, 0)
        if count <= 0 { throw ConnectionFailure(text: "etcd has closed the connection") }
        bytes += buffer[..<count]
    }

    private func line() throws -> String {
        var end = at
        while true {
            while end + 1 < bytes.count {
                if bytes[end] == 0x0D, bytes[end + 1] == 0x0A {
                    let line = String(decoding: bytes[at..<end], as: UTF8.self)
                    at = end + 2
                    return line
                }
                end += 1
            }
            try read()
        }
    }
}
