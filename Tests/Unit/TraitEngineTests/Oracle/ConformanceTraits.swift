// The two custom traits that the conformance cases know, and how the cases write values and kinds.

import ConformanceCases
import TraitEngine

extension TraitDefinitions {
    static func conformance() throws -> TraitDefinitions {
        var definitions = TraitDefinitions()
        for definition in TraitDefinition.conformance { _ = try definitions.define(definition) }
        return definitions
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

extension JSON {
    init(_ value: TraitValue) {
        self =
            switch value {
            case .null, .structure, .json, .opaque: .null
            case .bool(let flag): .bool(flag)
            case .int(let number): .number(Double(number))
            case .double(let number): .number(number)
            case .string(let text): .string(text)
            }
    }
}

extension NodeKind {
    init(_ kind: TreeNode.Kind) {
        self =
            switch kind {
            case .scene: .windowScene
            case .window: .window
            case .presentation: .presentationController
            case .controller: .viewController
            case .view: .view
            }
    }
}
