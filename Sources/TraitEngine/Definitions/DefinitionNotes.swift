// What a definition says about its values to people and other tools. No rule of resolution depends on it.

public struct DefinitionNotes: Hashable, Sendable {
    /// The unit of a number in style sheets and design tokens, as `px`; nil for none.
    public let unit: String?
    /// Whether a string is text of CSS, which style sheets have without quotes.
    public let isCSS: Bool
    /// The versions that have the trait, in the order of the platforms' bytes.
    public let since: [PlatformVersion]

    public init(unit: String? = nil, isCSS: Bool = false, since: [PlatformVersion] = []) {
        self.unit = unit
        self.isCSS = isCSS
        self.since = since.sorted { $0.platform.utf8.lexicographicallyPrecedes($1.platform.utf8) }
    }

    public var isEmpty: Bool { unit == nil && !isCSS && since.isEmpty }

    /// Names of units and platforms are compared as bytes.
    func isSame(as other: DefinitionNotes) -> Bool {
        unit == other.unit && isCSS == other.isCSS
            && since.elementsEqual(other.since) {
                TraitValue.isSameUTF8($0.platform, $1.platform)
                    && TraitValue.isSameUTF8($0.version, $1.version)
            }
    }

    /// The units of CSS (Values and Units 4), and `%`.
    public static let units = [
        "px", "rem", "em", "%", "ms", "s", "deg", "rad", "grad", "turn", "ex", "ch", "cap", "ic",
        "lh", "rex", "rch", "rcap", "ric", "rlh", "vw", "vh", "vi", "vb", "vmin", "vmax", "svw",
        "svh", "svi", "svb", "svmin", "svmax", "lvw", "lvh", "lvi", "lvb", "lvmin", "lvmax", "dvw",
        "dvh", "dvi", "dvb", "dvmin", "dvmax", "cqw", "cqh", "cqi", "cqb", "cqmin", "cqmax", "cm",
        "mm", "Q", "in", "pt", "pc", "Hz", "kHz", "dpi", "dpcm", "dppx", "x", "fr",
    ]
    package static let platformsMax = 16
    package static let versionBytesMax = 32
}

/// The first version of a platform that has a trait.
public struct PlatformVersion: Hashable, Sendable {
    /// `iOS`
    public let platform: String
    /// `13.0`
    public let version: String

    public init(_ platform: String, _ version: String) {
        self.platform = platform
        self.version = version
    }
}

/// Text of CSS that may stand as the value of a custom property.
public enum StyleValue {
    /// Whether nothing in the text ends the declaration, the rule or the element around the sheet: quotes, brackets and
    /// comments are closed, and `;` and `!` stand in brackets or quotes alone (CSS Syntax 3, `<declaration-value>`).
    /// Beside that, controls, `</` and `<!` are refused everywhere, and backslashes outside of quotes. O(bytes).
    public static func isBalanced(_ text: String) -> Bool {
        let bytes = Array(text.utf8)
        var closers: [UInt8] = []
        var position = 0
        while position < bytes.count {
            let byte = bytes[position]
            let next = position + 1 < bytes.count ? bytes[position + 1] : 0
            position += 1
            if isForbidden(byte, next) { return false }
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "'"):
                guard let end = endOfString(bytes, from: position, byte) else { return false }
                position = end
            case UInt8(ascii: "/") where next == UInt8(ascii: "*"):
                guard let end = endOfComment(bytes, from: position + 1) else { return false }
                position = end
            case UInt8(ascii: "("):
                closers.append(UInt8(ascii: ")"))
                if !isPlainAddress(bytes, openedAt: position - 1) { return false }
            case UInt8(ascii: "["): closers.append(UInt8(ascii: "]"))
            case UInt8(ascii: "{"): closers.append(UInt8(ascii: "}"))
            case UInt8(ascii: ")"), UInt8(ascii: "]"), UInt8(ascii: "}"):
                guard closers.popLast() == byte else { return false }
            case UInt8(ascii: ";"), UInt8(ascii: "!"):
                if closers.isEmpty { return false }
            case UInt8(ascii: "\\"): return false
            default: break
            }
        }
        return closers.isEmpty
    }

    /// A part of a name, such as that of the function `my-url()`.
    private static func isNameByte(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5a, 0x61...0x7a, 0x80...0xff: true
        default: byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_")
        }
    }

    private static func isForbidden(_ byte: UInt8, _ next: UInt8) -> Bool {
        byte < 0x20 || byte == 0x7f
            || byte == UInt8(ascii: "<") && (next == UInt8(ascii: "/") || next == UInt8(ascii: "!"))
    }

    private static func endOfString(_ bytes: [UInt8], from start: Int, _ quote: UInt8) -> Int? {
        var position = start
        while position < bytes.count {
            let byte = bytes[position]
            let next = position + 1 < bytes.count ? bytes[position + 1] : 0
            if isForbidden(byte, next) { return nil }
            position += 1
            if byte == quote { return position }
            // A control behind a backslash is refused by the next step.
            if byte == UInt8(ascii: "\\"), next >= 0x20, next != UInt8(ascii: "<") { position += 1 }
        }
        return nil
    }

    private static func endOfComment(_ bytes: [UInt8], from start: Int) -> Int? {
        var position = start
        while position + 1 < bytes.count {
            if isForbidden(bytes[position], bytes[position + 1]) { return nil }
            if bytes[position] == UInt8(ascii: "*"), bytes[position + 1] == UInt8(ascii: "/") {
                return position + 2
            }
            position += 1
        }
        return nil
    }

    /// Whether the bracket opens no `url(…)` without quotes, in which brackets, quotes and comments mean nothing, or
    /// one that has none of them.
    private static func isPlainAddress(_ bytes: [UInt8], openedAt open: Int) -> Bool {
        guard open >= 3,
            zip(bytes[(open - 3)..<open], "url".utf8).allSatisfy({ ($0 | 0x20) == $1 }),
            open == 3 || !isNameByte(bytes[open - 4])
        else { return true }
        var inside = bytes[(open + 1)...].drop { $0 == 0x20 }
        if let first = inside.first, first == UInt8(ascii: "\"") || first == UInt8(ascii: "'") {
            return true
        }
        guard let end = inside.firstIndex(of: UInt8(ascii: ")")) else { return false }
        inside = inside[..<end]
        while inside.last == 0x20 { inside = inside.dropLast() }
        return inside.allSatisfy { $0 != 0x20 && !"\"'(\\{}[];!".utf8.contains($0) }
            && !inside.starts(with: "/*".utf8)
            && !zip(inside, inside.dropFirst()).contains {
                $0 == UInt8(ascii: "/") && $1 == UInt8(ascii: "*")
            }
    }
}
