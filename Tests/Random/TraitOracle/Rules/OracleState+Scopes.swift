// The rules of tracked scopes: what a method read in its last run, and when it has to run again.

import TraitEngine

extension OracleState {
    struct ScopeName: Hashable {
        var node: String
        var name: String
    }

    struct TrackedScope {
        let serial: Int
        var nodeSerial: Int
        var reads: Set<String>
        var isStale = false
        var revision: Int64
        /// The operation that set it last.
        var setAt: Int
        /// In a layout hierarchy: what the nodes that it covers showed when the transaction began, or
        /// when the scope was set or came to cover them.
        var heardFrom: [String: HeardNode] = [:]
    }

    struct HeardNode {
        var serial: Int
        var shown: [ShownLevel]
    }

    /// Notes what nodes show that scopes came to cover.
    mutating func followCoverage() {
        if scopes.isEmpty || updates == .immediate { return }
        let parents = traitParents()
        for (name, scope) in scopes {
            var heard: [String: HeardNode] = [:]
            for id in covered(by: name.node, parents) {
                guard let node = nodes[id] else { continue }
                let known = scope.heardFrom[id]
                heard[id] =
                    known?.serial == node.serial
                    ? known : HeardNode(serial: node.serial, shown: node.shown)
            }
            scopes[name]?.heardFrom = heard
        }
    }

    mutating func setScope(_ scope: ScopeName, _ reads: [String], tick: Int) -> Set<String> {
        guard let node = nodes[scope.node],
            ScopeMethod.invalidation(of: scope.name, on: node.kind) != nil
        else { return ["scopeKind"] }
        guard var known = scopes[scope] else {
            scopes[scope] = TrackedScope(
                serial: tick, nodeSerial: node.serial, reads: Set(reads), revision: revision + 1,
                setAt: tick)
            return []
        }
        if known.isStale || known.reads != Set(reads) { known.revision = revision + 1 }
        known.reads = Set(reads)
        known.isStale = false
        known.setAt = tick
        known.heardFrom = [:]
        scopes[scope] = known
        return []
    }

    /// The nodes whose collections the method of a node reads as its own.
    func covered(by node: String, _ parents: [String: String]) -> [String] {
        guard let kind = nodes[node]?.kind else { return [] }
        if kind != .viewController && kind != .presentationController { return [node] }
        return [node] + nodes.keys.filter { nodes[$0]?.kind == .view && parents[$0] == node }
    }

    private var affectingColors: Set<String> {
        Set(traits.filter { $0.value.definition.affectsColorAppearance }.keys)
    }

    /// The traits whose changes make a scope stale: those that it read, and for a method that draws all that affect
    /// colours.
    func listened(_ name: ScopeName, _ scope: TrackedScope) -> Set<String> {
        guard let kind = nodes[name.node]?.kind,
            ScopeMethod.invalidation(of: name.name, on: kind) == "setNeedsDisplay"
        else { return scope.reads }
        return scope.reads.union(affectingColors)
    }

    func invalidation(of scope: ScopeName, _ changed: Set<String>) -> String {
        let kind = nodes[scope.node]?.kind ?? .environment
        let method = ScopeMethod.invalidation(of: scope.name, on: kind) ?? "?"
        return "\(scope.node).\(scope.name) \(method) \(changed.sorted())"
    }

    /// A node took another collection in a stepwise update: which scopes go stale at once.
    mutating func invalidate(_ node: String, _ changed: [String]) -> [String] {
        let parents = traitParents()
        let owners = Set([node] + (parents[node].map { [$0] } ?? []))
        let stale = scopes.filter { name, scope in
            owners.contains(name.node) && !scope.isStale
                && covered(by: name.node, parents).contains(node)
                && !listened(name, scope).isDisjoint(with: changed)
        }.sorted { $0.value.serial < $1.value.serial }
        for (name, _) in stale { scopes[name]?.isStale = true }
        return stale.map {
            invalidation(of: $0.key, listened($0.key, $0.value).intersection(changed))
        }
    }
}

extension Oracle {
    /// Whether updates in the transaction make a scope stale although everything is as before: the
    /// scope was set, or came to cover a node, between two of them.
    func makesScopesStale(since before: OracleState) -> Bool {
        var oracle = self
        return state.updates == .layout
            && !oracle.invalidated(Shown(before), Shown(state)).isEmpty
    }

    /// The scopes that the commit makes stale, by depth and then in the order in which they were made. In an
    /// immediate hierarchy a scope that the commit made or set is left out. In a layout hierarchy each scope is
    /// compared with what its node showed when the scope began to listen.
    mutating func invalidated(_ before: Shown, _ after: Shown) -> [String] {
        if state.scopes.isEmpty { return [] }
        var stale: [(depth: Int, serial: Int, text: String)] = []
        for (name, now) in state.scopes where !now.isStale {
            if state.updates == .immediate {
                guard let old = before.state.scopes[name], now.serial == old.serial,
                    now.setAt == old.setAt
                else { continue }
            }
            func was(_ trait: String, _ id: String) -> TraitValue {
                // A trait that the commit defines had its default everywhere.
                if before.state.traits[trait]?.serial != state.traits[trait]?.serial {
                    return state.read(trait, in: nil).value
                }
                if state.updates == .layout {
                    let shown = now.heardFrom[id]?.shown ?? []
                    return state.read(trait, in: state.values(of: shown)).value
                }
                // A new view is one that had the defaults.
                let isNew = before.state.nodes[id]?.serial != state.nodes[id]?.serial
                return isNew
                    ? state.read(trait, in: nil).value : before.read(trait, at: id).value
            }
            let covered = state.covered(by: name.node, after.parents)
            let changed = state.listened(name, now).filter { trait in
                covered.contains { was(trait, $0) != after.read(trait, at: $0).value }
            }
            if changed.isEmpty { continue }
            state.scopes[name]?.isStale = true
            let depth = state.ancestors(of: name.node, after.parents).count
            stale.append((depth, now.serial, state.invalidation(of: name, changed)))
        }
        return stale.sorted { ($0.depth, $0.serial) < ($1.depth, $1.serial) }.map(\.text)
    }
}
