// What can be seen of a hierarchy, as values that can be compared: for going back and for copies.

import TraitEngine

/// One node with everything that is set on it and everything that it shows.
struct NodePicture: Equatable {
    let name: String
    let kind: NodeKind
    let label: String?
    let parents: [String?]
    let set: [[TraitIndex: TraitValue]]
    let style: TraitValue?
    let limits: [String?]
    let scopes: [String]
    let registrations: [String]
    /// The value of each trait that can be set, in their order, with where it comes from.
    let shown: [Resolution]

    /// The nodes in tree order. O(nodes × traits × levels).
    static func all(of hierarchy: Hierarchy) -> [NodePicture] {
        var pictures: [NodePicture] = []
        let traits = Array(hierarchy.definitions.settable)
        hierarchy.forEachNode { node, _ in
            pictures.append(NodePicture(node, hierarchy, traits))
            return .descend
        }
        return pictures
    }

    private init(_ node: NodeIndex, _ hierarchy: Hierarchy, _ traits: [TraitIndex]) {
        func name(_ node: NodeIndex?) -> String? { node.map { hierarchy.identifier(of: $0) } }
        func byTrait(_ values: [(TraitIndex, TraitValue)]) -> [TraitIndex: TraitValue] {
            Dictionary(values, uniquingKeysWith: { first, _ in first })
        }
        self.name = hierarchy.identifier(of: node)
        kind = hierarchy.kind(of: node)
        label = hierarchy.label(of: node)
        parents = [
            name(hierarchy.parent(of: node)), name(hierarchy.traitParent(of: node)),
            name(hierarchy.controller(of: node)),
        ]
        set = [
            byTrait(hierarchy.overrides(of: node)), byTrait(hierarchy.supplied(of: node)),
            byTrait(hierarchy.kept(of: node)), byTrait(hierarchy.legacyCollection(of: node)),
        ]
        style = hierarchy.legacyStyle(of: node)
        let sizes = hierarchy.contentSizeLimits(of: node)
        limits = [sizes.minimum, sizes.maximum]
        scopes = hierarchy.scopes(of: node).map {
            "\($0.name) \($0.reads) \($0.isStale) \($0.revision)"
        }
        registrations = hierarchy.registrations(of: node).compactMap {
            hierarchy.registrationInfo($0).identifier
        }
        shown = traits.map { hierarchy.resolve($0, at: node) }
    }
}
