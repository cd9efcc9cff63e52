// The consequences of a changed definition for stored values.

import JSONCodec
import TraitEngine

/// One definition of a trait and the next.
package struct DefinitionEvolution {
    package let former: TraitDefinition
    package let new: TraitDefinition
    /// Where each field of the new struct was, nil for a further one; nil unless the struct takes further fields, whose
    /// values the default has, and none goes or gets another type. Made once, as each value asks.
    private let sources: [Int?]?

    package init(former: TraitDefinition, new: TraitDefinition) {
        self.former = former
        self.new = new
        guard case .structure(let fields) = former.type, case .structure(let others) = new.type,
            case .structure = new.defaultValue, fields.count < others.count
        else {
            sources = nil
            return
        }
        let found = others.map { other in
            fields.firstIndex { $0.type == other.type && Self.isSame($0.name, other.name) }
        }
        sources = found.count { $0 != nil } == fields.count ? found : nil
    }

    /// Whether a trait with values can become one of the other type, as far as its values fit.
    package var isPossible: Bool {
        switch (former.type, new.type) {
        case (.stringEnumeration, _), (_, .stringEnumeration), (.opaque, _), (_, .opaque): false
        case (let one, let other) where one.isOfKind(other): true
        case (_, .json), (.int, .double), (.string, .enumeration), (.enumeration, .string): true
        default: false
        }
    }

    /// Whether every value of the former definition fits: no value has to be looked at.
    package var alwaysFits: Bool {
        if former.isNullable && !new.isNullable { return false }
        if new.notes.isCSS && !former.notes.isCSS { return false }
        switch (former.type, new.type) {
        case (.enumeration(let cases), .enumeration(let others)):
            return Set(cases).isSubset(of: others)
        case (.structure(let fields), .structure(let others)):
            return Set(fields) == Set(others) || addsFields
        case (.int, .double), (.string, .enumeration): return false
        default: return true
        }
    }

    /// Whether values become other ones, as a struct takes further fields.
    package var addsFields: Bool { sources != nil }

    /// Bytes of the further fields' values.
    package var addedBytes: Int {
        guard let sources, case .structure(let values) = new.defaultValue else { return 0 }
        return zip(sources, values).reduce(0) { sum, field in
            field.0 == nil ? sum + field.1.textBytes : sum
        }
    }

    /// Whether the texts of values become parts of other ones.
    package var copiesTexts: Bool {
        if case .json = new.type, former.type != .json { true } else { false }
    }

    /// Whether a key that is bridged without a map has the trait's type afterwards. One with the same fields takes
    /// further ones, too.
    package func keeps(_ key: EnvironmentKey) -> Bool {
        keepsType
            || addsFields && former.isNullable == new.isNullable && key.type == former.type
    }

    /// Whether a key that is bridged without a map has the type still.
    package var keepsType: Bool {
        guard former.isNullable == new.isNullable, former.type.isOfKind(new.type) else {
            return false
        }
        if case .structure(let fields) = former.type, case .structure(let others) = new.type {
            return fields.map(\.type) == others.map(\.type)
        }
        return true
    }

    /// The name of a case whose number was that of another case; nil for none. Stored numbers would change their
    /// meaning.
    package var reusedNumber: String? {
        guard case .enumeration(let cases) = former.type, case .enumeration(let others) = new.type
        else { return nil }
        let names = Dictionary(cases.map { ($0.raw, $0.name) }) { first, _ in first }
        return others.first { item in names[item.raw].map { $0 != item.name } ?? false }?.name
    }

    /// The value of the new definition that stands for one of the former; nil when it does not fit.
    package func value(for value: TraitValue) -> TraitValue? {
        if value == .null { return new.isNullable ? .null : nil }
        // A value from before two changes of one transaction may be of an earlier definition.
        if case .structure = former.type, !former.accepts(value) { return nil }
        switch (former.type, new.type, value) {
        case (.enumeration, .enumeration, .int):
            guard let name = former.caseName(of: value), new.value(ofCase: name) == value else {
                return nil
            }
            return value
        case (.enumeration, .string, _):
            let text = former.caseName(of: value).map(TraitValue.string)
            return text.flatMap { new.accepts($0) ? $0 : nil }
        case (.string, .enumeration, .string(let name)): return new.value(ofCase: name)
        case (.int, .double, .int(let number)): return Self.double(number)
        case (.structure(let fields), .structure(let others), .structure(let values)):
            return structure(fields, others, values)
        case (.json, .json, _): return value
        case (_, .json, _): return json(TraitEncoding(former), value)
        default: return new.accepts(value) ? value : nil
        }
    }

    /// Integers that no double is equal to do not fit.
    private static func double(_ number: Int64) -> TraitValue? {
        let double = Double(number)
        return Int64(exactly: double) == number ? .double(double) : nil
    }

    private func json(_ encoding: TraitEncoding, _ value: TraitValue) -> TraitValue? {
        let text = JSONWriter.text { encoding.write(value, into: &$0) }
        return try? text.withBytes { bytes throws(SessionError) in
            try JSONTape().withDocument(bytes, refusal: SessionError.init, JSONText.value)
        }
    }

    /// A further field has the value of the default. A field that goes makes the value not fit.
    private func structure(
        _ fields: [StructField], _ others: [StructField], _ values: [TraitValue]
    ) -> TraitValue? {
        if let sources, case .structure(let defaults) = new.defaultValue {
            return .structure(
                zip(sources, defaults).map { source, value in source.map { values[$0] } ?? value })
        }
        guard fields.count == others.count else { return nil }
        var result: [TraitValue] = []
        for other in others {
            guard let position = fields.firstIndex(where: { Self.isSame($0.name, other.name) })
            else {
                return nil
            }
            let field = TraitDefinition(
                key: new.key, type: fields[position].type.traitType, isNullable: true,
                defaultValue: .null)
            let next = TraitDefinition(
                key: new.key, type: other.type.traitType, defaultValue: .null)
            let evolution = DefinitionEvolution(former: field, new: next)
            guard evolution.isPossible, let value = evolution.value(for: values[position]) else {
                return nil
            }
            result.append(value)
        }
        return .structure(result)
    }

    private static func isSame(_ one: String, _ other: String) -> Bool {
        one.utf8.elementsEqual(other.utf8)
    }
}

extension TraitDefinition {
    /// Whether an update can make the other definition of this one, as far as values fit.
    package func canBecome(_ other: TraitDefinition) -> Bool {
        origin == .custom && key == other.key && identifier == other.identifier
            && DefinitionEvolution(former: self, new: other).isPossible
            && DefinitionEvolution(former: self, new: other).reusedNumber == nil
    }

    /// Whether an update makes the other definition of this one, whatever values there are.
    package func alwaysBecomes(_ other: TraitDefinition) -> Bool {
        let evolution = DefinitionEvolution(former: self, new: other)
        return canBecome(other) && type.isOfKind(other.type) && evolution.alwaysFits
            && (evolution.keepsType || evolution.addsFields)
    }

    /// Whether the other definition is a struct with other fields that stored values do not fit.
    package func losesFields(as other: TraitDefinition) -> Bool {
        guard case .structure(let fields) = type, case .structure(let others) = other.type else {
            return false
        }
        return canBecome(other) && Set(fields) != Set(others)
            && !DefinitionEvolution(former: self, new: other).addsFields
    }

    /// This definition with what values of the former one may need beside: its cases, null, and text that
    /// is no CSS.
    package func widened(for former: TraitDefinition) -> TraitDefinition {
        var type = type
        if case .enumeration(let cases) = former.type, case .enumeration(let own) = type {
            type = .enumeration(
                own
                    + cases.filter { other in
                        !own.contains { $0.name.utf8.elementsEqual(other.name.utf8) }
                    })
        }
        let keepsNull = former.isNullable && former.type.isOfKind(type)
        return TraitDefinition(
            key: key, identifier: identifier, name: name, type: type,
            isNullable: isNullable || keepsNull, defaultValue: defaultValue,
            affectsColorAppearance: affectsColorAppearance, isDeprecated: isDeprecated,
            deprecatedCases: deprecatedCases,
            notes: DefinitionNotes(
                unit: notes.unit, isCSS: notes.isCSS && former.notes.isCSS, since: notes.since))
    }
}

extension StructField.Scalar {
    fileprivate var traitType: TraitType {
        switch self {
        case .bool: .bool
        case .int: .int
        case .double: .double
        case .string: .string
        case .json: .json
        }
    }
}
