// The four kinds of definitions that a session has: how operations name them, and how each is written.

import JSONCodec
import TraitEngine
import TraitJSON

package enum DefinitionKind: CaseIterable {
    case trait, environmentKey, color, image

    /// The member of an operation that has the name.
    package var member: StaticString {
        switch self {
        case .trait: "trait"
        case .environmentKey: "key"
        case .color: "color"
        case .image: "image"
        }
    }

    /// The member of a document that has all of them.
    var list: StaticString { managed.member }

    /// The operations that define and delete one.
    package var operations: (define: OperationKind, delete: OperationKind) {
        switch self {
        case .trait: (.defineTrait, .deleteTrait)
        case .environmentKey: (.defineEnvironmentKey, .deleteEnvironmentKey)
        case .color: (.defineColor, .deleteColor)
        case .image: (.defineImage, .deleteImage)
        }
    }

    /// The kind of a place whose manager is that of the definition.
    package var managed: ManagedPlace.Kind {
        switch self {
        case .trait: .trait
        case .environmentKey: .environmentKey
        case .color: .color
        case .image: .image
        }
    }

    init(_ kind: DynamicKind) { self = kind == .color ? .color : .image }

    /// The names of those that clients have defined, in their order.
    package func names(in definitions: TraitDefinitions) -> [String] {
        switch self {
        case .trait: definitions.inCatalogueOrder(definitions.custom).map { definitions[$0].key }
        case .environmentKey: definitions.environmentKeys.map(\.key)
        case .color: definitions.dynamics(.color).map(\.name)
        case .image: definitions.dynamics(.image).map(\.name)
        }
    }

    /// Writes the definition of that name; nothing if there is none.
    package func write(
        _ name: String, of definitions: TraitDefinitions, with encodings: inout TraitEncodings,
        into writer: inout JSONWriter
    ) {
        switch self {
        case .trait:
            guard let trait = definitions.index(of: name) else { return }
            DefinitionWriter.write(definitions[trait], into: &writer)
        case .environmentKey:
            guard let key = definitions.environmentKey(named: name) else { return }
            EnvironmentKeyWriter.write(key, of: definitions, into: &writer)
        case .color, .image:
            let kind: DynamicKind = self == .color ? .color : .image
            guard let value = definitions.dynamic(kind, named: name) else { return }
            DynamicWriter.writeDefinition(value, with: &encodings, into: &writer)
        }
    }
}
