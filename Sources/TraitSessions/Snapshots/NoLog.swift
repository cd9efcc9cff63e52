// The log of sessions that are read alone: there is nothing to append to.

import SessionLog

/// Refuses every append and holds no session.
final class NoLog: SessionLog {
    static let shared = NoLog()

    var properties: LogProperties { MemoryLog().properties }

    func append(_ batch: [LogAppend]) -> [AppendResult] {
        batch.map { _ in .refused(reason: "the session is read alone") }
    }

    func sessions() throws(LogFailure) -> [LogSession] { [] }
    func session(named name: String) throws(LogFailure) -> LogSession? { nil }
    func bounds(of session: LogSession) throws(LogFailure) -> LogBounds? { nil }

    func tail(
        of session: LogSession, after revision: Int64, limit: Int
    ) throws(LogFailure) -> [LogEntry] { [] }

    func write(_ snapshot: LogSnapshot, of session: LogSession) throws(LogFailure) {}
    func newestSnapshot(of session: LogSession) throws(LogFailure) -> LogSnapshot? { nil }

    func truncate(
        _ session: LogSession, through revision: Int64
    ) throws(LogFailure) -> ClosedRange<Int64>? { nil }

    func forget(_ session: LogSession) throws(LogFailure) {}

    func subscribe(
        to session: LogSession, _ subscriber: any LogSubscriber
    ) -> LogSubscription { LogSubscription {} }
}
