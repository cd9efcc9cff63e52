// What all conversions share: names that the interface takes, each given once, and lines about what is left out.

import JSONCodec

/// A conversion under way.
package struct Conversion {
    package var document = ConvertedDocument()
    /// A line for each thing that was left out, `FILE:LINE:COLUMN pointer: what`.
    package private(set) var skipped: [String] = []

    /// Stands before each name of a trait, node, colour and image.
    let prefix: String
    private var taken: [Kind: [String: (name: String, value: SourceValue)]] = [:]

    enum Kind: String {
        case trait, node, image
        case color = "colour"
    }

    package init(prefix: String = "") { self.prefix = prefix }

    /// To be called after the last source.
    ///
    /// - Throws: when a session cannot hold as many colours or images.
    package func finish() throws(ConversionError) { try document.check() }

    mutating func skip(_ value: SourceValue, _ what: String) {
        skipped.append(value.error(what).description)
    }

    /// The longest identifier.
    private static let nameBytesMax = 128

    /// A name that the interface takes: each run of `/` and white space becomes a period, each run of other bytes that
    /// an identifier cannot have a hyphen. The mapping is not one to one, so `name` refuses a second name that
    /// becomes the same.
    package static func identifier(_ name: String) -> String {
        var identifier: [UInt8] = []
        var last: UInt8 = 0
        for byte in name.utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "_"),
                UInt8(ascii: "~"), UInt8(ascii: "-"):
                identifier.append(byte)
                last = 0
            default:
                let isPeriod = byte == UInt8(ascii: "/") || byte == 0x20 || (9...13).contains(byte)
                let separator = UInt8(ascii: isPeriod ? "." : "-")
                // "A / B" becomes "A.B", and "A – B" too: a period outranks a hyphen.
                if last == 0 {
                    identifier.append(separator)
                } else if isPeriod {
                    identifier[identifier.count - 1] = separator
                }
                last = identifier.last ?? 0
            }
        }
        return String(decoding: identifier, as: UTF8.self)
    }

    /// The name of a thing of the document.
    ///
    /// - Parameters:
    ///   - name: as the source has it.
    ///   - value: where the source has it.
    /// - Throws: when the name is too long or empty, or when another one of that kind has become the same.
    mutating func name(
        _ kind: Kind, _ name: String, at value: SourceValue
    ) throws(ConversionError) -> String {
        let identifier = prefix + Self.identifier(name)
        if identifier.allSatisfy({ $0 == "." }) {
            throw value.error("the \(kind.rawValue) '\(name)' has no name that the interface takes")
        }
        if identifier.utf8.count > Self.nameBytesMax {
            throw value.error(
                "the name of the \(kind.rawValue) '\(name)' has more than \(Self.nameBytesMax) bytes"
            )
        }
        if let other = taken[kind, default: [:]].updateValue((name, value), forKey: identifier) {
            let first = other.value.error("'\(other.name)'")
            throw value.error(
                """
                '\(name)' becomes the \(kind.rawValue) '\(identifier)', as does \(first). Rename one of them, or convert \
                the files apart, each with a --prefix.
                """)
        }
        return identifier
    }
}
