// Values that end: the overrides that a run has set with a `ttl`, and a model of when they end.

import JSONCodec
import SessionLog
import TraitEngine
import TraitSessions

extension Stage {
    /// Ends the values whose time has come, as the server does, and checks that no other value ends and none is left.
    ///
    /// - Parameter hasCopies: whether the follower and the copy follow.
    func endValues(hasCopies: Bool = true) throws {
        let now = clock.now
        let before = leader.withState { $0.temporaryValues }
        let head = leader.head
        let due = before.filter { $0.value <= now }
        client.store.endExpiredValues()
        guard !due.isEmpty else {
            try expect(leader.withState { $0.temporaryValues } == before, "a value ended early")
            return
        }
        // This write waits behind the ends, and changes nothing.
        _ = Wait.until([leader.queue(Proposal(.expire([])), isLong: false)])
        let after = leader.withState { $0.temporaryValues }
        try expect(
            after == before.filter { $0.value > now }, "\(after) is left of \(before) at \(now)")
        count("ended values")
        guard hasCopies else { return }
        for revision in head + 1..<leader.head + 1 { try repeatOperations(of: revision) }
        try follower.catchUp(with: replayer)
        try compareDigests()
        remember()
    }
}

extension SessionState {
    /// When overrides end, by node and trait.
    fileprivate var temporaryValues: [String: Int64] {
        var found: [String: Int64] = [:]
        hierarchy.forEachNode { node, _ in
            for (trait, _) in hierarchy.overrides(of: node) {
                let name = hierarchy.identifier(of: node) + " " + hierarchy.definitions[trait].key
                found[name] = end(of: trait, at: node)
            }
            return .descend
        }
        return found
    }
}
