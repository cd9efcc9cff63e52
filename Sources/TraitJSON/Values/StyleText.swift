// The grammar of style sheets as far as it is written here: identifiers, escaped names and strings (CSS Syntax 3).

import JSONCodec
import TraitEngine

/// Text of style sheets.
package enum StyleText {
    /// `-?[A-Za-z_][A-Za-z0-9_-]*`, but none of the keywords that every property takes.
    package static func isIdentifier(_ text: String) -> Bool {
        var bytes = Array(text.utf8)[...]
        if bytes.first == UInt8(ascii: "-") { bytes = bytes.dropFirst() }
        guard let first = bytes.first, isNameByte(first), first != UInt8(ascii: "-"),
            !isDigit(first), bytes.allSatisfy(isNameByte)
        else { return false }
        return !wideKeywords.contains(text.lowercased())
    }

    private static let wideKeywords: Set = [
        "initial", "inherit", "unset", "revert", "revert-layer", "revert-rule",
    ]

    /// `[A-Za-z0-9_-]`.
    package static func isNameByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "_"), UInt8(ascii: "-"):
            true
        default: isDigit(byte)
        }
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }

    /// Appends a part of the name of a custom property. No name is changed, so two names never meet; only U+0000,
    /// which CSS does not have, becomes U+FFFD. O(bytes).
    package static func append(name: some Sequence<UInt8>, to out: inout [UInt8]) {
        for byte in name {
            switch byte {
            case _ where isNameByte(byte) || byte >= 0x80: out.append(byte)
            case 0...0x20, 0x7f: append(hex: byte, to: &out)
            default: out += [UInt8(ascii: "\\"), byte]
            }
        }
    }

    /// Appends a string in quotes. `<` is escaped, so that no `</` ends the `<style>` element around a sheet.
    /// O(bytes).
    package static func append(string: some Sequence<UInt8>, to out: inout [UInt8]) {
        out.append(UInt8(ascii: "\""))
        for byte in string {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"): out += [UInt8(ascii: "\\"), byte]
            case 0..<0x20, 0x7f, UInt8(ascii: "<"): append(hex: byte, to: &out)
            default: out.append(byte)
            }
        }
        out.append(UInt8(ascii: "\""))
    }

    /// Whether a byte stands for itself in a string. O(1).
    @inline(__always)
    static func isPlain(_ byte: UInt8) -> Bool {
        byte >= 0x20 && byte != 0x7f && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\")
            && byte != UInt8(ascii: "<")
    }

    /// An escape in hexadecimal digits, with the blank that ends it.
    private static func append(hex byte: UInt8, to out: inout [UInt8]) {
        let digits = byte == 0 ? "fffd" : String(byte, radix: 16)
        out += Array("\\\(digits) ".utf8)
    }
}

extension JSONWriter {
    /// Appends a string in quotes.
    mutating func styleString(_ text: String) {
        var text = text
        let isPlain = text.withUTF8 { bytes in
            for byte in bytes where !StyleText.isPlain(byte) { return false }
            return true
        }
        guard isPlain else { return style { StyleText.append(string: text.utf8, to: &$0) } }
        rawByte(UInt8(ascii: "\""))
        verbatim(text)
        rawByte(UInt8(ascii: "\""))
    }

    /// Appends the text that `append` makes.
    package mutating func style(_ append: (inout [UInt8]) -> Void) {
        var text: [UInt8] = []
        append(&text)
        text.withUnsafeBytes { verbatim($0) }
    }
}
