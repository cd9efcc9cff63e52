// A client that sends exactly the given bytes, over a blocking socket.

import Glibc
import HTTPWire
import Testing

@testable import HTTPServer

struct Response {
    var status = 0
    var fields: [String: String] = [:]
    var body: [UInt8] = []
    var text: String { String(decoding: body, as: UTF8.self) }
}

final class RawClient {
    let descriptor: Int32
    private var buffered: [UInt8] = []

    /// `receiveBytes` shrinks the socket's buffer, for clients that are to be slow.
    init(_ address: ListenAddress, receiveBytes: Int32? = nil) throws {
        descriptor = socket(Self.family(address), Int32(SOCK_STREAM.rawValue), 0)
        try #require(descriptor >= 0)
        var on: Int32 = 1
        let size = socklen_t(MemoryLayout<Int32>.size)
        setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &on, size)
        if var receiveBytes {
            setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &receiveBytes, size)
        }
        // Only so that a test that would hang fails instead.
        var patience = timeval(tv_sec: 30, tv_usec: 0)
        setsockopt(
            descriptor, SOL_SOCKET, SO_RCVTIMEO, &patience,
            socklen_t(MemoryLayout<timeval>.size))
        guard Self.connect(descriptor, address) else { throw Refused(number: errno) }
    }

    private static func family(_ address: ListenAddress) -> Int32 {
        switch address {
        case .unix: AF_UNIX
        case .tcp(let host, _): host.contains(":") ? AF_INET6 : AF_INET
        }
    }

    private static func connect(_ descriptor: Int32, _ address: ListenAddress) -> Bool {
        switch address {
        case .unix(let path): return UnixAddress(path)?.connect(descriptor) ?? false
        case .tcp(let host, let port):
            var found: UnsafeMutablePointer<addrinfo>?
            guard getaddrinfo(host, String(port), nil, &found) == 0, let info = found?.pointee
            else { return false }
            defer { freeaddrinfo(found) }
            return Glibc.connect(descriptor, info.ai_addr, info.ai_addrlen) == 0
        }
    }

    /// Nobody listens there, which some tests want to see.
    struct Refused: Error {
        let number: Int32
    }

    deinit { Glibc.close(descriptor) }

    /// Writes all of it; `false` when the server has gone.
    @discardableResult
    func send(_ bytes: some Collection<UInt8>) -> Bool {
        var rest = Array(bytes)[...]
        while !rest.isEmpty {
            let size = rest.withUnsafeBytes {
                Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard size > 0 else { return false }
            rest = rest.dropFirst(size)
        }
        return true
    }

    @discardableResult
    func send(_ text: String) -> Bool { send(text.utf8) }

    /// Ends the sending side only.
    func finishSending() { shutdown(descriptor, Int32(SHUT_WR)) }

    /// Ends the connection with a reset instead of politely.
    func reset() {
        var option = linger(l_onoff: 1, l_linger: 0)
        setsockopt(
            descriptor, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
        // An unconnected socket in the descriptor's place, which `deinit` closes.
        let other = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        dup2(other, descriptor)
        Glibc.close(other)
    }

    /// What one call of the system has for us; empty at the end.
    func piece() -> [UInt8] {
        _ = fill()
        defer { buffered = [] }
        return buffered
    }

    private func fill() -> Bool {
        var room = [UInt8](repeating: 0, count: 65_536)
        var size = 0
        repeat { size = recv(descriptor, &room, room.count, 0) } while size < 0 && errno == EINTR
        if size < 0, errno == EAGAIN { Issue.record("waited in vain for the server") }
        guard size > 0 else { return false }
        buffered += room[..<size]
        return true
    }

    /// The next bytes, whatever they are; `nil` when there are fewer.
    func take(_ count: Int) -> [UInt8]? {
        while buffered.count < count { if !fill() { return nil } }
        defer { buffered.removeFirst(count) }
        return Array(buffered[..<count])
    }

    /// A line without its end.
    func line() -> String? {
        var searched = 0
        while true {
            if let end = buffered[searched...].firstIndex(of: 10) {
                defer { buffered.removeFirst(end + 1) }
                guard end > 0, buffered[end - 1] == 13 else { return nil }
                return String(decoding: buffered[..<(end - 1)], as: UTF8.self)
            }
            searched = buffered.count
            if !fill() { return nil }
        }
    }

    /// Status line and fields; `nil` at the end.
    func head() -> Response? {
        guard let first = line(), first.hasPrefix("HTTP/1.1 "),
            let status = Int(first.dropFirst(9).prefix(3))
        else { return nil }
        var response = Response(status: status)
        while let field = line(), !field.isEmpty {
            guard let colon = field.firstIndex(of: ":") else { return nil }
            let value = field[field.index(after: colon)...].drop { $0 == " " }
            response.fields[field[..<colon].lowercased()] = String(value)
        }
        return response
    }

    /// The payload of the next chunk, empty for the last.
    func chunk() -> [UInt8]? {
        guard let size = line().flatMap({ Int($0, radix: 16) }), let payload = take(size),
            line() == ""
        else { return nil }
        return payload
    }

    /// The next answer, whole. `toHead`: the answer has no body whatever it says.
    func response(toHead: Bool = false) -> Response? {
        guard var response = head() else { return nil }
        if toHead || response.status == 204 || response.status == 304 { return response }
        if let length = response.fields["content-length"].flatMap({ Int($0) }) {
            guard let body = take(length) else { return nil }
            response.body = body
        } else if response.fields["transfer-encoding"] == "chunked" {
            while let payload = chunk(), !payload.isEmpty { response.body += payload }
        }
        return response
    }

    /// Everything until the end of the connection.
    func rest() -> [UInt8] {
        while fill() {}
        defer { buffered = [] }
        return buffered
    }

    /// Whether the server has ended the connection, with nothing more to be read.
    var isAtEnd: Bool { buffered.isEmpty && !fill() }

    func request(_ text: String) -> Response? {
        send(text)
        return response()
    }

    /// What a gzip answer holds.
    static func gunzip(_ bytes: [UInt8]) throws -> [UInt8] {
        let out = OutputBuffer()
        try bytes.withUnsafeBytes {
            try GzipDecoder().decode($0, into: out, decodedBytesMax: 1 << 28)
        }
        return out.array()
    }

    static func gzip(_ bytes: [UInt8]) -> [UInt8] {
        let out = OutputBuffer()
        _ = bytes.withUnsafeBytes { GzipEncoder().encode($0, into: out) }
        return out.array()
    }
}
