// A server that does what a test says, on plain sockets, so that tests see exactly what the client sends.

import Foundation

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#endif

/// A request as it came.
struct Request: Sendable {
    let method: String
    let target: String
    /// Names in lower case.
    let fields: [String: String]
    let body: [UInt8]
    /// Which request it is on its connection, from 1.
    let number: Int
}

/// A connection of the server. Its functions block.
final class Connection: Sendable {
    private let socket: Int32
    init(_ socket: Int32) { self.socket = socket }

    /// False when the client has closed the connection.
    @discardableResult func send(_ text: String) -> Bool {
        let bytes = Array(text.utf8)
        var sent = 0
        while sent < bytes.count {
            let count = bytes[sent...].withUnsafeBytes { write(socket, $0.baseAddress, $0.count) }
            guard count > 0 else { return false }
            sent += count
        }
        return true
    }

    /// The head of a stream with chunks.
    func sendHead(_ type: String = "application/x-ndjson") {
        send("HTTP/1.1 200 OK\r\nContent-Type: \(type)\r\nTransfer-Encoding: chunked\r\n\r\n")
    }

    func sendChunk(_ text: String) { send("\(String(text.utf8.count, radix: 16))\r\n\(text)\r\n") }

    func answer(_ status: Int, _ body: String = "{}", fields: [String] = []) {
        let lines = ["HTTP/1.1 \(status) Test", "Content-Length: \(body.utf8.count)"] + fields
        send((lines + ["", body]).joined(separator: "\r\n"))
    }

    /// Nil when the client has closed the connection.
    func byte() -> UInt8? {
        var byte: UInt8 = 0
        return read(socket, &byte, 1) == 1 ? byte : nil
    }

    /// What comes within so many milliseconds: a byte, 0 for the end, or nil.
    func byte(within milliseconds: Int32) -> UInt8? {
        var waiting = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
        return poll(&waiting, 1, milliseconds) > 0 ? byte() ?? 0 : nil
    }

    func readRequest(_ number: Int, readsBody: Bool) -> Request? {
        var head: [UInt8] = []
        while !head.suffix(4).elementsEqual([13, 10, 13, 10]) {
            guard let next = byte() else { return nil }
            head.append(next)
        }
        let lines = String(decoding: head, as: UTF8.self).components(separatedBy: "\r\n")
        let first = lines[0].split(separator: " ").map(String.init)
        var fields: [String: String] = [:]
        for line in lines.dropFirst() {
            guard let colon = line.firstIndex(of: ":") else { continue }
            fields[line[..<colon].lowercased()] =
                line[line.index(after: colon)...].trimmingCharacters(in: .whitespaces)
        }
        var body: [UInt8] = []
        let length = readsBody ? Int(fields["content-length"] ?? "0") ?? 0 : 0
        body.reserveCapacity(length)
        while body.count < length {
            var part = [UInt8](repeating: 0, count: min(length - body.count, 64 << 10))
            let count = read(socket, &part, part.count)
            guard count > 0 else { return nil }
            body += part.prefix(count)
        }
        return Request(
            method: first[0], target: first[1], fields: fields, body: body, number: number)
    }

    func end() { shutdown(socket, Int32(SHUT_RDWR)) }
    func free() { close(socket) }
}

/// Answers each request by `handle`, which gets the request and its number, from 0. The connection goes on when `handle`
/// returns true.
final class FaultServer: Sendable {
    typealias Handler = @Sendable (Connection, Request, Int) -> Bool

    let port: Int
    private let listener: Int32
    private let seen = Guarded<[Request]>([])

    init(readsBodies: Bool = true, _ handle: @escaping Handler) {
        signal(SIGPIPE, SIG_IGN)
        #if canImport(Glibc)
            let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        #else
            let listener = socket(AF_INET, SOCK_STREAM, 0)
        #endif
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                precondition(bind(listener, $0, size) == 0 && listen(listener, 64) == 0)
                precondition(getsockname(listener, $0, &size) == 0)
            }
        }
        (self.listener, port) = (listener, Int(UInt16(bigEndian: address.sin_port)))
        Thread.detachNewThread { [seen] in
            while true {
                let accepted = accept(listener, nil, nil)
                // Only this thread closes the listener: it must not accept connections of another server whose
                // listener has the same number.
                guard accepted >= 0 else {
                    close(listener)
                    return
                }
                Thread.detachNewThread {
                    let connection = Connection(accepted)
                    var number = 1
                    while let request = connection.readRequest(number, readsBody: readsBodies) {
                        let index = seen.with { seen in
                            seen.append(request)
                            return seen.count - 1
                        }
                        guard handle(connection, request, index) else { break }
                        number += 1
                    }
                    connection.free()
                }
            }
        }
    }

    deinit { shutdown(listener, Int32(SHUT_RDWR)) }

    var url: URL { URL(string: "http://127.0.0.1:\(port)") ?? URL(fileURLWithPath: "/") }
    var requests: [Request] { seen.with { $0 } }
}

/// A value behind a lock.
final class Guarded<Value>: @unchecked Sendable {
    private let lock = NSLock()
    private var value: Value
    init(_ value: Value) { self.value = value }
    func with<Result>(_ body: (inout Value) -> Result) -> Result {
        lock.lock()
        defer { lock.unlock() }
        return body(&value)
    }
}
