// Well-formed UTF-8 as RFC 3629 (section 4) and table 3-7 of the Unicode Standard define it: no
// overlong forms, no surrogates, nothing above U+10FFFF.

/// The UTF-8 sequence at a byte outside ASCII.
enum UTF8Sequence {
    case wellFormed(Int)
    case malformed
    /// The text ends where the sequence could still have become a good one.
    case truncated

    /// Looks at the sequence that begins at `at`, where a byte of 0x80 or more stands.
    @inline(__always)
    static func read(_ text: UnsafePointer<UInt8>, at: Int, end: Int) -> UTF8Sequence {
        let lead = text[at]
        var low: UInt8 = 0x80
        var high: UInt8 = 0xBF
        let length: Int
        switch lead {
        case 0xC2...0xDF:
            length = 2
        case 0xE0...0xEF:
            length = 3
            if lead == 0xE0 { low = 0xA0 }
            if lead == 0xED { high = 0x9F }
        case 0xF0...0xF4:
            length = 4
            if lead == 0xF0 { low = 0x90 }
            if lead == 0xF4 { high = 0x8F }
        default:
            return .malformed
        }
        guard at &+ 1 < end else { return .truncated }
        guard text[at &+ 1] >= low, text[at &+ 1] <= high else { return .malformed }
        var next = 2
        while next < length {
            guard at &+ next < end else { return .truncated }
            guard text[at &+ next] & 0xC0 == 0x80 else { return .malformed }
            next &+= 1
        }
        return .wellFormed(length)
    }
}
