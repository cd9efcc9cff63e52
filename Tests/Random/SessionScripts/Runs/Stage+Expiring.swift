// Values that end: the overrides that a run has set with a `ttl`, and those that the server ends.

import JSONCodec
import SessionLog
import SessionViews
import TraitEngine
import TraitSessions

extension Stage {
    /// Ends the values whose time has come, as the server does, and checks that no other value ends and none is left.
    ///
    /// - Parameter hasCopies: whether the follower and the copy follow.
    func endValues(hasCopies: Bool = true) throws {
        let now = clock.now
        let before = try compareEnds()
        let head = leader.head
        client.store.endExpiredValues()
        guard before.contains(where: { $0.value <= now }) else {
            try expect(leader.head == head, "a value ended early")
            return
        }
        // This write waits behind the ends, and changes nothing.
        _ = Wait.until([leader.queue(Proposal(.expire([])), isLong: false)])
        let after = try compareEnds()
        try expect(
            after == before.filter { $0.value > now }, "\(after) is left of \(before) at \(now)")
        try expect(leader.head == head + 1, "values ended by \(leader.head - head) commits")
        let cause = leader.retained[leader.head]?.withCause { text(Array($0)) }
        try expect(cause == #"{"expired":true}"#, "the cause of an end is \(cause ?? "none")")
        count("ended values")
        guard hasCopies else { return }
        try repeatOperations(of: leader.head)
        try follower.catchUp(with: replayer)
        try compareDigests()
        remember()
    }

    /// Compares the times of the session with those of the model. Returns them.
    private func compareEnds() throws -> [String: Int64] {
        while ends.revision < leader.head {
            let revision = ends.revision + 1
            let entry = try known(leader.retained[revision]?.entry)
            let tape = JSONTape(limits: JSONLimits(depthMax: 100))
            let operations = try operations(of: entry)
            try operations.withUnsafeBytes {
                try ends.follow(try tape.parse($0), revision: revision)
            }
        }
        let (times, nodes) = leader.withState { $0.temporaryValues }
        let expected = ends.times(of: nodes)
        try expect(times == expected, "values end at \(times), and the log says \(expected)")
        return times
    }
}

extension SessionState {
    /// When overrides end, by the names of node and trait, and the names of all nodes.
    fileprivate var temporaryValues: ([String: Int64], Set<String>) {
        var found: [String: Int64] = [:]
        var nodes: Set<String> = []
        hierarchy.forEachNode { node, _ in
            let name = hierarchy.identifier(of: node)
            nodes.insert(name)
            for (trait, _) in hierarchy.overrides(of: node) {
                found[name + " " + hierarchy.definitions[trait].key] = end(of: trait, at: node)
            }
            return .descend
        }
        return (found, nodes)
    }
}
