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
        for name in HeaderName.allCases {
            head.forEach(name, in: bytes) { value in words.append("\(name): \(text(value))") }
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

    private static func text(_ range: ByteRange, _ bytes: UnsafeRawBufferPointer) -> String {
        text(range.slice(of: bytes))
    }

    private static func text(_ bytes: UnsafeRawBufferPointer) -> String {
        String(decoding: bytes, as: UTF8.self)
    }
}
