// A reader that stops reading, and what it finds when it reads on.

/// A stream whose client read the first record and then nothing more.
package struct StalledReader {
    private let connection: RawConnection

    package init(port: UInt16, target: String) throws {
        connection = try RawConnection(
            port: port, timeLimit: .seconds(60), receiveBufferBytes: 65_536)
        try connection.send("GET \(target) HTTP/1.1\r\nHost: localhost\r\n\r\n")
        _ = try connection.read { String(decoding: $0, as: UTF8.self).contains(#""begin""#) }
    }

    /// Reads on up to the end of the answer, or of a record whose last 40,000 bytes hold `mark`.
    package func readOn(to mark: String) throws -> [UInt8] {
        let end = Array("\r\n0\r\n\r\n".utf8)
        return try connection.read { bytes in
            if bytes.suffix(end.count).elementsEqual(end) { return true }
            guard bytes.suffix(2).elementsEqual([13, 10]) else { return false }
            return String(decoding: bytes.suffix(40_000), as: UTF8.self).contains(mark)
        }
    }

    /// The records in the raw bytes of a chunked answer, as far as they are whole.
    package static func records(in bytes: [UInt8]) throws -> [JSON] {
        var text: [UInt8] = []
        var rest = bytes[...]
        while let end = rest.firstIndex(of: 10) {
            let line = String(decoding: rest[..<end], as: UTF8.self).trimmingSuffix {
                $0.isWhitespace
            }
            rest = rest[(end + 1)...]
            guard let size = Int(line, radix: 16) else { continue }
            guard size > 0, rest.count >= size + 2 else { break }
            text += rest.prefix(size)
            rest = rest.dropFirst(size + 2)
        }
        return try text.split(separator: 10).map { try JSON(parsing: Array($0)) }
    }
}

extension SessionClient {
    /// A session with a string trait, `text`, that a registration `r` on the cell hears.
    package static func textual(_ label: String, on baseURL: String) throws -> SessionClient {
        let session = try sample(label, on: baseURL)
        try session.put("traits/text", ["type": "string", "default": ""])
        try session.put("registrations/r", ["node": "cell0", "traits": ["text"]])
        return session
    }

    /// `count` commits of `bytes` each, numbered from 0; gives back the last one's revision.
    package func writeTexts(_ count: Int, bytes: Int) throws -> Int64? {
        let filler = String(repeating: "x", count: bytes)
        var revision: Int64?
        for number in 0..<count {
            let request = HTTPRequest(
                "PUT", target("nodes/scene/overrides/text"),
                text: #"{"value":"\#(number) \#(filler)"}"#)
            revision = try client.send(request).expecting(200).revision
        }
        return revision
    }
}
