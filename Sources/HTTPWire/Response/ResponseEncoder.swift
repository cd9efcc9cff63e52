// Writes the head of an answer, and the chunks of a streamed one, straight into the send buffer.

import Glibc

/// How the client learns where the answer's body ends.
@usableFromInline
package enum ResponseFraming: Hashable, Sendable {
    /// No field: 1xx, 204 and 304 have no body; one for HTTP/1.0 may end with the connection.
    case none
    case length(Int)
    case chunked
}

/// The `Connection` field of an answer.
package enum ConnectionOption: Sendable {
    /// No field: HTTP/1.1 keeps a connection by default.
    case implied
    /// `Connection: keep-alive`, which an HTTP/1.0 client needs when it asked to keep the
    /// connection.
    case keepAlive
    /// `Connection: close`.
    case close
}

/// The fields of an answer about its content coding.
package enum ContentCoding: Sendable {
    /// No field: every client gets the answer uncompressed.
    case identity
    /// `Vary: Accept-Encoding`: this client got it plain, another may not.
    case identityNegotiated
    /// `Content-Encoding: gzip` and `Vary: Accept-Encoding`.
    case gzip
}

/// Appends the parts of an answer to an `OutputBuffer`.
package enum ResponseEncoder {
    /// Whether the last of the field lines ends with `, Accept-Encoding`. O(1).
    private static func varyByCoding(_ fields: UnsafeRawBufferPointer) -> Bool {
        let end: StaticString = ", Accept-Encoding\r\n"
        let count = end.utf8CodeUnitCount
        guard fields.count >= count, let base = fields.baseAddress else { return false }
        return memcmp(base + (fields.count - count), end.utf8Start, count) == 0
    }

    /// Status line, `Date`, `Content-Type` and that it is not to be guessed, the given field lines, and what framing,
    /// coding and connection call for; then the empty line.
    ///
    /// `fields` is zero or more complete `Name: value` lines, each with its CR LF; they are copied
    /// as they are. A last one, `Vary`, that ends with `, Accept-Encoding` stands for the one of the coding.
    package static func head(
        into out: OutputBuffer, status: Int, date: HTTPDate,
        contentType: StaticString? = nil,
        fields: UnsafeRawBufferPointer = UnsafeRawBufferPointer(start: nil, count: 0),
        framing: ResponseFraming, coding: ContentCoding = .identity,
        connection: ConnectionOption = .implied
    ) {
        let type = contentType ?? ""
        let size = HeadWriter.fixedBytesMax + type.utf8CodeUnitCount + fields.count
        out.withRoom(size) { room in
            guard let start = room.baseAddress else { return 0 }
            var writer = HeadWriter(start)
            writer.statusLine(status)
            date.withLine { writer.put($0) }
            if contentType != nil {
                writer.put("Content-Type: ")
                writer.put(type)
                writer.put("\r\nX-Content-Type-Options: nosniff\r\n")
            } else {
                writer.put("X-Content-Type-Options: nosniff\r\n")
            }
            writer.put(fields)
            switch coding {
            case .identity: break
            case .identityNegotiated:
                if !varyByCoding(fields) { writer.put("Vary: Accept-Encoding\r\n") }
            case .gzip:
                writer.put("Content-Encoding: gzip\r\n")
                if !varyByCoding(fields) { writer.put("Vary: Accept-Encoding\r\n") }
            }
            switch framing {
            case .none: break
            case .length(let count):
                writer.put("Content-Length: ")
                writer.put(decimal: count)
                writer.put("\r\n")
            case .chunked: writer.put("Transfer-Encoding: chunked\r\n")
            }
            switch connection {
            case .implied: writer.put("\r\n")
            case .keepAlive: writer.put("Connection: keep-alive\r\n\r\n")
            case .close: writer.put("Connection: close\r\n\r\n")
            }
            return writer.position - start
        }
    }

    /// The interim answer that `Expect: 100-continue` waits for (RFC 9110 section 10.1.1).
    package static func continue100(into out: OutputBuffer) {
        out.append("HTTP/1.1 100 Continue\r\n\r\n")
    }

    /// A whole chunk. Without payload nothing is appended, because it would end the body.
    package static func chunk(_ payload: UnsafeRawBufferPointer, into out: OutputBuffer) {
        guard !payload.isEmpty else { return }
        chunkHead(payload.count, into: out)
        out.append(payload)
        out.append("\r\n")
    }

    /// The line before a chunk's payload, which has `count` bytes and is followed by CR LF.
    package static func chunkHead(_ count: Int, into out: OutputBuffer) {
        out.append(hex: UInt(count))
        out.append("\r\n")
    }

    /// The end of a chunked body, without trailers.
    package static func lastChunk(into out: OutputBuffer) {
        out.append("0\r\n\r\n")
    }
}
