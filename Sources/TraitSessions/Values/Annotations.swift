// What a session notes beside its hierarchy: who manages its parts, and when overrides end. Resolving values needs
// neither.

import DequeModule
import TraitEngine

/// The notes change with the hierarchy: a transaction that is rolled back or a commit that is undone takes both back.
struct Annotations: Sendable {
    var managers = ManagerTable()
    var expiries = ExpiryTable()

    // What only reads them is asked of each table: a call on both would copy them.

    /// Removes the notes of a node that is deleted.
    mutating func forget(_ node: NodeIndex, in hierarchy: Hierarchy) {
        managers.forget(node, in: hierarchy)
        expiries.forget(node, in: hierarchy)
    }

    /// Rolls back the open transaction.
    @inline(__always)
    mutating func rollback() {
        managers.rollback()
        expiries.rollback()
    }

    /// Ends the open transaction, which became the commit of that revision.
    ///
    /// - Returns: whether it changed when overrides end.
    @inline(__always)
    mutating func seal(_ revision: Int64) -> Bool {
        managers.seal(revision)
        return expiries.seal(revision)
    }

    /// Undoes the changes of commits after the revision.
    ///
    /// - Returns: whether they changed when overrides end.
    mutating func undo(after revision: Int64) -> Bool {
        managers.undo(after: revision)
        return expiries.undo(after: revision)
    }

    /// Forgets how to undo commits up to the revision.
    @inline(__always)
    mutating func acknowledge(through revision: Int64) {
        managers.acknowledge(through: revision)
        expiries.acknowledge(through: revision)
    }
}

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
