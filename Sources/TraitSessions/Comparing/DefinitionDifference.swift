// The definitions that differ between two sessions. Where every value of `b` fits the definition of `a`, `updateTrait`
// changes it; any other is deleted and defined again, together with the definitions that refer to it.

import JSONCodec
import TraitEngine

/// The names of the definitions that have to be deleted from session `b`, or defined there.
final class DefinitionDifference: Sendable {
    /// Custom traits, environment keys, colours and images of `b` that `a` lacks or defines
    /// differently.
    let traits: Set<String>
    /// Custom traits whose definition an update changes, in the order of `b`.
    let updated: [String]
    let keys: Set<String>
    let colors: Set<String>
    let images: Set<String>

    init(_ a: SessionState, _ b: SessionState) {
        let (one, other) = (a.hierarchy.definitions, b.hierarchy.definitions)
        var traits: Set<String> = []
        var updated: [String] = []
        for trait in other.inCatalogueOrder(other.custom) {
            let definition = other[trait]
            let wanted = one.index(of: definition.key).map { one[$0] }
            if let wanted, wanted.isSame(as: definition) { continue }
            if let wanted, definition.alwaysBecomes(wanted) {
                updated.append(definition.key)
            } else {
                traits.insert(definition.key)
            }
        }
        self.updated = updated
        let gone = traits
        let keys = Set(
            other.environmentKeys.filter { key in
                one.environmentKey(named: key.key).map { !$0.isSame(as: key) } ?? true
                    || key.bridgedTrait.map(gone.contains) ?? false
            }.map(\.key))
        self.traits = traits
        self.keys = keys
        func dynamics(_ kind: DynamicKind) -> Set<String> {
            Set(
                other.dynamics(kind).filter { value in
                    one.dynamic(kind, named: value.name).map { !$0.isSameByName(as: value) } ?? true
                        || value.variants.contains { variant in
                            variant.when.traits.contains {
                                gone.contains(variant.when.definitions[$0].key)
                            }
                        }
                }.map(\.name))
        }
        colors = dynamics(.color)
        images = dynamics(.image)
    }

    private static func text(_ write: (inout JSONWriter) -> Void) -> [UInt8] {
        var writer = JSONWriter()
        write(&writer)
        return writer.array()
    }

    private static func traits(of definitions: TraitDefinitions) -> [(name: String, text: [UInt8])]
    {
        definitions.inCatalogueOrder(definitions.custom).map { trait in
            let definition = definitions[trait]
            return (definition.key, text { DefinitionWriter.write(definition, into: &$0) })
        }
    }

    private static func keys(of definitions: TraitDefinitions) -> [(name: String, text: [UInt8])] {
        definitions.environmentKeys.map { key in
            (key.key, text { EnvironmentKeyWriter.write(key, of: definitions, into: &$0) })
        }
    }

    private static func dynamics(
        _ kind: DynamicKind, of definitions: TraitDefinitions
    ) -> [(name: String, text: [UInt8])] {
        var encodings = TraitEncodings()
        return definitions.dynamics(kind).map { value in
            (
                value.name,
                text { DynamicWriter.writeDefinition(value, with: &encodings, into: &$0) }
            )
        }
    }

    // MARK: - Operations

    func writeDeletions(_ comparison: SessionComparison, _ writer: inout JSONWriter) {
        func delete(
            _ kind: OperationKind, _ member: StaticString, _ names: Set<String>,
            _ writer: inout JSONWriter
        ) {
            for name in names.sorted() {
                comparison.operation(kind, &writer) { writer in
                    writer.key(member)
                    writer.value(name)
                }
            }
        }
        delete(.deleteEnvironmentKey, "key", keys, &writer)
        delete(.deleteColor, "color", colors, &writer)
        delete(.deleteImage, "image", images, &writer)
        delete(.deleteTrait, "trait", traits, &writer)
    }

    /// Defines what `b` lacks or defines differently, in the order of `a`.
    func writeDefinitions(_ comparison: SessionComparison, _ writer: inout JSONWriter) {
        let one = comparison.a.hierarchy.definitions
        let other = comparison.b.hierarchy.definitions
        func define(
            _ kind: OperationKind, _ member: StaticString, _ all: [(name: String, text: [UInt8])],
            _ isKept: (String) -> Bool, _ writer: inout JSONWriter
        ) {
            for (name, text) in all where !isKept(name) {
                comparison.operation(kind, &writer) { writer in
                    writer.key(member)
                    writer.value(name)
                    writer.member("definition", raw: text)
                }
            }
        }
        for name in updated {
            guard let wanted = one.index(of: name), let known = other.index(of: name) else {
                continue
            }
            comparison.operation(.updateTrait, &writer) { writer in
                writer.key("trait")
                writer.value(name)
                writer.key("patch")
                DefinitionPatch.write(from: other[known], to: one[wanted], into: &writer)
            }
        }
        let customKeys = Set(other.custom.map { other[$0].key })
        define(
            .defineTrait, "trait", Self.traits(of: one),
            { customKeys.contains($0) && !traits.contains($0) }, &writer)
        define(
            .defineEnvironmentKey, "key", Self.keys(of: one),
            { other.environmentKey(named: $0) != nil && !keys.contains($0) }, &writer)
        define(
            .defineColor, "color", Self.dynamics(.color, of: one),
            { other.dynamic(.color, named: $0) != nil && !colors.contains($0) }, &writer)
        define(
            .defineImage, "image", Self.dynamics(.image, of: one),
            { other.dynamic(.image, named: $0) != nil && !images.contains($0) }, &writer)
    }
}
