// What a session notes beside its hierarchy: who manages its parts, and when overrides end. Resolving values needs
// neither.

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
