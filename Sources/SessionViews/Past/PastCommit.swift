// The states before and after one commit, with which the commit alone can be reverted. Both are results of one work:
// two results would drive each other out where memory is short.

import Ledger
import TraitEngine
import TraitJSON
import TraitSessions

/// The states around a commit, which nothing changes any more.
package struct PastCommit: Sendable {
    let before: Session
    /// Nodes and traits that the commit has renamed have their names of `before`.
    let after: Session
    /// The names before the commit of what it has renamed, by the names that it gave.
    let nodes: [String: String]
    let traits: [String: String]
}

/// Rebuilds both states. Used by one thread at a time.
final class PastCommitWork: PastWork {
    let origin: Session
    private let revision: Int64
    private(set) var replay: PastReplay?
    private var before: Session?
    private(set) var bytes = 0

    init(_ origin: Session, _ revision: Int64) {
        self.origin = origin
        self.revision = revision
    }

    func step(_ memory: MemoryReservation) throws(SessionError) -> PastResult? {
        guard let replay else {
            replay = try PastReplay(of: origin, from: revision - 1, taking: memory)
            return nil
        }
        guard let before else {
            guard try replay.step(to: revision - 1) else { return nil }
            let copy = try replay.state.snapshot(isCounted: false).session()
            bytes = copy.withState { Self.count($0) }
            before = copy
            return nil
        }
        guard try replay.step(to: revision) else { return nil }
        self.replay = nil
        let (nodes, traits) = try Self.giveBackNames(of: before, in: replay.state)
        return PastResult(
            value: PastCommit(
                before: before, after: Session(replay.state), nodes: nodes, traits: traits),
            byteCount: bytes + Self.count(replay.state))
    }

    private static func count(_ state: SessionState) -> Int {
        // Readers look up names, and the first look-up of a copy makes an index of all.
        _ = state.hierarchy.node("")
        return state.countBytes().total
    }

    /// Takes back the new names that the newest commit gave.
    private static func giveBackNames(
        of before: Session, in state: SessionState
    ) throws(SessionError) -> (nodes: [String: String], traits: [String: String]) {
        let names = NamesSince(after: state.head - 1, in: state)
        if names.nodes.isEmpty, names.traits.isEmpty { return ([:], [:]) }
        let hierarchy = state.hierarchy
        let nodes = names.nodes.reduce(into: [String: (String, NodeIndex?)]()) {
            $0[$1.key] = ($1.value, hierarchy.node($1.key))
        }
        let traits = names.traits.reduce(into: [String: (String, TraitIndex?)]()) {
            $0[$1.key] = ($1.value, hierarchy.definitions.index(of: $1.key))
        }
        var opened = state.open(TextBuffer(), time: 0)
        do throws(SessionError) {
            _ = try opened.transaction.giveBackNames(of: before, roots: nil)
        } catch {
            state.abandon(opened.transaction)
            throw error
        }
        var wakes = WakeList()
        _ = try state.complete(opened, wakes: &wakes) { _, _ in nil }
        // Where something else has the former name, the node or the trait keeps the new one.
        return (
            nodes.filter { $0.value.1 == hierarchy.node($0.value.0) }.mapValues(\.0),
            traits.filter { $0.value.1 == hierarchy.definitions.index(of: $0.value.0) }
                .mapValues(\.0)
        )
    }
}

extension PastStates {
    /// The states around a commit that the session retains.
    ///
    /// - Parameter caller: pays for the memory.
    /// - Throws: `tooManyReads` when too many wait.
    package func commit(
        _ revision: Int64, of session: Session, for caller: MemoryAccount?
    ) throws(SessionError) -> PastFinding<PastCommit> {
        let key = PastKey(uid: session.uid, revision: revision, what: .commit)
        return try find(key, for: caller) { PastCommitWork(session, revision) }
    }
}
