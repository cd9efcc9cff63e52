// What the logs of tests have in common: they change how a log behaves, and everything else goes to
// the log below.

import SessionLog

package protocol LogWrapper: SessionLog {
    var base: any SessionLog { get }
}

extension LogWrapper {
    package var properties: LogProperties { base.properties }

    package func append(_ batch: [LogAppend]) -> [AppendResult] { base.append(batch) }

    package func sessions() throws(LogFailure) -> [LogSession] { try base.sessions() }

    package func session(named name: String) throws(LogFailure) -> LogSession? {
        try base.session(named: name)
    }

    package func bounds(of session: LogSession) throws(LogFailure) -> LogBounds? {
        try base.bounds(of: session)
    }

    package func tail(
        of session: LogSession, after revision: Int64, limit: Int
    ) throws(LogFailure) -> [LogEntry] {
        try base.tail(of: session, after: revision, limit: limit)
    }

    package func write(_ snapshot: LogSnapshot, of session: LogSession) throws(LogFailure) {
        try base.write(snapshot, of: session)
    }

    package func start(of session: LogSession) throws(LogFailure) -> LogStart {
        try base.start(of: session)
    }

    package func snapshot(
        of session: LogSession, atOrBefore revision: Int64
    ) throws(LogFailure) -> LogSnapshot? {
        try base.snapshot(of: session, atOrBefore: revision)
    }

    package func snapshotRevisions(of session: LogSession) throws(LogFailure) -> [Int64] {
        try base.snapshotRevisions(of: session)
    }

    package var statistics: LogStatistics? { base.statistics }
    package var trouble: String? { base.trouble }
    package var contact: LogContact? { base.contact }
    package var age: Duration? { base.age }
    package var commonVersions: LogVersions? { base.commonVersions }
    package var isReplaced: Bool { base.isReplaced }
    package var isShortOfSpace: Bool { base.isShortOfSpace }

    @discardableResult
    package func truncate(
        _ session: LogSession, through revision: Int64
    ) throws(LogFailure) -> ClosedRange<Int64>? {
        try base.truncate(session, through: revision)
    }

    package func forget(_ session: LogSession) throws(LogFailure) { try base.forget(session) }

    package func confirm(
        _ question: LogQuestion, then: @escaping @Sendable (Result<LogHeads, LogFailure>) -> Void
    ) {
        base.confirm(question, then: then)
    }

    package func follow(_ follower: any LogFollower) -> LogSubscription { base.follow(follower) }
}
