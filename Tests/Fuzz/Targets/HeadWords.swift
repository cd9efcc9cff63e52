// Everything a server reads from a parsed head, as one line of text.

import HTTPWire

enum HeadWords {
    static func describe(
        _ head: RequestHead, _ bytes: UnsafeRawBufferPointer, _ limits: WireLimits
    ) throws(FuzzFailure) -> String {
        try check(head, bytes, limits)
        var words = [
            text(head.methodRange, bytes), text(head.target, bytes), text(head.path, bytes),
            head.query.map { text($0, bytes) } ?? "-",
            head.authority.map { text($0, bytes) } ?? "-",
            "1.\(head.minorVersion) \(head.targetForm) \(head.framing)",
            "keeps \(head.keepsAlive) expects \(head.expectsContinue)",
            "gzip \(head.acceptsGzip(in: bytes))",
            "type \(head.bestMediaType(in: bytes, offered: offered) ?? -1)",
        ]
        head.forEachField(in: bytes) { name, value in words.append("\(text(name)): \(text(value))")
        }
        for name in HeaderName.allCases {
            var count = 0
            head.forEach(name, in: bytes) { _ in count += 1 }
            if count > 0 { words.append("\(name) \(count)") }
        }
        for segment in head.path.slice(of: bytes).split(separator: UInt8(ascii: "/")) {
            words.append(decoded(UnsafeRawBufferPointer(rebasing: segment), .pathSegment))
        }
        for part in head.query?.slice(of: bytes).split(separator: UInt8(ascii: "&")) ?? [] {
            words.append(decoded(UnsafeRawBufferPointer(rebasing: part), .query))
        }
        return words.joined(separator: " | ")
    }

    private static let offered: [StaticString] = [
        "application/json", "text/event-stream", "application/x-ndjson",
    ]

    private static func check(
        _ head: RequestHead, _ bytes: UnsafeRawBufferPointer, _ limits: WireLimits
    ) throws(FuzzFailure) {
        // Two bytes of an empty line before, two of the request line's end.
        let longest = limits.requestLineBytesMax + limits.headerBytesMax + 4
        guard head.byteCount <= bytes.count, head.byteCount <= longest else {
            throw FuzzFailure("a head of \(head.byteCount) bytes in \(bytes.count)")
        }
        for range in [head.methodRange, head.target, head.path, head.query, head.authority] {
            guard let range else { continue }
            guard range.start >= 0, range.count >= 0,
                Int(range.start) + Int(range.count) <= head.byteCount
            else { throw FuzzFailure("\(range) is outside of the head") }
        }
        if case .chunked = head.framing {
            guard head.minorVersion == 1, head.first(.contentLength) == nil else {
                throw FuzzFailure("two ways to frame one body")
            }
        }
        if head.minorVersion == 1, head.authority == nil { throw FuzzFailure("no authority") }
    }

    private static func decoded(
        _ piece: UnsafeRawBufferPointer, _ context: PercentContext
    ) -> String {
        let out = OutputBuffer()
        do throws(WireError) {
            try percentDecode(piece, context, into: out)
            return text(out.bytes)
        } catch {
            return error.description
        }
    }

    private static func text(_ range: ByteRange, _ bytes: UnsafeRawBufferPointer) -> String {
        text(range.slice(of: bytes))
    }

    private static func text(_ bytes: UnsafeRawBufferPointer) -> String {
        String(decoding: bytes, as: UTF8.self)
    }
}
