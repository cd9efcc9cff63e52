// The rules of layout hierarchies in the plainest form: each node has a copy of everything that
// it and the nodes above it set when it was last brought up to date.

import TraitEngine

extension OracleState {
    /// What one node contributed to what another one shows.
    struct ShownLevel: Equatable {
        var node: String
        var serial: Int
        /// The winning layer first.
        var layers: [Layer: [String: Stored]]
    }

    // MARK: - Reading

    func values(of shown: [ShownLevel]) -> Collection {
        var result: Collection = [:]
        for level in shown.reversed() {
            let isDeleted = !isThere(level)
            for (layer, values) in level.layers.sorted(by: { $0.key < $1.key }) {
                for (trait, stored) in values where traits[trait] != nil {
                    let source = Origin(
                        layer: layer, node: level.node, revision: stored.revision,
                        isDeleted: isDeleted)
                    result[trait] = (stored.value, source)
                }
            }
        }
        return result
    }

    func isThere(_ level: ShownLevel) -> Bool { nodes[level.node]?.serial == level.serial }

    /// From the node up, what sets its values: the inputs as they stand, or in a layout hierarchy
    /// what they were when it took them.
    func levels(
        of id: String, _ above: [String]
    ) -> [(node: String, serial: Int, layers: [(Layer, [String: Stored])])] {
        if updates == .layout {
            return nodes[id]?.shown.map { level in
                (level.node, level.serial, level.layers.sorted { $0.key > $1.key })
            } ?? []
        }
        return inputLevels(of: id, above)
    }

    /// The inputs as they stand.
    func inputLevels(
        of id: String, _ above: [String]
    ) -> [(node: String, serial: Int, layers: [(Layer, [String: Stored])])] {
        let path = [id] + above
        if !path.contains(where: { nodes[$0]?.limits != nil }) {
            return path.map { ($0, nodes[$0]?.serial ?? 0, layers(of: $0, [:])) }
        }
        var inherited: Collection = [:]
        return Array(
            path.reversed().map { id in
                let layers = layers(of: id, inherited)
                inherited = collection(of: id, inheriting: inherited)
                return (id, nodes[id]?.serial ?? 0, layers)
            }.reversed())
    }

    // MARK: - Detached trees

    /// The root of the detached tree that a node is in, and the nodes that it inherits from there.
    private func detachedPath(of id: String, _ above: [String]) -> (
        root: String, path: Set<String>
    )? {
        guard updates == .layout, let root = ([id] + above).last, !isRoot(root) else { return nil }
        return (root, Set([id] + above))
    }

    /// What decided a value, for an answer about a node: what a detached tree shows of nodes outside
    /// it is kept by its root.
    func source(
        of resolved: Resolved, _ trait: String, shownBy id: String, _ parents: [String: String]
    ) -> Origin {
        let source = resolved.source
        guard let (root, path) = detachedPath(of: id, ancestors(of: id, parents)),
            let node = source.node, source.isDeleted || !path.contains(node)
        else { return source }
        return Origin(
            layer: .kept, node: root, revision: keptRevision(root, trait, resolved.value))
    }

    /// When a root was detached, if it keeps that value.
    private func keptRevision(_ root: String, _ trait: String, _ value: TraitValue) -> Int64? {
        guard let kept = nodes[root]?.kept[trait], kept.value == value else { return nil }
        return kept.revision
    }

    /// `levels`, with what a detached tree shows of nodes outside it as kept by its root.
    func answeredLevels(
        of trait: String, at id: String, _ above: [String]
    ) -> [(node: String, serial: Int, layers: [(Layer, [String: Stored])])] {
        var levels = levels(of: id, above)
        guard let (root, path) = detachedPath(of: id, above) else { return levels }
        func isOutside(
            _ level: (node: String, serial: Int, layers: [(Layer, [String: Stored])])
        ) -> Bool {
            (!isThere(level) || !path.contains(level.node))
                && level.layers.contains { $0.1[trait] != nil }
        }
        guard let first = levels.firstIndex(where: isOutside),
            let value = levels[first].layers.lazy.compactMap({ $0.1[trait] }).first?.value
        else { return levels }
        let kept = Stored(value: value, revision: keptRevision(root, trait, value) ?? 0)
        let serial = nodes[root]?.serial ?? 0
        levels[first] = (root, serial, [(.kept, [trait: kept])])
        return Array(levels[...first]) + levels[(first + 1)...].filter { !isOutside($0) }
    }

    func isThere(
        _ level: (node: String, serial: Int, layers: [(Layer, [String: Stored])])
    ) -> Bool { nodes[level.node]?.serial == level.serial }

    /// Whether a node is among those that set a trait for another.
    func sets(
        _ trait: String, at node: String, shownBy id: String, _ above: [String]
    ) -> Bool {
        if updates == .immediate {
            return levels(of: id, above).contains { level in
                level.node == node && level.layers.contains { $0.1[trait] != nil }
            }
        }
        return answeredLevels(of: trait, at: id, above).contains { level in
            level.node == node && isThere(level)
                && level.layers.contains { $0.1[trait] != nil }
        }
    }

    func visibility(of id: String, _ parents: [String: String]) -> NodeState {
        let path = [id] + ancestors(of: id, parents)
        guard let root = path.last, isRoot(root) else { return .detached }
        return updates == .layout && path.contains { nodes[$0]?.isDue == true }
            ? .pending : .current
    }

    // MARK: - Writing

    /// What an operation marks or makes a scene, window or controller show, and what a tree keeps that it
    /// detached.
    mutating func follow(
        _ before: OracleState, _ oldParents: [String: String], _ parents: [String: String]
    ) {
        for (id, node) in nodes {
            guard let old = before.nodes[id], old.serial == node.serial else {
                nodes[id]?.isDue = true
                continue
            }
            let isMoved = oldParents[id] != parents[id]
            if isMoved {
                moveCount += 1
                nodes[id]?.seen = 0
            }
            if isMoved, !isRoot(id) {
                if parents[id] == nil {
                    let kept = inheritedLast(id)
                    nodes[id]?.kept = kept
                } else if oldParents[id] == nil {
                    nodes[id]?.kept = [:]
                }
            }
            let isWritten =
                old.overrides != node.overrides || old.supplied != node.supplied
                || old.limits != node.limits || old.legacyCollection != node.legacyCollection
                || old.legacyStyle != node.legacyStyle
            if isWritten, node.showsWrites, written.insert(id).inserted { writtenBefore[id] = old }
            if isMoved || old.kept != nodes[id]?.kept || isWritten && !node.showsWrites {
                nodes[id]?.isDue = true
            }
        }
    }

    /// Written scenes, windows and controllers take what their trait parents show with their own inputs,
    /// the upper ones first. What waits for an update waits as before, and so does what inherits
    /// from a node that shows something else now.
    mutating func showWrites() {
        let parents = traitParents()
        let nodes = written.filter { self.nodes[$0] != nil }
            .map { ($0, ancestors(of: $0, parents).count) }.sorted { $0.1 < $1.1 }
        let before = writtenBefore
        (written, writtenBefore) = ([], [:])
        for (id, _) in nodes {
            // Writes that were taken back are none.
            if let old = before[id], let node = self.nodes[id], old.hasInputs(of: node) { continue }
            if show(id, parents) { hasUpdated = true }
        }
    }

    /// Whether all nodes show what they showed, and wait where they waited.
    func showsSame(as other: OracleState) -> Bool {
        nodes.allSatisfy { id, node in
            node.shown == other.nodes[id]?.shown && node.isDue == other.nodes[id]?.isDue
        }
    }

    private func inheritedLast(_ id: String) -> [String: Stored] {
        guard let node = nodes[id] else { return [:] }
        var shown = node.shown
        if let own = shown.first, own.node == id, own.serial == node.serial {
            shown[0].layers = own.layers.filter { $0.key == .kept }
        }
        return values(of: shown).mapValues { Stored(value: $0.value, revision: revision + 1) }
    }

    /// No node shows a value of the trait any more.
    mutating func forgetShown(_ trait: String) {
        for (id, node) in nodes {
            let shown = node.shown.map { level in
                ShownLevel(
                    node: level.node, serial: level.serial,
                    layers: level.layers.mapValues { $0.filter { $0.key != trait } })
            }
            nodes[id]?.shown = shown
        }
    }

    // MARK: - Updating

    /// Brings everything attached up to date, or one node with what inherits from it, by what the
    /// node's trait parent shows.
    mutating func update(_ id: String?) {
        let parents = traitParents()
        let scopes: [Set<String>] =
            if let id {
                updateTargets(of: id, parents).map { scope(of: $0, parents) }
            } else {
                [
                    Set(
                        nodes.keys.filter {
                            isRoot(ancestors(of: $0, parents).last ?? $0)
                        })
                ]
            }
        for scope in scopes {
            let levels = scope.map { ($0, ancestors(of: $0, parents).count) }
            for (node, _) in levels.sorted(by: { $0.1 < $1.1 }) where nodes[node]?.isDue == true {
                _ = refresh(node, parents)
                hasUpdated = true
            }
        }
    }

    /// Whether the node shows something else now.
    mutating func refresh(_ id: String, _ parents: [String: String]) -> Bool {
        if nodes[id] == nil { return false }
        nodes[id]?.isDue = false
        updateCount += 1
        nodes[id]?.seen = updateCount
        return show(id, parents)
    }

    /// The node takes what its trait parent shows, with its own inputs. Whether that is something
    /// else: then what inherits from it waits.
    private mutating func show(_ id: String, _ parents: [String: String]) -> Bool {
        guard let node = nodes[id] else { return false }
        var shown = parents[id].flatMap { nodes[$0]?.shown } ?? []
        let own = Dictionary(uniqueKeysWithValues: layers(of: id, values(of: shown))).filter {
            !$0.value.isEmpty
        }
        if !own.isEmpty {
            shown.insert(ShownLevel(node: id, serial: node.serial, layers: own), at: 0)
        }
        if shown == node.shown { return false }
        nodes[id]?.shown = shown
        for (child, parent) in parents where parent == id { nodes[child]?.isDue = true }
        return true
    }

    private func serial(of id: String) -> Int { nodes[id]?.serial ?? 0 }

    /// The node and what inherits from it.
    func scope(of id: String, _ parents: [String: String]) -> Set<String> {
        Set(nodes.keys.filter { $0 == id || ancestors(of: $0, parents).contains(id) })
    }

    /// The node or the controller whose root view it is; and, before iOS 17, those controllers in
    /// its subtree that inherit from elsewhere.
    func updateTargets(of id: String, _ parents: [String: String]) -> [String] {
        let top = nodes[id]?.controller ?? id
        if propagation == .unified { return [top] }
        let structure = nodes.compactMapValues(\.parent)
        var subtree: Set<String> = [top]
        var isGrowing = true
        while isGrowing {
            let more = nodes.keys.filter { other in
                if subtree.contains(other) { return false }
                let near = [
                    structure[other], parents[other], nodes[other]?.controller, rootView(of: other),
                ]
                return near.contains { $0.map(subtree.contains) ?? false }
            }
            subtree.formUnion(more)
            isGrowing = !more.isEmpty
        }
        return [top]
            + subtree.filter {
                $0 != top && nodes[$0]?.kind == .viewController
                    && !ancestors(of: $0, parents).contains(top)
            }
            .sorted { serial(of: $0) < serial(of: $1) }
    }
}

extension OracleState.Node {
    /// Whether both have the same inputs, whenever they were set.
    fileprivate func hasInputs(of other: OracleState.Node) -> Bool {
        Self.inputs.allSatisfy { layer in
            self[keyPath: layer].mapValues(\.value) == other[keyPath: layer].mapValues(\.value)
        } && limits?.minimum == other.limits?.minimum && limits?.maximum == other.limits?.maximum
    }
}
