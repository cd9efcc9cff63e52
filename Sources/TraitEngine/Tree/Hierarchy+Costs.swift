// Estimates of what an operation will cost, in bounded time: callers run long operations on another
// thread.

extension Hierarchy {
    /// Whether deleting a node takes more than `limit` steps: one for each node below it, and one
    /// for each registration on these. O(limit).
    package func deletingTakes(moreThan limit: Int, _ node: NodeIndex) -> Bool {
        var registered = registrationsTake(moreThan: limit, at: node.rawValue)
        if registered > limit { return true }
        let tree: MeasuredTree = parts.nodes.bridgedCount == 0 ? .trait(except: []) : .structural
        let steps = walk(below: node.rawValue, tree, stepsMax: limit) { below, isEntered in
            if isEntered, registered <= limit {
                registered += registrationsTake(moreThan: limit, at: below)
            }
        }
        return steps + registered > limit
    }

    /// Whether a node has more than `limit` registrations and watches, whose facts have its name. O(limit).
    package func renamingTakes(moreThan limit: Int, _ node: NodeIndex) -> Bool {
        registrationsTake(moreThan: limit, at: node.rawValue) > limit
    }

    /// Registrations and watches on a node, at most `limit` and one more. O(limit).
    private func registrationsTake(moreThan limit: Int, at node: Int32) -> Int {
        let watch = parts.nodes[node].watch
        if watch < 0 { return 0 }
        var count = 0
        var index = parts.watches[watch].firstRegistration
        while index >= 0, count <= limit {
            count += 1
            index = parts.registrations[index].next
        }
        return count
    }

    /// Whether moving a node may take more than `limit` steps, because its subtree must be
    /// measured to check the limit of depth. O(limit).
    package func movingTakes(moreThan limit: Int, _ node: NodeIndex) -> Bool {
        // No subtree is measured while twice the present depth would be allowed.
        if 2 * max(parts.nodes.levels.trait, parts.nodes.levels.structural) + 2
            <= self.limits.depthMax
        {
            return false
        }
        let index = node.rawValue
        let peer = peer(index)
        for moved in peer >= 0 ? [index, peer] : [index] {
            if walk(below: moved, .trait(except: []), stepsMax: limit, { _, _ in }) > limit {
                return true
            }
            if parts.nodes.bridgedCount == 0 { continue }
            if walk(below: moved, .structural, stepsMax: limit, { _, _ in }) > limit { return true }
        }
        return false
    }

    /// What operations have visited so far beyond what they name: nodes that updates of a layout hierarchy brought up to
    /// date, converted values, registrations under a new name, and an eighth of what was only looked at, such as nodes
    /// that were measured below moved ones: that takes so much less time. Undo does not lower it.
    package var visitedNodeCount: Int {
        (layout.map { Int(truncatingIfNeeded: $0.clock.updates) } ?? 0)
            &+ parts.nodes.levels.measuredNodes / 8
    }

    /// Adds nodes that an operation has visited to `visitedNodeCount`.
    package func noteVisits(_ count: Int) { noteMeasured(8 &* count) }

    /// Adds nodes, values or registrations that an operation has only looked at: eight of them count as one visit.
    package func noteMeasured(_ count: Int) { parts.nodes.levels.countMeasured(count) }

    /// Overrides and supplied values of a trait. O(1).
    package func valueCount(of trait: TraitIndex) -> Int {
        Int(parts.traits[trait.rawValue].values)
    }

    /// Bytes that the values of a trait take at most once they are other ones. O(1).
    ///
    /// - Parameters:
    ///   - addedBytes: how many bytes each different value gets at most.
    ///   - copiesTexts: whether their texts are part of the new ones.
    package func convertedBytes(
        of trait: TraitIndex, addedBytes: Int, copiesTexts: Bool
    ) -> Int {
        let slot = parts.traits[trait.rawValue]
        let values = Int(slot.values) + Int(slot.kept)
        let different =
            parts.traits.isPooled(trait.rawValue) ? min(values, parts.pool.count) : values
        // The place of the new value, and what undoing needs.
        return different * (160 + addedBytes)
            + (copiesTexts && different > 0 ? parts.pool.contentBytes : 0)
    }

    /// Whether setting a scope of the node goes through the views inside. O(1).
    package func scopesCoverViews(inside node: NodeIndex) -> Bool {
        parts.nodes[node.rawValue].kind.scopesCoverViews
    }

    /// Bytes that the registrations of a new scope of the node take, about. O(children) where it covers views.
    package func coveringBytes(of node: NodeIndex) -> Int {
        guard scopesCoverViews(inside: node) else { return 0 }
        var count = 0
        var child = firstChild(of: node.rawValue)
        while child >= 0 {
            count += 1
            child = parts.nodes[child].next
        }
        return count * Self.registrationBytes
    }

    private static let registrationBytes = 160

    /// Whether there are more than `limit` nodes, or registrations and watches. O(1).
    package func isLarger(than limit: Int) -> Bool {
        nodeCount > limit
            || parts.registrations.aliveCount > limit
    }

    /// Gives back all that deleted nodes held. O(nodes that wait for it, and their values).
    package func reclaimEverything() {
        while reclaimSlice() {}
    }
}
