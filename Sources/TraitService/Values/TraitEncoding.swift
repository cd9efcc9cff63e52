// How the values of one trait are written: everything that can be prepared once per definition
// (the member name, the case names) is, so that an answer is mostly copying.

import JSONCodec
import TraitEngine

/// Immutable, made once for each definition of a session.
final class TraitEncoding {
    let definition: TraitDefinition
    /// `"key":`, ready to copy.
    let member: [UInt8]
    /// Enumerations: `"caseName"` by raw value. Few, so a linear search is the fastest.
    private let cases: [(raw: Int64, json: [UInt8])]

    init(_ definition: TraitDefinition) {
        self.definition = definition
        var writer = JSONWriter()
        writer.value(definition.key)
        writer.rawByte(UInt8(ascii: ":"))
        member = writer.array()
        if case .enumeration(let declared) = definition.type {
            cases = declared.map { ($0.raw, Self.json($0.name)) }
        } else {
            cases = []
        }
    }

    private static func json(_ text: String) -> [UInt8] {
        var writer = JSONWriter()
        writer.value(text)
        return writer.array()
    }

    /// Writes a value as it travels: enumerations by case name, a raw value outside the cases as
    /// the number. O(cases) or O(size of the value).
    func write(_ value: TraitValue, into writer: inout JSONWriter) {
        switch value {
        case .null: writer.null()
        case .bool(let value): writer.value(value)
        case .int(let raw): writeInteger(raw, into: &writer)
        case .double(let value): writer.value(value)
        case .string(let text):
            writer.value(definition.caseName(of: value) ?? text)
        case .structure(let values):
            guard case .structure(let fields) = definition.type else { return writer.null() }
            writer.beginObject()
            for (field, value) in zip(fields, values) {
                writer.key(field.name)
                Self.writeScalar(value, into: &writer)
            }
            writer.endObject()
        // No client's definition has such a type.
        case .opaque: writer.null()
        }
    }

    @inline(__always)
    private func writeInteger(_ raw: Int64, into writer: inout JSONWriter) {
        for known in cases where known.raw == raw {
            known.json.withUnsafeBytes { writer.raw($0) }
            return
        }
        writer.value(raw)
    }

    private static func writeScalar(_ value: TraitValue, into writer: inout JSONWriter) {
        switch value {
        case .bool(let value): writer.value(value)
        case .int(let value): writer.value(value)
        case .double(let value): writer.value(value)
        case .string(let value): writer.value(value)
        case .null, .structure, .opaque: writer.null()
        }
    }
}

/// The encodings of a session's traits, by index; rebuilt when its definitions change.
struct TraitEncodings {
    private var encodings: [TraitEncoding?] = []

    /// The encoding of a defined trait. O(1) after the first use.
    mutating func encoding(
        of trait: TraitIndex, in definitions: TraitDefinitions
    ) -> TraitEncoding {
        let position = Int(trait.rawValue)
        if position < encodings.count, let known = encodings[position] { return known }
        let encoding = TraitEncoding(definitions[trait])
        while encodings.count <= position { encodings.append(nil) }
        encodings[position] = encoding
        return encoding
    }

    /// To be called whenever a definition was added, deleted or taken back.
    mutating func reset() {
        encodings.removeAll(keepingCapacity: true)
    }
}
