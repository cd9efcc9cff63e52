// The rules of the inputs that only UIKit's older interfaces have.

import TraitEngine

extension OracleState.Node {
    static let inputs: [WritableKeyPath<Self, [String: OracleState.Stored]> & Sendable] = [
        \.overrides, \.supplied, \.kept, \.legacyCollection, \.legacyStyle,
    ]
}

extension OracleState {
    private static let categories = SystemTraits.contentSizeCategories.dropFirst().map(\.raw)
    private static let category = "preferredContentSizeCategory"

    /// What the node's limits make of the category that it inherits or is supplied with; nothing
    /// when that is within.
    func limited(_ node: Node, _ inherited: Collection) -> [String: Stored] {
        let key = Self.category
        let value =
            node.supplied[key]?.value ?? node.kept[key]?.value ?? inherited[key]?.value ?? .null
        guard let limits = node.limits, case .string(let name) = value,
            let rank = Self.categories.firstIndex(of: name)
        else { return [:] }
        var allowed = rank
        if let minimum = limits.minimum { allowed = max(allowed, minimum) }
        if let maximum = limits.maximum {
            allowed = min(allowed, maximum)
            if let minimum = limits.minimum, minimum > maximum { allowed = min(rank, maximum) }
        }
        if allowed == rank { return [:] }
        return [key: Stored(value: .string(Self.categories[allowed]), revision: limits.revision)]
    }

    mutating func applyLegacy(_ operation: Operation) {
        switch operation {
        case .legacyCollection(let id, let values): replace(id, \.legacyCollection, values)
        case .legacyStyle(let id, let style):
            let isNone = style == nil || style == .int(0)
            replace(id, \.legacyStyle, isNone ? [:] : ["userInterfaceStyle": style ?? .null])
        case .limits(let id, let minimum, let maximum):
            if nodes[id]?.limits?.minimum == minimum, nodes[id]?.limits?.maximum == maximum {
                return
            }
            let isNone = minimum == nil && maximum == nil
            nodes[id]?.limits =
                isNone
                ? nil : Limits(minimum: minimum, maximum: maximum, revision: revision + 1)
        case .predict(let id, let values):
            let parents = traitParents()
            if parents[id] == nil, !isRoot(id) { replace(id, \.kept, values) }
        default: break
        }
    }

    /// Unspecified values say nothing here.
    private mutating func replace(
        _ id: String, _ layer: WritableKeyPath<Node, [String: Stored]>,
        _ values: [String: TraitValue]
    ) {
        var stored: [String: Stored] = [:]
        for (trait, value) in values where traits[trait]?.definition.unspecifiedValue != value {
            let known = nodes[id]?[keyPath: layer][trait]
            stored[trait] =
                known?.value == value ? known : Stored(value: value, revision: revision + 1)
        }
        // Environment values are not values of traits.
        let hidden = nodes[id]?[keyPath: layer].filter { isHidden($0.key) } ?? [:]
        nodes[id]?[keyPath: layer] = stored.merging(hidden) { $1 }
    }
}
