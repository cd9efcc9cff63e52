// The request line: `method SP target SP version CR LF`, with exactly these spaces
// (RFC 9112 section 3).

/// Judges one request line.
enum RequestLine {
    /// The first byte after the line, or `nil` when it is not complete.
    @inline(__always)
    static func parse(
        _ bytes: WireBytes, from start: Int, into head: inout RequestHead
    ) throws(WireError) -> Int? {
        guard let targetStart = try method(bytes, from: start, into: &head) else { return nil }
        guard let targetEnd = try target(bytes, from: targetStart, into: &head) else { return nil }
        return try version(bytes, from: targetEnd &+ 1, into: &head)
    }

    // MARK: Method

    private static let get = UInt64(0x20_54_45_47)  // "GET ", its first letter lowest

    /// The target's first byte.
    @inline(__always)
    private static func method(
        _ bytes: WireBytes, from start: Int, into head: inout RequestHead
    ) throws(WireError) -> Int? {
        if bytes.word(at: start) & 0xFFFF_FFFF == get {
            head.method = .get
            head.methodRange = ByteRange(start, start &+ 3)
            return start &+ 4
        }
        return try otherMethod(bytes, from: start, into: &head)
    }

    private static func otherMethod(
        _ bytes: WireBytes, from start: Int, into head: inout RequestHead
    ) throws(WireError) -> Int? {
        let tables = WireTables.shared
        let stop = tables.first(not: .token, in: bytes, from: start, to: bytes.end)
        guard stop < bytes.end else { return nil }
        guard bytes[stop] == Ascii.space, stop > start else {
            throw .method(bytes[stop], at: stop)
        }
        head.methodRange = ByteRange(start, stop)
        head.method = .other
        // Eight bytes hold every method we know, and the space after it.
        let kept = stop &- start < 8 ? (1 as UInt64) &<< UInt64((stop &- start) &* 8) &- 1 : 0
        let word = bytes.word(at: start) & kept
        head.method = methodNamed(word)
        return stop &+ 1
    }

    /// The method whose letters these are, the first of them lowest.
    private static func methodNamed(_ word: UInt64) -> HTTPMethod {
        switch word {
        case 0x54_45_47: .get
        case 0x44_41_45_48: .head
        case 0x54_53_4F_50: .post
        case 0x54_55_50: .put
        case 0x48_43_54_41_50: .patch
        case 0x45_54_45_4C_45_44: .delete
        case 0x53_4E_4F_49_54_50_4F: .options
        case 0x45_43_41_52_54: .trace
        case 0x54_43_45_4E_4E_4F_43: .connect
        default: .other
        }
    }

    // MARK: Target

    /// The space after the target.
    @inline(__always)
    private static func target(
        _ bytes: WireBytes, from start: Int, into head: inout RequestHead
    ) throws(WireError) -> Int? {
        var stop = bytes.first(from: start) {
            WireBytes.notInTarget($0) | WireBytes.equal(UInt8(ascii: "?"), $0)
        }
        guard stop < bytes.end else { return nil }
        let pathEnd = stop
        head.query = nil
        if bytes[stop] == UInt8(ascii: "?") {
            stop = bytes.first(from: pathEnd &+ 1, WireBytes.notInTarget)
            guard stop < bytes.end else { return nil }
            head.query = ByteRange(pathEnd &+ 1, stop)
        }
        guard bytes[stop] == Ascii.space else { throw .target(bytes[stop], at: stop) }
        guard stop > start else { throw .emptyTarget(at: start) }
        head.target = ByteRange(start, stop)
        head.path = ByteRange(start, pathEnd)
        head.targetForm = .origin
        head.authority = nil
        if bytes[start] != UInt8(ascii: "/") || head.method == .connect {
            try TargetForms.parse(bytes, from: start, to: stop, pathEnd: pathEnd, into: &head)
        }
        return stop
    }

    // MARK: Version

    private static let http1 = UInt64(0x2E_31_2F_50_54_54_48)  // "HTTP/1."

    /// The first byte after the line. A minor version that does not exist yet is read like the highest
    /// that does (RFC 9110 section 2.5).
    @inline(__always)
    private static func version(
        _ bytes: WireBytes, from start: Int, into head: inout RequestHead
    ) throws(WireError) -> Int? {
        let stop = start &+ 8
        let word = bytes.word(at: start)
        let minor = word &>> 56 &- 0x30
        guard word & 0xFF_FFFF_FFFF_FFFF == http1, minor < 10, stop &+ 1 < bytes.end,
            bytes[stop] == Ascii.cr, bytes[stop &+ 1] == Ascii.lf
        else { return try oddVersion(bytes, from: start, head) }
        // Judged after the version, because HTTP/2 begins with `PRI * HTTP/2.0`.
        if head.targetForm == .asterisk, head.method != .options {
            throw .targetForm(at: Int(head.target.start))
        }
        head.minorVersion = minor == 0 ? 0 : 1
        return stop &+ 2
    }

    /// Returns `nil` when the line is not complete. Throws what is wrong with it otherwise.
    @inline(never)
    private static func oddVersion(
        _ bytes: WireBytes, from start: Int, _ head: RequestHead
    ) throws(WireError) -> Int? {
        let stop = bytes.first(from: start) {
            WireBytes.below(0x21, $0) | WireBytes.equal(0x7F, $0) | ($0 & 0x8080_8080_8080_8080)
        }
        guard stop < bytes.end else { return nil }
        guard bytes[stop] == Ascii.cr else { throw .afterTarget(bytes[stop], at: stop) }
        guard stop &+ 1 < bytes.end else { return nil }
        guard bytes[stop &+ 1] == Ascii.lf else { throw .control(Ascii.cr, at: stop) }
        guard stop > start else { throw .target(Ascii.cr, at: stop) }
        let looksLikeHTTP = stop &- start >= 5 && bytes.matches("http/", from: start, to: start + 5)
        guard looksLikeHTTP else { throw .afterTarget(bytes[start], at: start) }
        let isPreface =
            bytes.matches("http/2.0", from: start, to: stop)
            && bytes.matches("*", from: Int(head.target.start), to: start &- 1)
        throw isPreface ? .http2(at: start) : .version(at: start)
    }
}
