// A salvaged session as a log, so that it is replayed before anything of it is written.

import SQLiteLog
import SessionLog

/// A log of one session. It can only be read.
final class SalvagedLog: SessionLog {
    let properties = LogProperties(durability: "salvaged")
    private let session: LogSession
    private let beginning: SalvagedBeginning

    init(_ session: LogSession, _ beginning: SalvagedBeginning) {
        self.session = session
        self.beginning = beginning
    }

    func sessions() -> [LogSession] { [session] }

    func session(named name: String) -> LogSession? { session.name == name ? session : nil }

    func bounds(of session: LogSession) -> LogBounds? {
        LogBounds(
            oldest: (beginning.snapshot?.revision ?? 0) + 1, head: beginning.head,
            isDeleted: false)
    }

    func tail(of session: LogSession, after revision: Int64, limit: Int) -> [LogEntry] {
        let base = beginning.snapshot?.revision ?? 0
        return Array(beginning.entries.dropFirst(Int(max(0, revision - base))).prefix(limit))
    }

    func snapshot(of session: LogSession, atOrBefore revision: Int64) -> LogSnapshot? {
        beginning.snapshot.flatMap { $0.revision <= revision ? $0 : nil }
    }

    // MARK: - Not for a log that is read alone

    func append(_ batch: [LogAppend]) -> [AppendResult] {
        batch.map { _ in .refused(reason: "the log can only be read") }
    }

    private static let readOnly = LogFailure(.unavailable, "the log can only be read")

    func write(_ snapshot: LogSnapshot, of session: LogSession) throws(LogFailure) {
        throw Self.readOnly
    }

    func truncate(
        _ session: LogSession, through revision: Int64
    ) throws(LogFailure) -> ClosedRange<Int64>? { throw Self.readOnly }

    func forget(_ session: LogSession) throws(LogFailure) { throw Self.readOnly }

    func follow(_ follower: any LogFollower) -> LogSubscription { LogSubscription {} }
}
