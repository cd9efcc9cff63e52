// Chunk extensions are ignored, but they have to be parsed: a reader that only looks for the end of
// the line can be made to find another end than the proxy before it.

/// Follows `*( ";" name [ "=" ( token / quoted-string ) ] )`, RFC 9112 section 7.1.1, without the
/// white space that the grammar tolerates and no known client sends.
struct ChunkExtensions: Sendable {
    private enum Phase: Sendable {
        /// A name, value or quoted string must follow.
        case nameStart, valueStart
        case name, value
        case quoted, escaped, afterQuoted
    }

    private var phase = Phase.nameStart

    /// Whether the line may end here.
    var mayEnd: Bool { phase == .name || phase == .value || phase == .afterQuoted }

    /// Takes the next byte after the first `;`, and answers whether it may stand there.
    mutating func take(_ byte: UInt8) -> Bool {
        let isToken = WireTables.shared.allows(byte, as: .token)
        switch (phase, byte) {
        case (.nameStart, _) where isToken, (.name, _) where isToken: phase = .name
        case (.name, UInt8(ascii: "=")): phase = .valueStart
        case (.valueStart, UInt8(ascii: "\"")): phase = .quoted
        case (.valueStart, _) where isToken, (.value, _) where isToken: phase = .value
        case (.name, UInt8(ascii: ";")), (.value, UInt8(ascii: ";")),
            (.afterQuoted, UInt8(ascii: ";")):
            phase = .nameStart
        case (.quoted, UInt8(ascii: "\"")): phase = .afterQuoted
        case (.quoted, UInt8(ascii: "\\")): phase = .escaped
        case (.quoted, _) where byte >= 0x20 && byte != 0x7F || byte == Ascii.tab: break
        case (.escaped, _) where byte >= 0x20 && byte != 0x7F || byte == Ascii.tab:
            phase = .quoted
        default: return false
        }
        return true
    }
}
