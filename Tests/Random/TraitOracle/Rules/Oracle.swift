// What time does to a hierarchy, by the rules: transactions, their notifications, undo, watches.

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
    /// Watches that ended in this transaction as one of their traits was deleted.
    private var traitless: Set<String> = []

    mutating func tick() -> Int {
        clock += 1
        return clock
    }

    mutating func begin() {
        state.ended = []
        traitless = []
        state.hasUpdated = false
        state.hasOrdered = false
        for name in state.scopes.keys { state.scopes[name]?.heardFrom = [:] }
        state.followCoverage()
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
            state.isThere(watch) && knowsTraits(of: watch, state)
        }
    }

    /// A trait that was deleted and defined again is another one.
    private func knowsTraits(
        of watch: OracleState.Listener, _ state: OracleState
    ) -> Bool {
        watch.traits.allSatisfy { state.traits[$0].map { $0.serial < watch.serial } ?? false }
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
        showWrites()
        defer { self.before = nil }
        if before.revision > 0, before.isSame(as: state),
            !state.hasUpdated || before.showsSame(as: state) && !makesScopesStale(since: before),
            !state.hasOrdered
                || before.treeOrder(before.traitParents())
                    == state.treeOrder(state.traitParents())
        {
            goBack()
            return Outcome(revision: state.revision, isUnchanged: true)
        }
        state.revision += 1
        dateValues(from: before)
        let old = Shown(before)
        if state.updates == .immediate { keepInherited(from: old) }
        var outcome = Outcome(revision: state.revision, isUnchanged: false)
        let new = Shown(state)
        outcome.told = told(old, new)
        outcome.invalidations = invalidated(old, new)
        outcome.ended = ended(since: before)
        history.append(before)
        return outcome
    }

    /// In a layout hierarchy: writes of a transaction show together, before an operation looks at
    /// what nodes show, or with the commit.
    private mutating func showWrites() {
        if state.written.isEmpty { return }
        if let before { dateValues(from: before) }
        state.showWrites()
    }

    /// A value that ends up as it was keeps its revision, whatever happened in between.
    private mutating func dateValues(from before: OracleState) {
        for (id, node) in state.nodes {
            guard let old = before.nodes[id], old.serial == node.serial else { continue }
            for layer in OracleState.Node.inputs {
                for (trait, stored) in node[keyPath: layer] {
                    guard let known = old[keyPath: layer][trait], known.value == stored.value,
                        known.revision != stored.revision
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
        for (name, scope) in state.scopes {
            if let old = before.scopes[name], old.serial == scope.serial, old.reads == scope.reads,
                old.isStale == scope.isStale
            {
                state.scopes[name]?.revision = old.revision
            }
        }
    }

    /// The root of a detached tree keeps what it inherited before the commit.
    private mutating func keepInherited(from old: Shown) {
        let before = old.state
        let parents = state.traitParents()
        for (id, node) in state.nodes {
            if parents[id] != nil || state.isRoot(id) {
                state.nodes[id]?.kept = [:]
            } else if before.nodes[id]?.serial == node.serial, let parent = old.parents[id] {
                let inherited = old.collection(of: parent).filter {
                    state.traits[$0.key]?.serial == before.traits[$0.key]?.serial
                }
                state.nodes[id]?.kept = inherited.mapValues {
                    OracleState.Stored(value: $0.value, revision: state.revision)
                }
            }
        }
    }

    /// Whoever was there before and after, with the values of then and now; from the top down. In a
    /// layout hierarchy also what was made in between, with the values of when it was made.
    private func told(_ old: Shown, _ new: Shown) -> [Outcome.Told] {
        let before = old.state
        func isNew(_ id: String, _ listener: OracleState.Listener) -> Bool {
            before.registrations[id]?.serial != listener.serial
        }
        let registrations = state.registrations.filter {
            state.updates == .layout || !isNew($0.key, $0.value)
        }
        let listeners = Array(registrations) + Array(watches)
        var told: [(depth: Int, serial: Int, Outcome.Told)] = []
        for (name, listener) in listeners {
            let node = listener.node
            let isNew = isNew(name, listener) && everyWatch[name] == nil
            guard isNew || before.isThere(listener), state.isThere(listener) else { continue }
            let first = state.values(of: listener.heardFrom)
            func was(_ trait: String) -> OracleState.Resolved {
                isNew ? state.read(trait, in: first) : old.read(trait, at: node)
            }
            var changes: [Outcome.Changed] = []
            let defined = listener.traits.compactMap { trait in
                state.traits[trait].map { (trait, $0.serial) }
            }
            for (trait, serial) in defined.sorted(by: { $0.1 < $1.1 })
            where isNew || serial == before.traits[trait]?.serial {
                let was = was(trait)
                let now = new.read(trait, at: node)
                if was.value == now.value { continue }
                changes.append(
                    Outcome.Changed(
                        trait: trait, previous: was.value, current: now.value, source: now.source))
            }
            let levels = isNew ? listener.heardFrom : before.nodes[node]?.shown ?? []
            let dynamics = state.dynamicChanges(
                listener,
                from: { trait, kind in
                    if kind == .color { return was(trait).value }
                    return state.updates == .layout
                        ? state.imageValue(trait, at: node, levels, new.parents)
                        : old.value(trait, kind, at: node)
                },
                to: { new.value($0, $1, at: node) })
            if changes.isEmpty, dynamics.isEmpty { continue }
            let depth = state.ancestors(of: node, new.parents).count
            let record = Outcome.Told(
                listener: name, node: node, changes: changes, dynamics: dynamics)
            told.append((depth, listener.serial, record))
        }
        return told.sorted { ($0.depth, $0.serial) < ($1.depth, $1.serial) }.map { $0.2 }
    }

    /// In the order in which they were made.
    private func ended(since before: OracleState) -> [String] {
        let nodeless = everyWatch.filter { name, watch in
            !traitless.contains(name) && before.isThere(watch) && !state.isThere(watch)
                && knowsTraits(of: watch, before)
        }
        let logged = state.ended.filter { id, serial, _ in
            before.registrations[id]?.serial == serial
        }
        var all = nodeless.map { (serial: $0.value.serial, text: "\($0.key) nodeDeleted") }
        all += traitless.map { (everyWatch[$0]?.serial ?? 0, "\($0) traitDeleted") }
        all += logged.map { ($0.serial, "\($0.id) \($0.reason)") }
        return all.sorted { $0.serial < $1.serial }.map(\.text)
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
        defer { state.followCoverage() }
        guard case .deleteTrait(let key) = operation else { return change(operation) }
        let named = watches.filter { $0.value.traits.contains(key) }.keys
        let refusals = change(operation)
        if refusals.isEmpty { traitless.formUnion(named) }
        return refusals
    }

    private mutating func change(_ operation: Operation) -> Set<String> {
        if operation.looksAtShown { showWrites() }
        if case .updateTraits(let node) = operation {
            if state.updates == .layout {
                if let before { dateValues(from: before) }
                state.update(node)
            }
            return []
        }
        if state.updates == .immediate, !operation.isStructural {
            // Where these refuse, they have changed nothing.
            var refusals = refuse(operation)
            if refusals.isEmpty { refusals = state.apply(operation, tick: tick()) }
            return refusals
        }
        var changed = state
        var refusals = changed.apply(operation, tick: tick())
        refusals.formUnion(refuse(operation))
        if refusals.isEmpty {
            let parents = operation.isStructural ? state.traitParents() : [:]
            let newParents = operation.isStructural ? changed.traitParents() : [:]
            if operation.isStructural { stamp(&changed, parents, newParents, operation) }
            if state.updates == .layout {
                changed.follow(state, parents, newParents)
            }
            state = changed
            showPrediction(operation)
        }
        return refusals
    }

    /// What the state itself does not know.
    private func refuse(_ operation: Operation) -> Set<String> {
        switch operation {
        case .deleteTrait(let key):
            return willBeKept(key) ? ["traitInUse"] : []
        case .deleteKey(let name):
            guard let key = state.keys[name], key.definition.bridgedTrait == nil else { return [] }
            return willBeKept(key.holder) ? ["traitInUse"] : []
        default: return []
        }
    }

    /// Whether a node that the transaction detached inherited a value of the trait before it.
    private func willBeKept(_ trait: String) -> Bool {
        guard let before, state.updates == .immediate else { return false }
        let old = Shown(before)
        let parents = state.traitParents()
        return state.nodes.contains { id, node in
            guard parents[id] == nil, !state.isRoot(id), before.nodes[id]?.serial == node.serial,
                let parent = old.parents[id],
                before.traits[trait]?.serial == state.traits[trait]?.serial
            else { return false }
            return old.collection(of: parent)[trait] != nil
        }
    }

    /// Nodes that are new below their trait parents stand behind the others: first those that the
    /// operation names, then the others by name.
    private mutating func stamp(
        _ changed: inout OracleState, _ old: [String: String], _ new: [String: String],
        _ operation: Operation
    ) {
        var named: [String] = []
        if case .update(let id, _, let controller, _) = operation {
            named = [id]
            if case .set(let controller) = controller { named.append(controller) }
        }
        let moved = changed.nodes.keys.filter {
            state.nodes[$0]?.serial != changed.nodes[$0]?.serial || old[$0] != new[$0]
        }
        for id in named.filter(moved.contains) + moved.filter({ !named.contains($0) }).sorted() {
            changed.nodes[id]?.stamp = tick()
            changed.nodes[id]?.place = 0
        }
    }
}
