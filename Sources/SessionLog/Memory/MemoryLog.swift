// The default log: entries live as long as the process. An append is acknowledged before it
// returns and takes two short locks, so a commit costs little beyond itself.

import Synchronization

package final class MemoryLog: SessionLog {
    private struct Directory {
        /// Sessions with entries, deleted ones included, and sessions that are subscribed to.
        var entries: [LogSession: SessionEntries] = [:]
        /// The live sessions.
        var names: [String: LogSession] = [:]
        var lastSubscription: UInt64 = 0
    }

    package let properties: LogProperties
    private let directory = Mutex(Directory())

    package init(maxEntryBytes: Int = .max, maxBatchEntries: Int = .max) {
        properties = LogProperties(
            durability: "memory", survivesRestart: false, answersAtOnce: true,
            maxEntryBytes: maxEntryBytes, maxBatchEntries: maxBatchEntries)
    }

    private func entries(of session: LogSession) -> SessionEntries? {
        directory.withLock { $0.entries[session] }
    }

    // MARK: - Appending

    package func append(_ batch: [LogAppend]) -> [AppendResult] {
        var left = properties.maxBatchEntries
        return batch.map { part in
            guard part.entries.count <= left else {
                left = 0
                return .refused(
                    reason: "the batch has more than \(properties.maxBatchEntries) entries")
            }
            left -= part.entries.count
            if let reason = part.malformation(for: properties) { return .refused(reason: reason) }
            return append(part)
        }
    }

    package func append(
        _ entry: LogEntry, to session: LogSession, expecting revision: Int64
    ) -> AppendResult {
        guard revision > 0, entry.kind == .commit, entry.revision - 1 == revision,
            entry.payload.count <= properties.maxEntryBytes
        else {
            let part = LogAppend(session: session, entries: [entry], expecting: revision)
            return append([part])[0]
        }
        guard let entries = entries(of: session) else { return .conflict(LogConflict(head: 0)) }
        let outcome = entries.append(CollectionOfOne(entry), expecting: revision)
        for subscriber in outcome.subscribers { subscriber.entriesAppended(session) }
        return outcome.result
    }

    /// Appends a part whose form was checked. Holds the directory's lock throughout where a name
    /// changes hands.
    private func append(_ part: LogAppend) -> AppendResult {
        let outcome: SessionEntries.Outcome
        if part.expecting == 0 {
            outcome = directory.withLock { Self.create(part, in: &$0) }
        } else if part.entries.last?.kind == .tombstone {
            outcome = directory.withLock { Self.delete(part, in: &$0) }
        } else if let entries = entries(of: part.session) {
            outcome = entries.append(part.entries, expecting: part.expecting)
        } else {
            return .conflict(LogConflict(head: 0))
        }
        for subscriber in outcome.subscribers { subscriber.entriesAppended(part.session) }
        return outcome.result
    }

    private static func create(
        _ part: LogAppend, in directory: inout Directory
    ) -> SessionEntries.Outcome {
        let session = part.session
        let known = directory.entries[session]
        let holder = directory.names[session.name]
        let bounds = known?.bounds
        guard bounds == nil, holder == nil else {
            let conflict = LogConflict(
                head: bounds?.head ?? 0, holder: holder, isDeleted: bounds?.isDeleted ?? false)
            return SessionEntries.Outcome(result: .conflict(conflict))
        }
        guard let last = part.entries.last else {
            return SessionEntries.Outcome(result: .appended)
        }
        let entries = known ?? SessionEntries()
        let outcome = entries.append(part.entries, expecting: 0)
        guard outcome.result == .appended else { return outcome }
        directory.entries[session] = entries
        if last.kind != .tombstone { directory.names[session.name] = session }
        return outcome
    }

    private static func delete(
        _ part: LogAppend, in directory: inout Directory
    ) -> SessionEntries.Outcome {
        guard let entries = directory.entries[part.session] else {
            return SessionEntries.Outcome(result: .conflict(LogConflict(head: 0)))
        }
        let outcome = entries.append(part.entries, expecting: part.expecting)
        if outcome.result == .appended { directory.names[part.session.name] = nil }
        return outcome
    }

    // MARK: - Reading

    package func sessions() -> [LogSession] {
        directory.withLock { Array($0.names.values) }
            .sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
    }

    package func session(named name: String) -> LogSession? {
        directory.withLock { $0.names[name] }
    }

    package func bounds(of session: LogSession) -> LogBounds? { entries(of: session)?.bounds }

    package func tail(
        of session: LogSession, after revision: Int64, limit: Int
    ) -> [LogEntry] {
        entries(of: session)?.tail(after: revision, limit: limit) ?? []
    }

    // MARK: - Snapshots and truncation

    package func write(_ snapshot: LogSnapshot, of session: LogSession) throws(LogFailure) {
        guard let entries = entries(of: session) else {
            throw LogFailure(.snapshotMismatch, "the session has no entries")
        }
        try entries.write(snapshot)
    }

    package func newestSnapshot(of session: LogSession) -> LogSnapshot? {
        entries(of: session)?.state.withLock { $0.snapshot }
    }

    @discardableResult
    package func truncate(
        _ session: LogSession, through revision: Int64
    ) -> ClosedRange<Int64>? {
        entries(of: session)?.truncate(through: revision)
    }

    package func forget(_ session: LogSession) throws(LogFailure) {
        // The entries are released outside the lock, as there may be many.
        let (forgotten, isRefused) = directory.withLock {
            directory -> (SessionEntries?, Bool) in
            guard let bounds = directory.entries[session]?.bounds else { return (nil, false) }
            guard bounds.isDeleted else { return (nil, true) }
            return (directory.entries.removeValue(forKey: session), false)
        }
        if let forgotten { forgotten.release() }
        if isRefused {
            throw LogFailure(.notDeleted, "the session '\(session.name)' has no tombstone")
        }
    }

    // MARK: - Following

    package func subscribe(
        to session: LogSession, _ subscriber: any LogSubscriber
    ) -> LogSubscription {
        let id = directory.withLock { directory in
            directory.lastSubscription += 1
            let entries = directory.entries[session] ?? SessionEntries()
            directory.entries[session] = entries
            let id = directory.lastSubscription
            entries.state.withLock { $0.subscribers.append((id, subscriber)) }
            return id
        }
        return LogSubscription { [weak self] in self?.unsubscribe(id, from: session) }
    }

    private func unsubscribe(_ id: UInt64, from session: LogSession) {
        // The subscriber is released outside the locks, as its end may call the log.
        let removed = directory.withLock { directory -> (any LogSubscriber)? in
            guard let entries = directory.entries[session] else { return nil }
            return entries.state.withLock { state in
                guard let index = state.subscribers.firstIndex(where: { $0.id == id }) else {
                    return nil
                }
                let removed = state.subscribers.remove(at: index).subscriber
                // A session that was only subscribed to leaves no trace.
                if state.head == 0, state.subscribers.isEmpty { directory.entries[session] = nil }
                return removed
            }
        }
        withExtendedLifetime(removed) {}
    }
}
