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
        scopes[scope] = known
        return []
    }

    /// The nodes whose collections the method of a node reads as its own.
    func covered(by node: String, _ parents: [String: String]) -> [String] {
        guard let kind = nodes[node]?.kind else { return [] }
        if kind != .viewController && kind != .presentationController { return [node] }
        return [node] + nodes.keys.filter { nodes[$0]?.kind == .view && parents[$0] == node }
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
                && !scope.reads.isDisjoint(with: changed)
        }.sorted { $0.value.serial < $1.value.serial }
        for (name, _) in stale { scopes[name]?.isStale = true }
        return stale.map { invalidation(of: $0.key, $0.value.reads.intersection(changed)) }
    }
}

extension Oracle {
    /// Which armed scopes from before the commit go stale by it: by depth, then as they were made.
    mutating func invalidated(_ before: Shown, _ after: Shown) -> [String] {
        if state.scopes.isEmpty { return [] }
        var stale: [(depth: Int, serial: Int, text: String)] = []
        for (name, old) in before.state.scopes where !old.isStale {
            guard let now = state.scopes[name], now.serial == old.serial, now.setAt == old.setAt
            else { continue }
            let then = before.state.covered(by: name.node, before.parents)
            let covered = Set(state.covered(by: name.node, after.parents)).intersection(then)
            let changed = now.reads.filter { trait in
                covered.contains {
                    before.state.nodes[$0]?.serial == state.nodes[$0]?.serial
                        && before.read(trait, at: $0).value != after.read(trait, at: $0).value
                }
            }
            if changed.isEmpty { continue }
            state.scopes[name]?.isStale = true
            let depth = state.ancestors(of: name.node, after.parents).count
            stale.append((depth, now.serial, state.invalidation(of: name, changed)))
        }
        return stale.sorted { ($0.depth, $0.serial) < ($1.depth, $1.serial) }.map(\.text)
    }
}
