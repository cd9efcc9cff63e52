// A log whose calls fail in the order that a test wrote down: full disks, broken connections, and
// flushes after which the log cannot say what it has.

import SessionLog
import Synchronization

/// Takes the results of appends from a script; without a script it is the log below.
package final class FailingLog: LogWrapper {
    package enum Step: Sendable {
        /// The log below answers.
        case pass
        /// Nothing is written.
        case refused(reason: String = "the disk is full")
        /// The result is unknown. If `written`, the log below gets the entries.
        case unknown(written: Bool, reason: String = "the flush failed")
        /// Nothing is written, and the append meets this conflict, real or not.
        case conflict(LogConflict)
    }

    private struct State {
        var script: [Step]
        var readFailure: LogFailure?
        var upkeepFailure: LogFailure?
        var untold: String?
    }

    package let base: any SessionLog
    private let state: Mutex<State>

    /// - Parameter script: one step for each part of a batch, in order; then all parts pass.
    package init(_ base: any SessionLog = MemoryLog(), script: [Step] = []) {
        self.base = base
        state = Mutex(State(script: script))
    }

    /// Adds to the script.
    package func add(_ steps: Step...) { state.withLock { $0.script += steps } }

    /// From now on reads (sessions, bounds, tail, newest snapshot, confirmations) fail with this, or pass if nil.
    package func failReads(with failure: LogFailure?) {
        state.withLock { $0.readFailure = failure }
    }

    /// From now on snapshots, truncation and `forget` fail with this, or pass if nil.
    package func failUpkeep(with failure: LogFailure?) {
        state.withLock { $0.upkeepFailure = failure }
    }

    /// From now on the log has no room for notes of leases, for this reason, or takes them if nil.
    package func refuseNotes(_ reason: String?) { state.withLock { $0.untold = reason } }

    // MARK: - Appending

    package func append(_ batch: [LogAppend]) -> [AppendResult] {
        let steps = state.withLock { state in
            let steps = Array(state.script.prefix(batch.count))
            state.script.removeFirst(steps.count)
            return steps
        }
        // Without a step the batch stays whole, since the log below limits its size.
        guard !steps.isEmpty else { return base.append(batch) }
        return batch.enumerated().map { index, part in
            append(part, step: index < steps.count ? steps[index] : .pass)
        }
    }

    private func append(_ part: LogAppend, step: Step) -> AppendResult {
        switch step {
        case .pass: return base.append([part])[0]
        case .refused(let reason): return .refused(reason: reason)
        case .unknown(let written, let reason):
            if written { _ = base.append([part]) }
            return .unknown(reason: reason)
        case .conflict(let conflict): return .conflict(conflict)
        }
    }

    // MARK: - The other calls

    private func checkReads() throws(LogFailure) {
        if let failure = state.withLock({ $0.readFailure }) { throw failure }
    }

    private func checkUpkeep() throws(LogFailure) {
        if let failure = state.withLock({ $0.upkeepFailure }) { throw failure }
    }

    package func sessions() throws(LogFailure) -> [LogSession] {
        try checkReads()
        return try base.sessions()
    }

    package func session(named name: String) throws(LogFailure) -> LogSession? {
        try checkReads()
        return try base.session(named: name)
    }

    package func bounds(of session: LogSession) throws(LogFailure) -> LogBounds? {
        try checkReads()
        return try base.bounds(of: session)
    }

    package func tail(
        of session: LogSession, after revision: Int64, limit: Int
    ) throws(LogFailure) -> [LogEntry] {
        try checkReads()
        return try base.tail(of: session, after: revision, limit: limit)
    }

    package func confirm(
        _ question: LogQuestion, then: @escaping @Sendable (Result<LogHeads, LogFailure>) -> Void
    ) {
        if let failure = state.withLock({ $0.readFailure }) { return then(.failure(failure)) }
        guard let reason = state.withLock({ $0.untold }) else {
            return base.confirm(question, then: then)
        }
        var others = question
        others.leaseNotes = nil
        base.confirm(others) { heads in
            then(
                heads.map {
                    var heads = $0
                    heads.untold = reason
                    return heads
                })
        }
    }

    package func snapshot(
        of session: LogSession, atOrBefore revision: Int64
    ) throws(LogFailure) -> LogSnapshot? {
        try checkReads()
        return try base.snapshot(of: session, atOrBefore: revision)
    }

    package func write(_ snapshot: LogSnapshot, of session: LogSession) throws(LogFailure) {
        try checkUpkeep()
        try base.write(snapshot, of: session)
    }

    @discardableResult
    package func truncate(
        _ session: LogSession, through revision: Int64
    ) throws(LogFailure) -> ClosedRange<Int64>? {
        try checkUpkeep()
        return try base.truncate(session, through: revision)
    }

    package func forget(_ session: LogSession) throws(LogFailure) {
        try checkUpkeep()
        try base.forget(session)
    }
}
