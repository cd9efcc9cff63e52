// A strong entity tag names the coding of its representation (RFC 9110 section 8.8.3). The handler writes
// the tag when it expects the server to compress; if compression fails, the tag must not name it.

import HTTPWire

/// How entity tags name a content coding.
package enum EntityTagCoding {
    /// The end of the tag of a representation in gzip, before its closing quote.
    package static let gzipSuffix: StaticString = "-gzip"

    /// The field lines with a tag of the plain representation. A copy; failures are rare. O(fields).
    static func plain(_ fields: UnsafeRawBufferPointer) -> OutputBuffer {
        let plain = OutputBuffer(capacity: fields.count)
        plain.append(fields)
        removeGzip(from: plain)
        return plain
    }

    /// Makes the tag in the field lines the one of the plain representation. O(fields).
    static func removeGzip(from fields: OutputBuffer) {
        let lines = String(decoding: fields.bytes, as: UTF8.self)
        let suffix = "\(gzipSuffix)\""
        let plain = lines.split(separator: "\r\n").map { line in
            let isTag = line.hasPrefix("ETag: ") && line.hasSuffix(suffix)
            return isTag ? line.dropLast(suffix.utf8.count) + "\"" : line
        }
        fields.removeAll()
        for line in plain {
            fields.append(String(line))
            fields.append("\r\n")
        }
    }
}
