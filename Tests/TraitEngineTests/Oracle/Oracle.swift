// What time does to a hierarchy, by the rules: transactions, what they tell, undo, watches.

import TraitEngine

/// A hierarchy by the rules: transactions, undo and watches around the state.
struct Oracle {
    var state: OracleState
    /// As it was when the transaction began.
    private var before: OracleState?
    private var history: [OracleState] = []
    /// Watches are no part of the state; one whose node is gone rests until that is final.
    private var everyWatch: [String: OracleState.Listener] = [:]
    /// Counts everything that is ever made or moved; never goes back.
    private var clock = 0

    init(propagation: Propagation, updates: UpdateMode = .immediate) {
        state = OracleState(propagation: propagation, updates: updates)
    }

    var undoableCount: Int { history.count }

    mutating func tick() -> Int {
        clock += 1
        return clock
    }

    mutating func begin() {
        state.ended = []
        state.hasUpdated = false
        before = state
    }

    mutating func rollback() {
        goBack()
        before = nil
    }

    private mutating func goBack() {
        guard let before else { return }
        let moveCount = state.moveCount
        state = before
        state.moveCount = moveCount
    }

    /// Whether there was a commit to take back.
    mutating func undo() -> Bool {
        guard let last = history.popLast() else { return false }
        let watched = watches
        state = last
        for name in watched.keys where watches[name] == nil { everyWatch[name] = nil }
        return true
    }

    mutating func acknowledge() {
        history = []
        everyWatch = watches
    }

    var watches: [String: OracleState.Listener] {
        everyWatch.filter { _, watch in
            state.isThere(watch) && watch.traits.allSatisfy { state.traits[$0] != nil }
        }
    }

    /// The watch of that node and just those traits.
    func watch(of node: String, _ traits: [String]) -> String? {
        watches.first { $0.value.node == node && Set($0.value.traits) == Set(traits) }?.key
    }

    mutating func watch(_ name: String, _ node: String, _ traits: [String]) {
        guard let serial = state.nodes[node]?.serial else { return }
        everyWatch[name] = OracleState.Listener(
            serial: tick(), node: node, nodeSerial: serial, traits: traits)
    }

    mutating func unwatch(_ name: String) { everyWatch[name] = nil }

    // MARK: - Committing

    mutating func commit() -> Outcome {
        guard let before else { return Outcome(revision: state.revision, isUnchanged: true) }
        defer { self.before = nil }
        if before.revision > 0, !state.hasUpdated, before.signature == state.signature {
            goBack()
            return Outcome(revision: state.revision, isUnchanged: true)
        }
        state.revision += 1
        dateValues(from: before)
        let oldValues = before.collections()
        if state.updates == .immediate { keepInherited(from: before, oldValues) }
        var outcome = Outcome(revision: state.revision, isUnchanged: false)
        outcome.told = told(from: oldValues, before)
        outcome.ended = ended(since: before)
        history.append(before)
        return outcome
    }

    /// A value that ends up as it was keeps its revision, whatever happened in between.
    private mutating func dateValues(from before: OracleState) {
        for (id, node) in state.nodes {
            guard let old = before.nodes[id], old.serial == node.serial else { continue }
            for layer in OracleState.Node.inputs {
                for (trait, stored) in node[keyPath: layer] {
                    guard let known = old[keyPath: layer][trait], known.value == stored.value
                    else { continue }
                    state.nodes[id]?[keyPath: layer][trait] = known
                }
            }
            if let known = old.limits, known.minimum == node.limits?.minimum,
                known.maximum == node.limits?.maximum
            {
                state.nodes[id]?.limits = known
            }
        }
    }

    /// The root of a detached tree keeps what it inherited before the commit.
    private mutating func keepInherited(
        from before: OracleState, _ oldValues: [String: OracleState.Collection]
    ) {
        let parents = state.traitParents()
        let oldParents = before.traitParents()
        for (id, node) in state.nodes {
            if parents[id] != nil || state.isRoot(id) {
                state.nodes[id]?.kept = [:]
            } else if before.nodes[id]?.serial == node.serial, let parent = oldParents[id] {
                let inherited = oldValues[parent, default: [:]].filter {
                    state.traits[$0.key]?.serial == before.traits[$0.key]?.serial
                }
                state.nodes[id]?.kept = inherited.mapValues {
                    OracleState.Stored(value: $0.value, revision: state.revision)
                }
            }
        }
    }

    /// Whoever was there before and after, with the values of then and now; from the top down.
    private func told(
        from oldValues: [String: OracleState.Collection], _ before: OracleState
    ) -> [Outcome.Told] {
        let newValues = state.collections()
        let parents = state.traitParents()
        let registrations = state.registrations.filter {
            before.registrations[$0.key]?.serial == $0.value.serial
        }
        let listeners = Array(registrations) + Array(watches)
        var told: [(depth: Int, serial: Int, Outcome.Told)] = []
        for (name, listener) in listeners {
            let node = listener.node
            guard before.isThere(listener), state.isThere(listener) else { continue }
            var changes: [Outcome.Changed] = []
            for trait in listener.traits.sorted(by: isOrdered) {
                guard let known = state.traits[trait], known.serial == before.traits[trait]?.serial
                else { continue }
                let old = before.read(trait, in: oldValues[node])
                let new = state.read(trait, in: newValues[node])
                if old.value == new.value { continue }
                changes.append(
                    Outcome.Changed(
                        trait: trait, previous: old.value, current: new.value, source: new.source))
            }
            if changes.isEmpty { continue }
            let depth = state.ancestors(of: node, parents).count
            let record = Outcome.Told(listener: name, node: node, changes: changes)
            told.append((depth, listener.serial, record))
        }
        return told.sorted { ($0.depth, $0.serial) < ($1.depth, $1.serial) }.map { $0.2 }
    }

    private func isOrdered(_ left: String, _ right: String) -> Bool {
        (state.traits[left]?.serial ?? 0) < (state.traits[right]?.serial ?? 0)
    }

    private func ended(since before: OracleState) -> [String] {
        let nodeless = everyWatch.filter { before.isThere($0.value) && !state.isThere($0.value) }
        let logged = state.ended.filter { id, serial, _ in
            before.registrations[id]?.serial == serial
        }
        return (nodeless.keys.map { "\($0) nodeDeleted" } + logged.map { "\($0) \($2)" }).sorted()
    }

    /// A prediction shows at once.
    private mutating func showPrediction(_ operation: Operation) {
        guard case .predict(let id, _) = operation, state.updates == .layout,
            state.traitParents()[id] == nil, !state.isRoot(id)
        else { return }
        if let before { dateValues(from: before) }
        state.update(id)
    }

    // MARK: - Operations

    /// Does one operation. What is refused changes nothing; the names of all the rules that
    /// refuse it come back.
    mutating func apply(_ operation: Operation) -> Set<String> {
        if case .updateTraits(let node) = operation {
            if state.updates == .layout {
                if let before { dateValues(from: before) }
                state.update(node)
            }
            return []
        }
        var changed = state
        var refusals = changed.apply(operation, tick: tick())
        if case .deleteTrait(let key) = operation,
            watches.values.contains(where: { $0.traits.contains(key) })
        {
            refusals.insert("traitInUse")
        }
        if refusals.isEmpty {
            let now = tick()
            let parents = state.traitParents()
            let newParents = changed.traitParents()
            for id in changed.nodes.keys
            where state.nodes[id]?.serial != changed.nodes[id]?.serial
                || parents[id] != newParents[id]
            {
                changed.nodes[id]?.stamp = now
            }
            if state.updates == .layout {
                changed.follow(state, parents, newParents)
            }
            state = changed
            showPrediction(operation)
        }
        return refusals
    }
}
