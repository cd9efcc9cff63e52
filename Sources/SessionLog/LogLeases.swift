// Leases over a log that several processes share. A lease is a registration with a `ttl`. Each process notifies the log
// which leases it has renewed, so that no process ends a lease that another one keeps.

/// A lease of a session. Two leases of one name differ in the revision that made them.
package struct LogLease: Hashable, Sendable {
    /// The session's.
    package let uid: String
    package let registration: String
    package let revision: Int64

    package init(uid: String, registration: String, revision: Int64) {
        self.uid = uid
        self.registration = registration
        self.revision = revision
    }
}

/// A note of a process for the others about a lease.
package enum LeaseNote: Sendable {
    /// A stream of the process keeps the lease.
    case held
    /// The process has renewed the lease once, or its last stream has closed.
    case renewed
    /// The lease is over.
    case gone
}

/// The notes of one process about leases, the newest one of each.
package struct LeaseNotes: Equatable, Sendable {
    /// The process: a name that no other process of the log has.
    package let process: String
    package var byLease: [LogLease: LeaseNote] = [:]

    package init(process: String) { self.process = process }
}

/// The notes of all processes of a log about their leases, at one moment. Notes of a process that has died are not
/// among them, soon after its death.
package struct LogLeases: Equatable, Sendable {
    package struct State: Equatable, Sendable {
        /// Whether a stream of some process keeps the lease.
        package var isHeld: Bool
        /// Grows with each note of the lease.
        package var change: Int64

        package init(isHeld: Bool, change: Int64) {
            self.isHeld = isHeld
            self.change = change
        }

        /// The notes of two processes about one lease, as one.
        package mutating func add(_ other: State) {
            isHeld = isHeld || other.isHeld
            change = max(change, other.change)
        }
    }

    /// Notes that came later have greater changes.
    package var mark: Int64 = 0
    package var states: [LogLease: State] = [:]

    package init() {}
}

/// Lets an append succeed only if the log has no note of these leases after a mark. An object, because few appends
/// have one.
package final class LeaseGuard: Sendable {
    package let leases: [LogLease]
    package let mark: Int64

    package init(_ leases: [LogLease], since mark: Int64) {
        self.leases = leases
        self.mark = mark
    }

    /// The most leases of one guard, so that a transaction of 128 comparisons can check them.
    package static let leasesMax = 120
}
