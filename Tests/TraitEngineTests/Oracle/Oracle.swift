// The rules of UIKit's trait system in the plainest form: dictionaries, everything computed anew
// whenever it is asked for, nothing shared with the engine but its vocabulary. Slow and obvious;
// when engine and oracle disagree, read the rules.

import TraitEngine

/// The state of one hierarchy: a value, so a snapshot is a copy.
struct OracleState {
    struct Stored {
        var value: TraitValue
        var revision: Int64
    }

    struct Node {
        let serial: Int
        let kind: NodeKind
        var parent: String?
        var controller: String?
        var label: String?
        var overrides: [String: Stored] = [:]
        var supplied: [String: Stored] = [:]
        /// Of the root of a detached tree: what it inherited last.
        var kept: [String: Stored] = [:]
        /// When it last got its trait parent; the order of siblings.
        var stamp = 0
    }

    struct Listener {
        let serial: Int
        var node: String
        var nodeSerial: Int
        var traits: [String]
    }

    struct Trait {
        let serial: Int
        let definition: TraitDefinition
    }

    var propagation: Propagation
    var revision: Int64 = 0
    var nodes: [String: Node] = [:]
    var registrations: [String: Listener] = [:]
    var traits: [String: Trait] = [:]
    /// Registrations that ended in this transaction, and why.
    var ended: [(id: String, serial: Int, reason: String)] = []

    init(propagation: Propagation) {
        self.propagation = propagation
        for (position, definition) in SystemTraits.definitions.enumerated() {
            traits[definition.key] = Trait(serial: position - 100, definition: definition)
        }
    }

    // MARK: - The trait tree

    func rootView(of controller: String) -> String? {
        nodes.first { $0.value.controller == controller }?.key
    }

    /// The trait parent of every node that has one.
    func traitParents() -> [String: String] {
        var views: [String: Node] = [:]
        for node in nodes.values { if let its = node.controller { views[its] = node } }
        return nodes.compactMapValuesWithKey { id, node in
            switch node.kind {
            case .view: return node.controller ?? node.parent
            case .viewController where propagation == .unified:
                if let superview = views[id]?.parent { return superview }
                guard let parent = node.parent, let kind = nodes[parent]?.kind else { return nil }
                return kind == .window || kind == .presentationController ? parent : nil
            default: return node.parent
            }
        }
    }

    /// Whether every node's chain of parents ends.
    func isForest(_ parents: [String: String]) -> Bool {
        let children = Dictionary(grouping: parents.keys) { parents[$0] ?? "" }
        var reached = nodes.keys.filter { parents[$0] == nil }
        var next = 0
        while next < reached.count {
            reached += children[reached[next], default: []]
            next += 1
        }
        return reached.count == nodes.count
    }

    /// The nodes above, nearest first.
    func ancestors(of id: String, _ parents: [String: String]) -> [String] {
        Array(sequence(first: id) { parents[$0] }.dropFirst())
    }

    /// Whether a node without trait parent is a root, not a detached tree.
    func isRoot(_ id: String) -> Bool {
        nodes[id]?.kind == .windowScene || nodes[id]?.kind == .environment
    }

    // MARK: - Values

    typealias Resolved = (value: TraitValue, source: Origin)
    typealias Collection = [String: Resolved]

    /// What every node reads, for the traits that something on its path specifies.
    func collections() -> [String: Collection] {
        let parents = traitParents()
        var collections: [String: Collection] = [:]
        func collection(_ id: String) -> Collection {
            if let known = collections[id] { return known }
            var result = parents[id].map(collection) ?? [:]
            for (layer, values) in layers(of: id).reversed() {
                for (trait, stored) in values {
                    let source = Origin(layer: layer, node: id, revision: stored.revision)
                    result[trait] = (stored.value, source)
                }
            }
            collections[id] = result
            return result
        }
        for id in nodes.keys { _ = collection(id) }
        return collections
    }

    /// The winning layer first.
    func layers(of id: String) -> [(Layer, [String: Stored])] {
        guard let node = nodes[id] else { return [] }
        return [(.override, node.overrides), (.supplied, node.supplied), (.kept, node.kept)]
    }

    func read(_ trait: String, in collection: Collection?) -> Resolved {
        collection?[trait] ?? (traits[trait]?.definition.defaultValue ?? .null, .default)
    }

    /// Everything that is stored, except what follows from it: when two are equal, nothing
    /// happened in between.
    var signature: [String] {
        var lines: [String] = []
        for (id, node) in nodes {
            let inputs = [node.overrides, node.supplied].map { layer in
                layer.map { "\($0.key)=\($0.value.value)" }.sorted()
            }
            lines.append(
                "\(id) \(node.serial) \(node.parent ?? "-") \(node.controller ?? "-")"
                    + " \(node.label ?? "-") \(inputs)")
        }
        lines += registrations.map { "\($0.key) \($0.value.serial)" }
        lines += traits.map { "\($0.key) \($0.value.serial)" }
        return lines.sorted()
    }
}

/// A hierarchy by the rules: transactions, undo and watches around the state.
struct Oracle {
    private(set) var state: OracleState
    /// As it was when the transaction began.
    private var before: OracleState?
    private var history: [OracleState] = []
    private(set) var watches: [String: OracleState.Listener] = [:]
    /// Counts everything that is ever made or moved; never goes back.
    private var clock = 0

    init(propagation: Propagation) { state = OracleState(propagation: propagation) }

    var undoableCount: Int { history.count }

    mutating func tick() -> Int {
        clock += 1
        return clock
    }

    mutating func begin() {
        state.ended = []
        before = state
    }

    mutating func rollback() {
        if let before { state = before }
        before = nil
    }

    /// Whether there was a commit to take back.
    mutating func undo() -> Bool {
        guard let last = history.popLast() else { return false }
        state = last
        watches = watches.filter { state.nodes[$0.value.node]?.serial == $0.value.nodeSerial }
        return true
    }

    mutating func acknowledge() { history = [] }

    mutating func watch(_ name: String, _ node: String, _ traits: [String]) {
        guard let serial = state.nodes[node]?.serial else { return }
        watches[name] = OracleState.Listener(
            serial: tick(), node: node, nodeSerial: serial, traits: traits)
    }

    mutating func unwatch(_ name: String) { watches[name] = nil }

    // MARK: - Committing

    mutating func commit() -> Outcome {
        guard let before else { return Outcome(revision: state.revision, isUnchanged: true) }
        defer { self.before = nil }
        if before.revision > 0, before.signature == state.signature {
            state = before
            return Outcome(revision: state.revision, isUnchanged: true)
        }
        state.revision += 1
        let oldValues = before.collections()
        keepInherited(from: before, oldValues)
        var outcome = Outcome(revision: state.revision, isUnchanged: false)
        outcome.told = told(from: oldValues, before)
        outcome.ended = ended(since: before)
        history.append(before)
        watches = watches.filter { state.nodes[$0.value.node]?.serial == $0.value.nodeSerial }
        return outcome
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
            guard before.nodes[node]?.serial == listener.nodeSerial,
                state.nodes[node]?.serial == listener.nodeSerial
            else { continue }
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
        let nodeless = watches.filter { state.nodes[$0.value.node]?.serial != $0.value.nodeSerial }
        let logged = state.ended.filter { id, serial, _ in
            before.registrations[id]?.serial == serial
        }
        return (nodeless.keys.map { "\($0) nodeDeleted" } + logged.map { "\($0) \($2)" }).sorted()
    }

    // MARK: - Operations

    /// Does one operation. What is refused changes nothing; the names of all the rules that
    /// refuse it come back.
    mutating func apply(_ operation: Operation) -> Set<String> {
        var changed = state
        let refusals = changed.apply(operation, tick: tick())
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
            state = changed
        }
        return refusals
    }
}

extension Dictionary {
    fileprivate func compactMapValuesWithKey<Other>(
        _ body: (Key, Value) -> Other?
    ) -> [Key: Other] {
        reduce(into: [:]) { $0[$1.key] = body($1.key, $1.value) }
    }
}
