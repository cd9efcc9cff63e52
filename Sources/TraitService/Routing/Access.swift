// The verb that each operation requires of its caller. The table of routes has it, so that authentication needs to
// know no operation by name.

/// The verb that a caller needs for an operation.
package enum Access: String, Sendable, CaseIterable, Comparable {
    /// Nothing: health, version, and the documents of the interface.
    case open
    case read
    case write
    /// For operations on the server, or on all sessions.
    case admin

    private var rank: Int {
        switch self {
        case .open: 0
        case .read: 1
        case .write: 2
        case .admin: 3
        }
    }

    /// Each verb includes those before it.
    package static func < (one: Access, other: Access) -> Bool { one.rank < other.rank }
}
