// An update step by step, by the rules: every level looks at all nodes anew.

import TraitEngine

/// What one step of an update says, in words both sides understand.
struct UpdateStep: Equatable {
    /// Nil for the environment itself.
    var listener: String?
    /// Whether the step is the first one of the environment, and whether it is the last.
    var isFirst = false
    var isLast = false
    var node: String
    var previous: [String: TraitValue]
    var current: [String: TraitValue]
    var changed: [String]
    var dynamics: [String] = []
    var invalidations: [String] = []
}

/// An update under way; `next` goes on with it.
struct OracleUpdate {
    private struct Turn {
        var node: String
        var nodeSerial: Int
        var listener: String?
        var serial: Int
        /// After the registrations of the node.
        var isEnd = false

        var rank: Int { listener == nil ? 0 : 1 }
    }

    private struct Updated {
        var before: OracleState.Collection
        var after: OracleState.Collection
        var changed: [String]
        /// What the node showed, and shows now.
        var levels: (before: [OracleState.ShownLevel], after: [OracleState.ShownLevel])
        /// Which traits the keys meant then.
        var serials: [String: Int]
    }

    private let node: (id: String, serial: Int)?
    /// Whether the nodes that it inherits from are brought up to date, too.
    private let climbs: Bool
    private var passes = 0
    /// A node that is made under the name of one that went is another one.
    private var targets: [(id: String, serial: Int)?] = []
    private var path: [(id: String, serial: Int)]?
    /// The level of the first node of the path.
    private var start = 0
    private var level = -1
    private var turns: [Turn] = []
    /// By serial of the node; nil for those that show what they showed.
    private var updated: [Int: Updated?] = [:]
    /// Registrations from here on were made by handlers of this update.
    private var firstSerial = 0
    private var startCount = 0
    /// How often anything had been moved when the level was begun.
    private var movesAtStart = 0
    private(set) var isLoop = false

    init(of id: String?, climbs: Bool = false, _ state: OracleState) {
        self.climbs = climbs
        node = id.flatMap { id in state.nodes[id].map { (id, $0.serial) } }
    }

    mutating func next(_ oracle: inout Oracle) -> UpdateStep? {
        while true {
            if let step = takeTurn(&oracle.state) { return step }
            if nextLevel(oracle.state) { continue }
            targets = waiting(oracle.state)
            if targets.isEmpty { return nil }
            if passes == TraitUpdate.passesMax {
                isLoop = true
                return nil
            }
            if passes == 0 { firstSerial = oracle.tick() }
            passes += 1
            startCount = oracle.state.updateCount
        }
    }

    private func waiting(_ state: OracleState) -> [(id: String, serial: Int)?] {
        let parents = state.traitParents()
        guard let node else {
            let isWaiting = state.nodes.keys.contains {
                state.visibility(of: $0, parents) == .pending
            }
            return isWaiting ? [nil] : []
        }
        guard state.nodes[node.id]?.serial == node.serial else { return [] }
        return state.updateTargets(of: node.id, parents).filter { target in
            let above = climbs ? state.ancestors(of: target, parents) : []
            return state.scope(of: target, parents).union(above)
                .contains { state.nodes[$0]?.isDue == true }
        }.map { ($0, state.nodes[$0]?.serial ?? -1) }
    }

    // MARK: - Levels

    private mutating func nextLevel(_ state: OracleState) -> Bool {
        let parents = state.traitParents()
        turns = []
        updated = [:]
        while true {
            if path == nil {
                if targets.isEmpty { return false }
                let target = targets.removeFirst()
                if let target, state.nodes[target.id]?.serial != target.serial { continue }
                let above = target.map { state.ancestors(of: $0.id, parents) } ?? []
                let ids = target.map { [$0.id] + (climbs ? above : []) } ?? []
                path = ids.reversed().map { ($0, state.nodes[$0]?.serial ?? -1) }
                start = climbs ? 0 : above.count
                level = start - 1
            }
            level += 1
            guard let nodes = nodes(state, parents) else {
                path = nil
                continue
            }
            movesAtStart = state.moveCount
            for id in nodes where state.nodes[id]?.isDue == true {
                if !mustWait(id, state, parents) { appendTurns(id, state) }
            }
            turns.sort {
                ($0.rank, $0.serial, $0.isEnd ? 1 : 0) < ($1.rank, $1.serial, $1.isEnd ? 1 : 0)
            }
            return true
        }
    }

    /// The nodes of the level; nil when the pass is over.
    private func nodes(_ state: OracleState, _ parents: [String: String]) -> [String]? {
        let path = path ?? []
        if level - start < path.count {
            let (id, serial) = path[level - start]
            let parent = level == start ? parents[id] : path[level - start - 1].id
            return state.nodes[id]?.serial == serial && parents[id] == parent ? [id] : nil
        }
        let depths = state.nodes.keys.map { ($0, state.ancestors(of: $0, parents)) }
        if !depths.contains(where: { $0.1.count >= level }) { return nil }
        return depths.filter { id, above in
            guard above.count == level else { return false }
            guard let target = path.last else { return state.isRoot(above.last ?? id) }
            return state.nodes[target.id]?.serial == target.serial && above.contains(target.id)
        }.map(\.0)
    }

    /// Whether something above waits that this pass has not brought up to date.
    private func mustWait(
        _ id: String, _ state: OracleState, _ parents: [String: String]
    ) -> Bool {
        var above = state.ancestors(of: id, parents)
        // An update of one node does not care for what is above that.
        if !climbs, let target = path?.first {
            above = id == target.id ? [] : above
            if let end = above.firstIndex(of: target.id) { above = Array(above[...end]) }
        }
        return above.contains {
            guard let node = state.nodes[$0] else { return false }
            return node.isDue && node.seen <= startCount
        }
    }

    private mutating func appendTurns(_ id: String, _ state: OracleState) {
        guard let serial = state.nodes[id]?.serial else { return }
        let listeners = state.registrations.filter { $0.value.node == id }
        for (name, listener) in listeners {
            turns.append(
                Turn(node: id, nodeSerial: serial, listener: name, serial: listener.serial))
        }
        if let last = listeners.max(by: { $0.value.serial < $1.value.serial }) {
            turns.append(
                Turn(
                    node: id, nodeSerial: serial, listener: last.key, serial: last.value.serial,
                    isEnd: true))
        } else {
            turns.append(Turn(node: id, nodeSerial: serial, listener: nil, serial: serial))
        }
    }

    // MARK: - Turns

    private mutating func takeTurn(_ state: inout OracleState) -> UpdateStep? {
        while let turn = turns.first {
            if updated[turn.nodeSerial] == nil {
                updated[turn.nodeSerial] = .some(update(turn, &state))
                if case let done?? = updated[turn.nodeSerial] {
                    var step = step(nil, turn, done, state)
                    step.invalidations = state.invalidate(turn.node, done.changed)
                    step.isFirst = true
                    step.isLast = turn.listener == nil
                    return step
                }
            }
            turns.removeFirst()
            if turn.isEnd {
                guard case let done?? = updated[turn.nodeSerial],
                    state.nodes[turn.node]?.serial == turn.nodeSerial
                else { continue }
                var step = step(nil, turn, done, state)
                step.isLast = true
                return step
            }
            guard let name = turn.listener, case let done?? = updated[turn.nodeSerial],
                let listener = state.registrations[name], listener.serial == turn.serial,
                listener.serial < firstSerial
            else { continue }
            let parents = state.traitParents()
            func value(
                _ trait: String, _ kind: DynamicKind, _ collection: OracleState.Collection,
                _ levels: [OracleState.ShownLevel]
            ) -> TraitValue {
                kind == .image
                    ? state.imageValue(trait, at: turn.node, levels, parents)
                    : state.read(trait, in: collection).value
            }
            let dynamics = state.dynamicChanges(
                listener, from: { value($0, $1, done.before, done.levels.before) },
                to: { value($0, $1, done.after, done.levels.after) })
            let hears = listener.traits.contains(where: done.changed.contains)
            if !hears, dynamics.isEmpty { continue }
            var step = step(name, turn, done, state)
            step.dynamics = dynamics
            return step
        }
        return nil
    }

    private func update(_ turn: Turn, _ state: inout OracleState) -> Updated? {
        let id = turn.node
        guard let node = state.nodes[id], node.serial == turn.nodeSerial else { return nil }
        if !node.isDue { return nil }
        let parents = state.traitParents()
        if movesAtStart != state.moveCount {
            if state.ancestors(of: id, parents).count != level { return nil }
            if mustWait(id, state, parents) { return nil }
        }
        if !state.refresh(id, parents) { return nil }
        let before = state.values(of: node.shown)
        let after = state.values(of: state.nodes[id]?.shown ?? [])
        let changed = state.traits.keys.filter { trait in
            !state.isHidden(trait)
                && state.read(trait, in: before).value != state.read(trait, in: after).value
        }
        if changed.isEmpty { return nil }
        return Updated(
            before: before, after: after, changed: changed.sorted(),
            levels: (node.shown, state.nodes[id]?.shown ?? []),
            serials: state.traits.mapValues(\.serial))
    }

    private func step(
        _ listener: String?, _ turn: Turn, _ done: Updated, _ state: OracleState
    ) -> UpdateStep {
        func isThere(_ key: String) -> Bool {
            done.serials[key] == state.traits[key]?.serial
        }
        return UpdateStep(
            listener: listener, node: turn.node,
            previous: state.specified(done.before).filter { isThere($0.key) },
            current: state.specified(done.after).filter { isThere($0.key) },
            changed: done.changed.filter(isThere))
    }
}

extension OracleState {
    /// What reads other than its default.
    fileprivate func specified(_ collection: Collection) -> [String: TraitValue] {
        collection.filter {
            guard let trait = traits[$0.key], !isHidden($0.key) else { return false }
            return trait.definition.defaultValue != $0.value.value
        }.mapValues(\.value)
    }
}
