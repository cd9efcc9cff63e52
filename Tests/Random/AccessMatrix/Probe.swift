// A client that sends what no browser and no curl would, one request after the other.

import Glibc
import HTTPServer

struct ProbeError: Error, CustomStringConvertible {
    let description: String
}

struct Answer {
    var status = 0
    /// Names in small letters.
    var fields: [(name: String, value: String)] = []
    var body = ""

    func field(_ name: String) -> String? { fields.first { $0.name == name }?.value }
}

/// One connection to a port of this machine or a socket file, made again when the server has closed it.
final class Probe {
    private let port: UInt16
    private let path: String?
    private var descriptor: Int32 = -1
    private var received: [UInt8] = []

    init(port: UInt16) { (self.port, path) = (port, nil) }
    init(path: String) { (port, self.path) = (0, path) }

    deinit { close() }

    private func close() {
        if descriptor >= 0 { Glibc.close(descriptor) }
        descriptor = -1
        received = []
    }

    private func open() throws {
        if let path {
            descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
            guard UnixAddress(path)?.connect(descriptor) == true else {
                throw ProbeError(description: "cannot connect to \(path)")
            }
            return try limitWaits()
        }
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var on: Int32 = 1
        setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &on, 4)
        try limitWaits()
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = INADDR_LOOPBACK.bigEndian
        let isOpen = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
        guard isOpen else { throw ProbeError(description: "cannot connect to port \(port)") }
    }

    private func limitWaits() throws {
        var limit = timeval(tv_sec: 20, tv_usec: 0)
        setsockopt(
            descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    }

    /// Sends a request as it stands and reads its answer.
    func ask(_ head: String, _ body: [UInt8], isHead: Bool) throws -> Answer {
        if descriptor < 0 { try open() }
        let bytes = Array(head.utf8) + body
        guard send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count else {
            throw ProbeError(description: "the server closed before it was asked")
        }
        var answer = Answer()
        let head = try take(upTo: Array("\r\n\r\n".utf8))
        let lines = head.split(separator: "\r\n")
        answer.status = Int(lines[0].split(separator: " ")[1]) ?? 0
        for line in lines.dropFirst() {
            let parts = line.split(separator: ":", maxSplits: 1)
            answer.fields.append((parts[0].lowercased(), String(parts[1].drop { $0 == " " })))
        }
        if answer.field("transfer-encoding") != nil, !isHead {
            answer.body = try chunks()
            return answer
        }
        let length = Int(answer.field("content-length") ?? "0") ?? 0
        if !isHead, length > 0 {
            while received.count < length { try receive() }
            answer.body = String(decoding: received.prefix(length), as: UTF8.self)
            received.removeFirst(length)
        }
        if answer.field("connection") == "close" { close() }
        return answer
    }

    /// A body in chunks, to its end.
    private func chunks() throws -> String {
        var body: [UInt8] = []
        while true {
            let size = Int(try take(upTo: Array("\r\n".utf8)), radix: 16) ?? 0
            while received.count < size + 2 { try receive() }
            body += received.prefix(size)
            received.removeFirst(size + 2)
            if size == 0 { return String(decoding: body, as: UTF8.self) }
        }
    }

    private func take(upTo end: [UInt8]) throws -> String {
        var searched = 0
        while true {
            var index = searched
            while index + end.count <= received.count {
                if received[index..<index + end.count].elementsEqual(end) {
                    let text = String(decoding: received[..<index], as: UTF8.self)
                    received.removeFirst(index + end.count)
                    return text
                }
                index += 1
            }
            searched = max(0, received.count - end.count + 1)
            try receive()
        }
    }

    private func receive() throws {
        var room = [UInt8](repeating: 0, count: 65_536)
        var count = 0
        repeat { count = recv(descriptor, &room, room.count, 0) } while count < 0 && errno == EINTR
        guard count > 0 else { throw ProbeError(description: "no answer") }
        received += room.prefix(count)
    }
}
