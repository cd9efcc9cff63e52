// The counts and schedules of a session, which are no part of the state that its log determines.

import Ledger

package struct Upkeep {
    /// When the log gets a snapshot.
    var schedule = SnapshotSchedule()
    /// The snapshot of the newest revision that readers share.
    weak var sharedSnapshot: SessionSnapshot?
    /// How many snapshots, each of another revision, are held by readers.
    let snapshotCount = SnapshotCount()
    /// When a session without a log stores a snapshot for reading its past.
    package var past = PastBaseSchedule()
    /// The memory that the session takes.
    var holding: SessionHolding
    /// The session's part of the counts that the store's meters show.
    var reported = ReportedSize()

    init(_ memory: MemoryLedger) { holding = SessionHolding(memory) }
}
