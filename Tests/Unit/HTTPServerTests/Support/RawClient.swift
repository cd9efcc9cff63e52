// A client that sends exactly the given bytes and reads answers part by part.

import Glibc
import HTTPWire
import TestSupport
import Testing

@testable import HTTPServer

struct Response {
    var status = 0
    var fields: [String: String] = [:]
    var body: [UInt8] = []
    var text: String { String(decoding: body, as: UTF8.self) }
}

final class RawClient {
    private let connection: RawConnection
    private var buffered: [UInt8] = []

    /// - Parameter receiveBytes: a small buffer of the socket, for clients that are to be slow.
    init(_ address: ListenAddress, receiveBytes: Int32? = nil) throws {
        connection = try RawConnection(
            address, timeLimit: Self.timeLimit, receiveBufferBytes: receiveBytes)
    }

    /// Only so that a test that would hang fails instead.
    private static let timeLimit = Duration.seconds(30)

    var descriptor: Int32 { connection.descriptor }

    /// Writes all of it; `false` when the server has gone.
    @discardableResult
    func send(_ bytes: some Collection<UInt8>) -> Bool {
        (try? connection.send(Array(bytes))) ?? false
    }

    @discardableResult
    func send(_ text: String) -> Bool { send(text.utf8) }

    /// Ends the sending side only.
    func finishSending() { connection.finishSending() }

    /// Ends the connection with a reset instead of politely.
    func reset() { connection.reset() }

    /// What one call of the system has for us; empty at the end.
    func piece() -> [UInt8] {
        _ = fill()
        defer { buffered = [] }
        return buffered
    }

    private func fill() -> Bool {
        do {
            let piece = try connection.read(before: Deadline(within: Self.timeLimit))
            buffered += piece
            return !piece.isEmpty
        } catch {
            Issue.record("waited in vain for the server: \(error)")
            return false
        }
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
        // As every client has to pass over it (RFC 9110, section 15.2).
        if response.status == 100 { return self.response(toHead: toHead) }
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

    /// Whether nothing is received, nor the end, for so long.
    func isQuiet(forMilliseconds time: Int32) -> Bool {
        var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return buffered.isEmpty && poll(&entry, 1, time) == 0
    }

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
