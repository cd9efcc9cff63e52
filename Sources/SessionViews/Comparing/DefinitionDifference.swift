// The definitions that differ between two sessions. Where every value of `b` fits the definition of `a`, `updateTrait`
// changes it; any other is deleted and defined again, together with the definitions that refer to it.

import JSONCodec
import TraitEngine
import TraitJSON
import TraitSessions

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
                        || value.hasVariant(for: gone.contains)
                }.map(\.name))
        }
        colors = dynamics(.color)
        images = dynamics(.image)
    }

    private func names(_ kind: DefinitionKind) -> Set<String> {
        switch kind {
        case .trait: traits
        case .environmentKey: keys
        case .color: colors
        case .image: images
        }
    }

    // MARK: - Operations

    func writeDeletions(_ comparison: SessionComparison, _ writer: inout JSONWriter) {
        for kind in [DefinitionKind.environmentKey, .color, .image, .trait] {
            for name in names(kind).sorted() {
                comparison.operation(kind.operations.delete, &writer) { writer in
                    writer.member(kind.member, name)
                }
            }
        }
    }

    /// Defines what `b` lacks or defines differently, in the order of `a`.
    func writeDefinitions(_ comparison: SessionComparison, _ writer: inout JSONWriter) {
        let one = comparison.a.hierarchy.definitions
        let other = comparison.b.hierarchy.definitions
        for name in updated {
            guard let wanted = one.index(of: name), let known = other.index(of: name) else {
                continue
            }
            comparison.operation(.updateTrait, &writer) { writer in
                writer.member("trait", name)
                writer.key("patch")
                DefinitionPatch.write(from: other[known], to: one[wanted], into: &writer)
            }
        }
        var encodings = TraitEncodings()
        for kind in DefinitionKind.allCases {
            let kept = Set(kind.names(in: other)).subtracting(names(kind))
            for name in kind.names(in: one) where !kept.contains(name) {
                comparison.operation(kind.operations.define, &writer) { writer in
                    writer.member(kind.member, name)
                    writer.key("definition")
                    kind.write(name, of: one, with: &encodings, into: &writer)
                }
            }
        }
    }
}

extension DynamicValue {
    /// Whether a variant of the colour or image depends on a trait with such a key: when that trait is deleted, so is the
    /// colour or image.
    func hasVariant(for isMeant: (String) -> Bool) -> Bool {
        variants.contains { variant in
            variant.when.traits.contains { isMeant(variant.when.definitions[$0].key) }
        }
    }
}
