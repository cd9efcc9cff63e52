// A hierarchy written down as facts and made again from them, as an export and an import do it.

import TraitEngine

extension Hierarchy {
    /// The same state, made from what can be read of this one.
    func restored(hashSeed: UInt64, sizes: StructureSizes = .init()) throws -> Hierarchy {
        var restorer = HierarchyRestorer(
            propagation: propagation, updates: updates, limits: limits, hashSeed: hashSeed,
            sizes: sizes)
        try restoreDefinitions(&restorer)
        let nodes = try restoreNodes(&restorer)
        func there(_ node: NodeIndex) throws -> NodeIndex {
            guard let index = nodes[node] else { throw MissingName(name: identifier(of: node)) }
            return index
        }
        if let frames = shownFrames() {
            for frame in frames.frames {
                _ = try restorer.addFrame(
                    ShownFrame(
                        above: frame.above, node: frame.node.map(there),
                        deletedNode: frame.deletedNode,
                        values: frame.values.map { try fact($0, restorer) }))
            }
            for (node, index) in nodes {
                let state = shownState(of: node, frames)
                let above = traitParent(of: node).map { shownState(of: $0, frames).frame } ?? 0
                if state.frame == above, state.marks.isEmpty { continue }
                try restorer.setShown(index, state)
            }
        }
        for registration in registrations() {
            let info = registrationInfo(registration)
            try restorer.addRegistration(
                info.identifier ?? "", node: there(info.node),
                traits: traits(info.traits, restorer), colors: info.colors, images: info.images,
                createdRevision: info.createdRevision)
        }
        for scope in scopesInOrder() {
            try restorer.addScope(
                there(scope.node), scope.name, reads: traits(scope.reads, restorer),
                isStale: scope.isStale, revision: scope.revision)
        }
        return try restorer.finish(revision: revision)
    }

    private func restoreDefinitions(_ restorer: inout HierarchyRestorer) throws {
        for trait in definitions.customInOrder { _ = try restorer.define(definitions[trait]) }
        for key in definitions.environmentKeys { try restorer.define(key) }
        for value in definitions.dynamics(.color) + definitions.dynamics(.image) {
            let known = restorer.definitions
            try restorer.define(
                DynamicValue(
                    kind: value.kind, name: value.name,
                    variants: value.variants.map { variant in
                        let when = try TraitCollection(definitions: known) { bag in
                            for trait in variant.when.traits {
                                try bag.set(self.trait(trait, known), variant.when[trait])
                            }
                        }
                        return DynamicVariant(
                            when: when, value: variant.value, meaning: variant.meaning)
                    }))
        }
    }

    private func restoreNodes(
        _ restorer: inout HierarchyRestorer
    ) throws -> [NodeIndex: NodeIndex] {
        var order: [NodeIndex] = []
        forEachNode { node, _ in
            order.append(node)
            return .descend
        }
        var nodes: [NodeIndex: NodeIndex] = [:]
        for node in order {
            nodes[node] = try restorer.addNode(
                identifier(of: node), kind: kind(of: node), label: label(of: node),
                traitParent: traitParent(of: node).flatMap { nodes[$0] })
        }
        for node in order {
            guard let index = nodes[node] else { continue }
            if parent(of: node) != traitParent(of: node) {
                try restorer.setStructuralParent(index, parent(of: node).flatMap { nodes[$0] })
            }
            if let controller = controller(of: node), let its = nodes[controller] {
                try restorer.setController(index, its)
            }
            var facts: [StoredFact] = []
            forEachStoredValue(of: node) { facts.append($0) }
            for stored in facts { try restorer.setValue(index, fact(stored, restorer)) }
            if let limits = storedContentSizeLimits(of: node) {
                try restorer.setContentSizeLimits(
                    index, minimum: limits.minimum, maximum: limits.maximum,
                    revision: limits.revision)
            }
        }
        return nodes
    }

    // MARK: - Traits by name

    private func fact(
        _ fact: StoredFact, _ restorer: borrowing HierarchyRestorer
    ) throws -> StoredFact {
        StoredFact(
            trait: try trait(fact.trait, restorer.definitions), layer: fact.layer,
            value: fact.value, revision: fact.revision)
    }

    private func traits(
        _ traits: TraitSet, _ restorer: borrowing HierarchyRestorer
    ) throws -> TraitSet {
        let known = restorer.definitions
        return TraitSet(try traits.map { try trait($0, known) })
    }

    private func trait(_ trait: TraitIndex, _ known: TraitDefinitions) throws -> TraitIndex {
        let key = definitions.environmentKey(heldBy: trait)
        let found = key.map(known.holder) ?? known.index(of: definitions[trait].key)
        guard let found else { throw MissingName(name: definitions[trait].key) }
        return found
    }
}
