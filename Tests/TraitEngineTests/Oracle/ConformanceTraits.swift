// The two custom traits that the conformance cases know, and how the cases write values.

import TraitEngine

extension TraitDefinitions {
    static func conformance() throws -> TraitDefinitions {
        var definitions = TraitDefinitions()
        for definition in TraitDefinition.conformance { _ = try definitions.define(definition) }
        return definitions
    }

    /// A number is whatever number the trait takes.
    func value(_ json: JSON, of trait: TraitIndex) -> TraitValue {
        switch (json, self[trait].type) {
        case (.int(let number), .double): .double(Double(number))
        case (.int(let number), _): .int(number)
        case (.double(let number), .double): .double(number)
        case (.double(let number), _): .int(Int64(number))
        case (.bool(let value), _): .bool(value)
        case (.string(let value), _): .string(value)
        default: .null
        }
    }
}

extension TraitDefinition {
    static let conformance = [
        TraitDefinition(
            key: "theme", identifier: "com.example.theme", type: .int, defaultValue: .int(0),
            affectsColorAppearance: true),
        TraitDefinition(key: "contained", type: .bool, defaultValue: .bool(false)),
    ]
}
