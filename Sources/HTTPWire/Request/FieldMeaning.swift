// The fields that concern the message itself: where its body ends, and whether the connection stays
// open. Two programs that read these fields differently can be made to see different requests, so
// no fault is repaired (RFC 9112 sections 6 and 11.2).

/// Collects the framing fields of one request, and evaluates them at the end of its head.
struct FieldMeaning: Sendable {
    private var hasHost = false
    private var contentLength = -1
    private var hasTransferEncoding = false
    private var saysClose = false
    private var saysKeepAlive = false
    private var expectsContinue = false
    /// The first expectation that is not understood; judged at the end, because HTTP/1.0 has none.
    private var unknownExpectationAt = -1

    /// Whether a field with that raw value is one that `take` looks at: `HeaderName` lists them
    /// first.
    @inline(__always)
    static func isConcerned(_ name: UInt8) -> Bool { name <= HeaderName.expect.rawValue }

    /// Takes in one field line.
    mutating func take(
        _ line: FieldLine, _ bytes: WireBytes, _ tables: WireTables
    ) throws(WireError) {
        switch HeaderName(rawValue: line.name) {
        case .host:
            if hasHost { throw .repeatedHost(at: line.valueStart) }
            hasHost = true
            guard
                TargetForms.isAuthority(
                    bytes, from: line.valueStart, to: line.valueEnd, needsPort: false, tables)
            else { throw .host(at: line.valueStart) }
        case .contentLength:
            if contentLength >= 0 { throw .repeatedContentLength(at: line.valueStart) }
            contentLength = try Self.length(bytes, from: line.valueStart, to: line.valueEnd)
        case .transferEncoding:
            try takeTransferEncoding(line, bytes, tables)
        case .connection:
            takeConnection(line, bytes)
        case .expect:
            if bytes.matches("100-continue", from: line.valueStart, to: line.valueEnd) {
                expectsContinue = true
            } else if unknownExpectationAt < 0 {
                unknownExpectationAt = line.valueStart
            }
        default: break
        }
    }

    /// Digits and nothing else. A number too large for any body is as good as the largest: it is
    /// refused for its size.
    private static func length(
        _ bytes: WireBytes, from start: Int, to stop: Int
    ) throws(WireError) -> Int {
        guard start < stop else { throw .contentLength(at: start) }
        var value = 0
        var index = start
        while index < stop {
            guard Ascii.isDigit(bytes[index]) else { throw .contentLength(at: index) }
            let (product, overflow) = value.multipliedReportingOverflow(by: 10)
            let (sum, carry) = product.addingReportingOverflow(Int(bytes[index] &- 0x30))
            value = overflow || carry ? Int.max : sum
            index &+= 1
        }
        return value
    }

    private mutating func takeTransferEncoding(
        _ line: FieldLine, _ bytes: WireBytes, _ tables: WireTables
    ) throws(WireError) {
        let start = line.valueStart
        if hasTransferEncoding { throw .transferEncoding(at: start) }
        hasTransferEncoding = true
        if bytes.matches("chunked", from: start, to: line.valueEnd) { return }
        // Anything else is refused; the two cases differ only in the message to the sender.
        let codingEnd = tables.first(not: .token, in: bytes, from: start, to: line.valueEnd)
        if codingEnd == start || bytes.matches("chunked", from: start, to: codingEnd) {
            throw .transferEncoding(at: codingEnd)
        }
        throw .transferCoding(at: start)
    }

    /// A list of names, of which two concern us (RFC 9110 section 7.6.1).
    private mutating func takeConnection(_ line: FieldLine, _ bytes: WireBytes) {
        var start = line.valueStart
        if bytes.matches("keep-alive", from: start, to: line.valueEnd) {
            saysKeepAlive = true
            return
        }
        while start < line.valueEnd {
            var stop = start
            while stop < line.valueEnd, bytes[stop] != UInt8(ascii: ",") { stop &+= 1 }
            let optionStart = min(bytes.skipBlanks(from: start), stop)
            let optionEnd = bytes.trimBlanks(from: optionStart, to: stop)
            if bytes.matches("close", from: optionStart, to: optionEnd) { saysClose = true }
            if bytes.matches("keep-alive", from: optionStart, to: optionEnd) {
                saysKeepAlive = true
            }
            start = stop &+ 1
        }
    }

    /// Longer bodies cannot be counted on the way to a sink.
    private static let lengthCeiling = 1 << 53

    /// Draws the conclusion once all fields are there.
    @inline(__always)
    func conclude(_ head: inout RequestHead, _ limits: WireLimits) throws(WireError) {
        let isHTTP11 = head.minorVersion == 1
        if let host = head.first(.host) {
            if head.targetForm != .absolute, head.targetForm != .authority {
                head.authority = host
            }
        } else if isHTTP11 {
            throw .missingHost()
        }
        head.keepsAlive = !saysClose && (isHTTP11 || saysKeepAlive)
        if hasTransferEncoding {
            guard isHTTP11 else { throw .transferEncodingInHTTP10() }
            guard contentLength < 0 else { throw .ambiguousLength() }
            head.framing = .chunked
        } else if contentLength >= 0 {
            head.framing = contentLength == 0 ? .none : .length(contentLength)
        } else {
            head.framing = .none
        }
        // HTTP/1.0 has no expectations (RFC 9110 section 10.1.1).
        if isHTTP11, unknownExpectationAt >= 0 { throw .expectation(at: unknownExpectationAt) }
        head.expectsContinue = isHTTP11 && expectsContinue && head.framing != .none
        if contentLength > limits.bodyBytesMax {
            var error = WireError.bodyTooLarge(max: limits.bodyBytesMax)
            error.isExcess = contentLength <= Self.lengthCeiling
            throw error
        }
    }
}
