// How the tables beside the engine roll back and undo: the managers of values, and the times at which overrides end.

import DequeModule
import TraitEngine

/// The changes of a table that can be taken back, and the table's part of the digests, which is taken back with them.
struct TableChanges<Change: Sendable>: Sendable {
    private struct Sealed {
        let revision: Int64
        let changes: [Change]
        let digestBefore: StateDigest
    }

    /// Those of the open transaction, the oldest first.
    private(set) var open: [Change] = []
    var digest = StateDigest()
    private var digestBefore = StateDigest()
    private var sealed = Deque<Sealed>()

    /// To be called before the change of the digest.
    mutating func add(_ change: Change) {
        if open.isEmpty { digestBefore = digest }
        open.append(change)
    }

    /// The open changes cannot be taken back any more.
    mutating func forgetOpen() { open = [] }

    /// Ends the open transaction, which became the commit of that revision.
    ///
    /// - Returns: whether it had changes.
    @inline(__always)
    mutating func seal(_ revision: Int64) -> Bool {
        if open.isEmpty { return false }
        sealed.append(Sealed(revision: revision, changes: open, digestBefore: digestBefore))
        open = []
        return true
    }

    /// Rolls back the open transaction.
    ///
    /// - Returns: the changes to take back, in this order.
    mutating func rollback() -> [Change] {
        if open.isEmpty { return [] }
        digest = digestBefore
        defer { open = [] }
        return open.reversed()
    }

    /// Undoes the commits after the revision.
    ///
    /// - Returns: the changes to take back, in this order.
    mutating func undo(after revision: Int64) -> [Change] {
        var undone: [Change] = []
        while let last = sealed.last, last.revision > revision {
            undone += last.changes.reversed()
            digest = last.digestBefore
            sealed.removeLast()
        }
        return undone
    }

    /// Forgets how to undo commits up to the revision.
    ///
    /// - Returns: whether there was one.
    @inline(__always)
    mutating func acknowledge(through revision: Int64) -> Bool {
        if sealed.isEmpty { return false }
        let count = sealed.count
        while let first = sealed.first, first.revision <= revision { sealed.removeFirst() }
        return sealed.count < count
    }
}
