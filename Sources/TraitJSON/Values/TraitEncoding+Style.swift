// The values of traits in style sheets.

import JSONCodec
import TraitEngine

extension TraitDefinition {
    /// The names of the trait's custom properties behind `--` and the prefix, escaped: one, or one for each field of a
    /// struct.
    var styleNames: [[UInt8]] {
        var name = Array("trait-".utf8)
        StyleText.append(name: key.utf8, to: &name)
        guard case .structure(let fields) = type else { return [name] }
        return fields.map { field in
            var text = name
            StyleText.append(name: ":\(field.name)".utf8, to: &text)
            return text
        }
    }

    /// The declaration of a value that can be prepared, without the prefix: `  --trait-theme: bold;` and an LF.
    func styleLine(_ value: TraitValue) -> [UInt8] {
        JSONWriter.text { writeStyle(value, names: styleNames, prefix: [], into: &$0) }
    }

    /// The text of a value, without its name.
    package func styleText(_ value: TraitValue) -> [UInt8] {
        isUnset(value)
            ? Array("initial".utf8) : JSONWriter.text { writeStyleValue(value, into: &$0) }
    }

    /// Writes the declarations of a value, each a line.
    package func writeStyle(
        _ value: TraitValue, names: [[UInt8]], prefix: [UInt8], into writer: inout JSONWriter
    ) {
        if isUnset(value) {
            for name in names { writer.declaration(prefix, name) { $0.verbatim("initial") } }
        } else if case .structure(let fields) = value {
            for (name, field) in zip(names, fields) {
                writer.declaration(prefix, name) { Self.writeScalar(field, into: &$0) }
            }
        } else if let name = names.first {
            writer.declaration(prefix, name) { writeStyleValue(value, into: &$0) }
        }
    }

    private func writeStyleValue(_ value: TraitValue, into writer: inout JSONWriter) {
        switch type {
        case .enumeration, .stringEnumeration:
            guard let name = caseName(of: value) else {
                return Self.writeScalar(value, into: &writer)
            }
            if StyleText.isIdentifier(name) {
                writer.verbatim(name)
            } else {
                writer.style { StyleText.append(string: name.utf8, to: &$0) }
            }
        case .string where notes.isCSS:
            if case .string(let text) = value { writer.verbatim(text) }
        default:
            Self.writeScalar(value, into: &writer)
            if let unit = notes.unit { writer.verbatim(unit) }
        }
    }

    private static func writeScalar(_ value: TraitValue, into writer: inout JSONWriter) {
        switch value {
        case .bool(let value): writer.verbatim(value ? "true" : "false")
        case .int(let value): writer.value(value)
        case .double(let value): writer.value(value)
        case .string(let text): writer.styleString(text)
        case .json(let text): writer.styleString(text)
        // Null is the value of a `json` field only; the others are no values of a field.
        case .null, .structure, .opaque: writer.verbatim("initial")
        }
    }
}

extension JSONWriter {
    /// A line with one declaration of a custom property.
    @inline(__always)
    package mutating func declaration(
        _ prefix: [UInt8], _ name: [UInt8], _ value: (inout JSONWriter) -> Void
    ) {
        rawByte(UInt8(ascii: " "))
        rawByte(UInt8(ascii: " "))
        rawByte(UInt8(ascii: "-"))
        rawByte(UInt8(ascii: "-"))
        if !prefix.isEmpty { prefix.withUnsafeBytes { verbatim($0) } }
        name.withUnsafeBytes { verbatim($0) }
        rawByte(UInt8(ascii: ":"))
        rawByte(UInt8(ascii: " "))
        value(&self)
        rawByte(UInt8(ascii: ";"))
        newline()
    }
}
