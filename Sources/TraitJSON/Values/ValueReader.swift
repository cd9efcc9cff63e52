// From JSON to a trait's value. Nothing is converted in silence (types are invariant, as in
// UIKit); a system enumeration accepts every raw integer, since UIKit does not validate them.

import JSONCodec
import TraitEngine

package enum ValueReader {
    /// - Throws: `privateTrait`, `typeMismatch`.
    package static func read(
        _ json: JSONValue, for trait: TraitIndex, of definitions: TraitDefinitions
    ) throws(SessionError) -> TraitValue {
        let stored = definitions.stored(trait)
        if stored.definition.origin == .systemPrivate {
            throw SessionError(OperationError.privateTrait(stored.definition.key))
        }
        return try read(json, for: stored.definition)
    }

    /// - Throws: `typeMismatch` with a phrase that says what the trait takes.
    package static func read(
        _ json: JSONValue, for definition: TraitDefinition
    ) throws(SessionError) -> TraitValue {
        if let value = try value(json, definition) { return value }
        throw mismatch(definition, json)
    }

    private static func value(
        _ json: JSONValue, _ definition: TraitDefinition
    ) throws(SessionError) -> TraitValue? {
        if case .null = json.kind { return definition.isNullable ? .null : nil }
        if let text = json.string, text == "unspecified", let value = definition.unspecifiedValue {
            return value
        }
        switch definition.type {
        case .bool: return json.bool.map(TraitValue.bool)
        case .int: return json.int64.map(TraitValue.int)
        case .double: return json.double.map(TraitValue.double)
        case .string:
            guard let text = json.string.map({ TraitValue.string($0.string) }),
                !definition.notes.isCSS || definition.accepts(text)
            else { return nil }
            return text
        case .enumeration:
            if let raw = json.int64 {
                let value = TraitValue.int(raw)
                return definition.accepts(value) ? value : nil
            }
            return json.string.flatMap { definition.value(ofCase: $0.string) }
        case .stringEnumeration:
            guard let text = json.string?.string else { return nil }
            if let value = definition.value(ofCase: text) { return value }
            return definition.accepts(.string(text)) ? .string(text) : nil
        case .structure(let fields):
            return try structure(json, fields)
        case .json: return try JSONText.value(json)
        case .opaque: return nil
        }
    }

    /// Every field has to be there, and nothing else.
    private static func structure(
        _ json: JSONValue, _ fields: [StructField]
    ) throws(SessionError) -> TraitValue? {
        guard case .object = json.kind, json.count == fields.count else { return nil }
        var values: [TraitValue?] = Array(repeating: nil, count: fields.count)
        for (key, value) in json.members {
            let name = key.string
            guard let position = fields.firstIndex(where: { $0.name.utf8.elementsEqual(name.utf8) })
            else { return nil }
            values[position] = try scalar(value, fields[position].type)
        }
        let present = values.compactMap { $0 }
        return present.count == fields.count ? .structure(present) : nil
    }

    static func scalar(
        _ json: JSONValue, _ type: StructField.Scalar
    ) throws(SessionError) -> TraitValue? {
        switch type {
        case .json: try JSONText.value(json)
        case .bool: json.bool.map(TraitValue.bool)
        case .int: json.int64.map(TraitValue.int)
        case .double: json.double.map(TraitValue.double)
        case .string: json.string.map { .string($0.string) }
        }
    }

    private static func mismatch(_ definition: TraitDefinition, _ json: JSONValue) -> SessionError {
        let cases: [String] =
            switch definition.type {
            case .enumeration(let cases): cases.map(\.name)
            case .stringEnumeration(let cases): cases.map(\.name)
            default: []
            }
        let given = json.string?.string
        return SessionError(
            .typeMismatch,
            "The value of '\(definition.key)' has to be \(definition.expectation); it is \(json.summary)\(rangeNote(definition.type, json)).",
            pointer: "",
            didYouMean: given.flatMap { Suggestion.nearest(to: $0, among: cases) })
    }
}

extension ValueReader {
    /// Which range a number exceeds, of the value or of the first such field; empty where none does.
    private static func rangeNote(_ type: TraitType, _ json: JSONValue) -> String {
        switch type {
        case .int, .enumeration: return json.integerRangeNote
        case .double: return json.doubleRangeNote
        case .structure(let fields):
            guard case .object = json.kind else { return "" }
            for (key, value) in json.members {
                let name = key.string
                let field = fields.first { $0.name == name }
                let note = field.map {
                    $0.type == .int ? value.integerRangeNote : value.doubleRangeNote
                }
                if let note, !note.isEmpty { return ", and '\(name)' is \(value.summary)\(note)" }
            }
            return ""
        default: return ""
        }
    }
}

extension JSONValue {
    /// Says which range a whole number exceeds; empty for any other value.
    var integerRangeNote: String {
        guard kind == .number, int64 == nil else { return "" }
        if let double, double.rounded() != double || double.magnitude < 9.2e18 { return "" }
        return ", and integers go from \(Int64.min) to \(Int64.max)"
    }

    /// Says which range a number exceeds that no double is near to; empty for any other value.
    var doubleRangeNote: String {
        guard kind == .number, double == nil else { return "" }
        return
            ", and numbers go from \(-Double.greatestFiniteMagnitude) to \(Double.greatestFiniteMagnitude)"
    }

    /// The value in error messages: JSON text of at most 40 bytes as it is, else the name of its type.
    package var summary: String {
        let shownBytesMax = 40
        let type =
            switch kind {
            case .null: "null"
            case .bool: "a boolean"
            case .number: "a number"
            case .string: "a string"
            case .array: "an array"
            case .object: "an object"
            }
        guard rawBytes.count <= shownBytesMax else { return type }
        return String(decoding: rawBytes, as: UTF8.self)
    }
}
