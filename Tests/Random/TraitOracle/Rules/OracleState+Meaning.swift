// When two definitions are the same: by what they say, not by the order in which they say it.

import TraitEngine

extension OracleState {
    struct Meaning: Equatable {
        var texts: [String?]
        var flags: [Bool]
        var kind: String
        /// Cases or fields.
        var parts: Set<String> = []
        /// A structure's default by field, any other by itself.
        var standard: [String: TraitValue]

        init(_ definition: TraitDefinition) {
            texts = [definition.key, definition.identifier, definition.name]
            flags = [definition.isNullable, definition.affectsColorAppearance]
            standard = ["": definition.defaultValue]
            switch definition.type {
            case .enumeration(let cases):
                kind = "enum"
                parts = Set(cases.map { "\($0.name) \($0.raw)" })
            case .stringEnumeration(let cases):
                kind = "string enum"
                parts = Set(cases.map { "\($0.name) \($0.raw)" })
            case .structure(let fields):
                kind = "struct"
                parts = Set(fields.map { "\($0.name) \($0.type)" })
                if case .structure(let values) = definition.defaultValue {
                    standard = Dictionary(
                        uniqueKeysWithValues: zip(fields.map(\.name), values))
                }
            default: kind = "\(definition.type)"
            }
        }
    }

    struct KeyMeaning: Equatable {
        var own: Meaning
        var bridgedTrait: String?
        var map: [TraitValue: TraitValue]

        init(_ key: EnvironmentKey) {
            own = Meaning(
                TraitDefinition(
                    key: key.key, type: key.type, isNullable: key.isNullable,
                    defaultValue: key.defaultValue))
            bridgedTrait = key.bridgedTrait
            map = Dictionary(key.map.map { ($0.environment, $0.trait) }) { $1 }
        }
    }
}
