// A log that ends with the process. Several stores may share one, as processes share a disk.

import SessionLog
import Synchronization

/// Everything is behind one lock. Followers are called without that lock, one append after the other.
package final class MemoryLog: SessionLog {
    private struct Entries {
        /// The entries that were not truncated; revisions are consecutive and end with `head`.
        var list: [LogEntry] = []
        /// The newest revision, 0 before the first entry.
        var head: Int64 = 0
        var headChecksum: UInt64 = 0
        /// The checksum of the entry before the oldest one that is here.
        var baseChecksum: UInt64 = 0
        var isDeleted = false
        var snapshot: LogSnapshot?

        var base: Int64 { head - Int64(list.count) }

        func checksum(of revision: Int64) -> UInt64? {
            if revision == base { return baseChecksum }
            guard revision > base, revision <= head else { return nil }
            return list[Int(revision - base) - 1].checksum
        }
    }

    private struct State {
        var entries: [LogSession: Entries] = [:]
        var names: [String: LogSession] = [:]
        /// The notes of streams of each process for each lease, and that of renewals, which is no process's.
        var leases: [LogLease: [String: LogLeases.State]] = [:]
        var leaseChange: Int64 = 0

        mutating func take(_ notes: LeaseNotes) {
            for (lease, note) in notes.byLease {
                leaseChange += 1
                leases[lease, default: [:]][notes.process] =
                    note == .held ? LogLeases.State(isHeld: true, change: leaseChange) : nil
                leases[lease]?["renewed"] =
                    note == .gone ? nil : LogLeases.State(isHeld: false, change: leaseChange)
            }
        }

        func isRenewed(_ leases: LeaseGuard) -> Bool {
            leases.leases.contains { lease in
                self.leases[lease]?.values.contains { $0.change > leases.mark } ?? false
            }
        }

        var allLeases: LogLeases {
            var all = LogLeases()
            all.mark = leaseChange
            for (lease, byProcess) in leases {
                for state in byProcess.values {
                    if all.states[lease]?.add(state) == nil { all.states[lease] = state }
                }
            }
            return all
        }
    }

    package let properties: LogProperties
    private let state = Mutex(State())
    private let followers = LogFollowers()
    /// Held while an append is made and delivered.
    private let appending = Mutex(())

    package init(
        maxEntryBytes: Int = .max, maxBatchEntries: Int = .max, maxBatchBytes: Int = .max,
        appendsAtATime: Int = 1
    ) {
        properties = LogProperties(
            durability: "memory", maxEntryBytes: maxEntryBytes, maxBatchEntries: maxBatchEntries,
            maxBatchBytes: maxBatchBytes, appendsAtATime: appendsAtATime)
    }

    /// How many entries come with a conflict.
    private static let toldMax = 16

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
            return appending.withLock { _ in
                let result = state.withLock { Self.append(part, &$0) }
                if result == .appended, !part.entries.isEmpty {
                    followers.appended(part.entries, to: part.session)
                }
                return result
            }
        }
    }

    private static func append(_ part: LogAppend, _ state: inout State) -> AppendResult {
        let session = part.session
        var entries = state.entries[session] ?? Entries()
        let holder = part.expecting == 0 ? state.names[session.name] : nil
        guard entries.head == part.expecting, !entries.isDeleted, holder == nil else {
            return .conflict(
                LogConflict(
                    head: entries.head, holder: holder, isDeleted: entries.isDeleted,
                    entries: Array(
                        entries.list.drop { $0.revision <= part.expecting }.prefix(toldMax))))
        }
        guard let first = part.entries.first, let last = part.entries.last else {
            return .appended
        }
        guard first.previous == entries.headChecksum else {
            return .refused(reason: LogAppend.brokenChain(first))
        }
        if let leases = part.leases, state.isRenewed(leases) { return .leaseRenewed }
        entries.list += part.entries
        entries.head = last.revision
        entries.headChecksum = last.checksum
        entries.isDeleted = last.kind == .tombstone
        state.entries[session] = entries
        state.names[session.name] = entries.isDeleted ? nil : session
        return .appended
    }

    // MARK: - Reading

    package func sessions() -> [LogSession] {
        state.withLock { Array($0.names.values) }
            .sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
    }

    package func session(named name: String) -> LogSession? { state.withLock { $0.names[name] } }

    package func bounds(of session: LogSession) -> LogBounds? {
        state.withLock { state in
            guard let entries = state.entries[session], entries.head > 0 else { return nil }
            return LogBounds(
                oldest: entries.base + 1, head: entries.head, isDeleted: entries.isDeleted)
        }
    }

    package func tail(
        of session: LogSession, after revision: Int64, limit: Int
    ) -> [LogEntry] {
        state.withLock { state in
            guard let entries = state.entries[session], limit > 0, revision < entries.head else {
                return []
            }
            return Array(
                entries.list.dropFirst(Int(max(revision, entries.base) - entries.base))
                    .prefix(limit))
        }
    }

    // MARK: - Snapshots and truncation

    package func write(_ snapshot: LogSnapshot, of session: LogSession) throws(LogFailure) {
        let isWritten = state.withLock { state in
            guard let entries = state.entries[session] else { return false }
            if let newest = entries.snapshot, snapshot.revision < newest.revision { return true }
            guard snapshot.revision > 0,
                entries.checksum(of: snapshot.revision) == snapshot.checksum
            else { return false }
            state.entries[session]?.snapshot = snapshot
            return true
        }
        guard isWritten else {
            throw LogFailure(
                .snapshotMismatch,
                "the log has no entry of revision \(snapshot.revision) with that checksum")
        }
    }

    package func snapshot(of session: LogSession, atOrBefore revision: Int64) -> LogSnapshot? {
        let newest = state.withLock { $0.entries[session]?.snapshot }
        return newest.flatMap { $0.revision <= revision ? $0 : nil }
    }

    @discardableResult
    package func truncate(
        _ session: LogSession, through revision: Int64
    ) throws(LogFailure) -> ClosedRange<Int64>? {
        try state.withLock { state throws(LogFailure) in
            guard var entries = state.entries[session] else { return nil }
            let last = min(revision, entries.head)
            guard last > entries.base, let checksum = entries.checksum(of: last) else { return nil }
            let covered = entries.snapshot?.revision ?? 0
            guard last <= covered else {
                throw LogFailure(
                    .notCovered(snapshot: covered),
                    "the newest snapshot is of revision \(covered); \(last) is beyond it")
            }
            let dropped = (entries.base + 1)...last
            entries.list.removeFirst(dropped.count)
            entries.baseChecksum = checksum
            state.entries[session] = entries
            return dropped
        }
    }

    package func forget(_ session: LogSession) throws(LogFailure) {
        let isRefused = state.withLock { state in
            guard let entries = state.entries[session], entries.head > 0 else { return false }
            if entries.isDeleted { state.entries[session] = nil }
            return !entries.isDeleted
        }
        if isRefused {
            throw LogFailure(.notDeleted, "the session '\(session.name)' has no tombstone")
        }
    }

    package func confirm(
        _ question: LogQuestion, then: @escaping @Sendable (Result<LogHeads, LogFailure>) -> Void
    ) {
        // What is in the log is delivered by then.
        then(
            appending.withLock { _ in
                let leases = state.withLock { state in
                    if let notes = question.leaseNotes { state.take(notes) }
                    return question.wantsLeases ? state.allLeases : nil
                }
                return Result { () throws(LogFailure) in
                    var heads = try heads(question)
                    heads.leases = leases
                    return heads
                }
            })
    }

    /// A process has died, and the log has noticed.
    package func forgetLeases(of process: String) {
        state.withLock { state in
            for lease in state.leases.keys { state.leases[lease]?[process] = nil }
        }
    }

    package func follow(_ follower: any LogFollower) -> LogSubscription { followers.add(follower) }
}
