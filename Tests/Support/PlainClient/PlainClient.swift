// A client that sends what no browser and no curl would, one request after the other, and reads each answer to its
// end.

import Glibc
import HTTPServer

package struct PlainClientError: Error, CustomStringConvertible {
    package let description: String

    package init(_ description: String) { self.description = description }
}

package struct PlainAnswer {
    package var status = 0
    /// Names in small letters.
    package var fields: [(name: String, value: String)] = []
    package var bytes: [UInt8] = []
    package var body: String { String(decoding: bytes, as: UTF8.self) }

    package func field(_ name: String) -> String? { fields.first { $0.name == name }?.value }

    package var isInChunks: Bool { field("transfer-encoding") != nil }
}

/// One connection to a port of this machine or a socket file, made again when the server has closed it.
package final class PlainClient {
    private let port: UInt16
    private let path: String?
    private var descriptor: Int32 = -1
    private var received: [UInt8] = []
    private let secondsMax: Int

    /// - Parameter secondsMax: how long an answer is waited for.
    package init(port: UInt16, secondsMax: Int = 20) {
        (self.port, path, self.secondsMax) = (port, nil, secondsMax)
    }

    package init(path: String, secondsMax: Int = 20) {
        (port, self.path, self.secondsMax) = (0, path, secondsMax)
    }

    deinit { close() }

    package func close() {
        if descriptor >= 0 { Glibc.close(descriptor) }
        descriptor = -1
        received = []
    }

    private func open() throws(PlainClientError) {
        descriptor = socket(path == nil ? AF_INET : AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        var limit = timeval(tv_sec: secondsMax, tv_usec: 0)
        setsockopt(
            descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        let isOpen = path.map { UnixAddress($0)?.connect(descriptor) == true } ?? connectToPort()
        if !isOpen { throw PlainClientError("cannot connect to \(path ?? "port \(port)")") }
    }

    private func connectToPort() -> Bool {
        var on: Int32 = 1
        setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &on, 4)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = INADDR_LOOPBACK.bigEndian
        return withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
    }

    /// Sends a request as it stands and reads its answer.
    ///
    /// - Parameter cutsStreams: ends the connection with a body in chunks, which is left out.
    package func ask(
        _ request: [UInt8], isHead: Bool, cutsStreams: Bool = false
    ) throws(PlainClientError) -> PlainAnswer {
        if descriptor < 0 { try open() }
        send(request)
        var answer = PlainAnswer()
        let lines = try take(upTo: Array("\r\n\r\n".utf8)).split(separator: "\r\n")
        answer.status = Int(lines.first?.dropFirst(9).prefix(3) ?? "") ?? 0
        for line in lines.dropFirst() {
            let parts = line.split(separator: ":", maxSplits: 1)
            answer.fields.append((parts[0].lowercased(), String(parts[1].drop { $0 == " " })))
        }
        let isCut = cutsStreams && answer.isInChunks
        if isCut { shutdown(descriptor, Int32(SHUT_WR)) }
        if !isHead, !isCut {
            let length = Int(answer.field("content-length") ?? "0") ?? 0
            answer.bytes = try answer.isInChunks ? chunks() : take(length)
        }
        if isCut || answer.field("connection") == "close" {
            while try receive() {}
            close()
        }
        return answer
    }

    /// A server that refuses the beginning may not read the rest.
    private func send(_ bytes: [UInt8]) {
        var sent = 0
        while sent < bytes.count {
            let count = bytes[sent...].withUnsafeBytes {
                Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            if count < 0, errno == EINTR { continue }
            if count <= 0 { return }
            sent += count
        }
    }

    /// A body in chunks, to its end.
    private func chunks() throws(PlainClientError) -> [UInt8] {
        var body: [UInt8] = []
        while true {
            let size = Int(try take(upTo: Array("\r\n".utf8)), radix: 16) ?? 0
            body += try take(size + 2).dropLast(2)
            if size == 0 { return body }
        }
    }

    private func take(_ count: Int) throws(PlainClientError) -> [UInt8] {
        while received.count < count {
            if try !receive() { throw PlainClientError("an answer that is cut short") }
        }
        defer { received.removeFirst(count) }
        return Array(received.prefix(count))
    }

    private func take(upTo end: [UInt8]) throws(PlainClientError) -> String {
        var index = 0
        while true {
            while index + end.count <= received.count {
                if received[index..<index + end.count].elementsEqual(end) {
                    defer { received.removeFirst(index + end.count) }
                    return String(decoding: received[..<index], as: UTF8.self)
                }
                index += 1
            }
            if try !receive() { throw PlainClientError("no answer: \(received.count) bytes") }
        }
    }

    /// Takes what is there; false at the end.
    private func receive() throws(PlainClientError) -> Bool {
        var room = [UInt8](repeating: 0, count: 65_536)
        var count = 0
        // libFuzzer looks at its watch by a signal.
        repeat { count = recv(descriptor, &room, room.count, 0) } while count < 0 && errno == EINTR
        if count < 0, errno == EAGAIN {
            throw PlainClientError("no answer in \(secondsMax) s")
        }
        received += room.prefix(max(0, count))
        return count > 0
    }
}
