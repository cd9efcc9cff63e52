// What parsing came to, as one comparable line of text, however the bytes were fed.

import GuardedBytes

@testable import HTTPWire

enum HeadOutcome {
    /// Feeds the first `split` bytes, then all of them.
    static func of(
        _ bytes: [UInt8], splitAt split: Int, limits: WireLimits, _ memory: GuardedBytes
    ) -> String {
        of(bytes, lengths: [split, bytes.count], limits: limits, memory)
    }

    /// Feeds prefixes of these lengths, as a connection does that receives little by little.
    static func of(
        _ bytes: [UInt8], lengths: some Sequence<Int>, limits: WireLimits, _ memory: GuardedBytes
    ) -> String {
        var parser = RequestParser(limits: limits)
        var head = RequestHead()
        for length in lengths {
            let view = memory.place(bytes[..<length])
            switch parser.parse(view, into: &head) {
            case .needMore: continue
            case .done: return describe(head, view)
            case .malformed(let error): return describe(error)
            }
        }
        return "needMore"
    }

    static func describe(_ error: WireError) -> String {
        let offset = error.offset.map { " @\($0)" } ?? ""
        let limit = error.limit.map { " \($0.name)=\($0.value)" } ?? ""
        return "\(error.status) \(error.code)\(offset)\(limit)"
    }

    static func describe(_ head: RequestHead, _ bytes: UnsafeRawBufferPointer) -> String {
        func text(_ range: ByteRange?) -> String {
            range.map { String(decoding: $0.slice(of: bytes), as: UTF8.self) } ?? "-"
        }
        var words = [
            text(head.methodRange), text(head.path), text(head.query), text(head.authority),
            "1.\(head.minorVersion)", "\(head.framing)",
        ]
        if !head.keepsAlive { words.append("close") }
        if head.expectsContinue { words.append("continue") }
        if head.targetForm != .origin { words.append("\(head.targetForm)") }
        words.append("\(head.byteCount)")
        return words.joined(separator: " ")
    }
}

extension RequestHead {
    /// Parses a request that must be well-formed, and hands it over with its bytes.
    static func withParsed<R>(
        _ request: String, _ body: (RequestHead, UnsafeRawBufferPointer) -> R
    ) -> R? {
        Array(request.utf8).withUnsafeBytes { bytes in
            var parser = RequestParser()
            var head = RequestHead()
            guard case .done = parser.parse(bytes, into: &head) else { return nil }
            return body(head, bytes)
        }
    }
}
