// The parts of the process's memory, as the ledger reports them.

/// A part of the process's memory.
package enum MemoryPart: Int, CaseIterable, Sendable {
    /// The program itself, before it has served anything.
    case program
    /// Nodes, records, links and indices of all sessions.
    case nodes
    /// Names of nodes and registrations.
    case names
    /// Long values and definitions.
    case values
    /// Registrations, watches and scopes, and what finds them.
    case watches
    /// Commits from which streams resume, with everything they hold.
    case retainedCommits
    /// Filters of streams with what they remember, and the streams themselves.
    case feeds
    /// Copies of sessions that long answers are made from, and nodes in tree order.
    case snapshots
    /// Requests that are not complete, and bodies that are worked on.
    case bodies
    /// Answers that are made, compressed or not yet taken.
    case answers
    /// Open connections.
    case connections
    /// Free blocks that the allocator keeps for reuse.
    case allocator

    package var name: String { String(describing: self) }
}
