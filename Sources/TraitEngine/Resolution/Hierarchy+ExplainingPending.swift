// Why a node of a layout hierarchy will show what it does not show yet.

extension Hierarchy {
    /// The chain of the value that the node will show when it is brought up to date: by what is set
    /// now, at it and at the nodes above. In an immediate hierarchy, and for a node that does not
    /// wait, the same as `chain(of:at:includeAbsent:)`. O(depth).
    public func pendingChain(
        of trait: TraitIndex, at node: NodeIndex, includeAbsent: Bool = false
    ) -> [ChainEntry] {
        guard let layout, isPending(node.rawValue, layout) else {
            return chain(of: trait, at: node, includeAbsent: includeAbsent)
        }
        let isLimited = trait.rawValue == contentSizeTrait && !parts.contentLimits.isEmpty
        return inputChain(
            of: trait, at: node.rawValue, includeAbsent: includeAbsent,
            limited: isLimited ? pendingLimits(above: node.rawValue) : [:])
    }

    /// The content size categories that limits will set at the node and those above, by node. A layout
    /// hierarchy computes them when it updates a node.
    private func pendingLimits(above node: Int32) -> [Int32: ChainEntry] {
        var path: [Int32] = []
        var index = node
        while index > 0 {
            path.append(index)
            index = parts.nodes.parent(of: index)
        }
        func own(_ node: Int32, _ layers: [Layer]) -> TraitValue? {
            for layer in layers {
                guard let stored = storedValue(node, contentSizeTrait, layer) else { continue }
                return value(from: stored.word, of: Self.contentSize)
            }
            return nil
        }
        var limited: [Int32: ChainEntry] = [:]
        var category = definitions[Self.contentSize].defaultValue
        for node in path.reversed() {
            category = own(node, [.supplied, .kept]) ?? category
            if let limits = parts.contentLimits[node], let clamped = limits.clamp(category) {
                category = clamped
                limited[node] = ChainEntry(
                    node: NodeIndex(rawValue: node), layer: .limited, value: clamped,
                    status: .winner, revision: limits.revision)
            }
            category = own(node, [.override, .legacyStyle, .legacyCollection]) ?? category
        }
        return limited
    }
}

extension ContentSizeLimits {
    /// The category moved into the limits; nil when it is within them or the value is no category.
    func clamp(_ value: TraitValue) -> TraitValue? {
        guard case .string(let category) = value, let rank = Self.rank(of: category) else {
            return nil
        }
        let clamped = clamp(rank)
        return clamped == rank ? nil : Self.category(clamped).map(TraitValue.string)
    }
}
