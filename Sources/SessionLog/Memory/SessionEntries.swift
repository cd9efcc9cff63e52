// What the memory log has of one session, behind a lock of its own, so that a long read of one
// session does not hold up the appends of another.

import Background
import DequeModule
import Synchronization

/// The entries of one session. The memory log never takes its directory's lock under this one.
final class SessionEntries: Sendable {
    struct State {
        /// The entries that were not truncated; revisions are consecutive and end with `head`.
        var entries: Deque<LogEntry> = []
        /// The newest revision, 0 before the first entry.
        var head: Int64 = 0
        var headChecksum: UInt64 = 0
        /// The checksum of the entry before the oldest one that is here.
        var baseChecksum: UInt64 = 0
        var isDeleted = false
        var snapshot: LogSnapshot?
        var subscribers: [(id: UInt64, subscriber: any LogSubscriber)] = []

        var oldest: Int64 { head - Int64(entries.count) + 1 }

        /// The checksum of the entry of that revision, if it is still known. O(1).
        func checksum(of revision: Int64) -> UInt64? {
            if revision == oldest - 1 { return baseChecksum }
            guard revision >= oldest, revision <= head else { return nil }
            return entries[Int(revision - oldest)].checksum
        }
    }

    let state = Mutex(State())

    struct Outcome {
        let result: AppendResult
        /// To be called when the caller has released its locks, as a subscriber may read the log.
        var subscribers: [any LogSubscriber] = []
    }

    /// Appends entries without a gap, whose form was checked. O(entries) amortised.
    func append(
        _ new: some RandomAccessCollection<LogEntry>, expecting revision: Int64
    ) -> Outcome {
        state.withLock { state in
            guard state.head == revision, !state.isDeleted else {
                let conflict = LogConflict(head: state.head, isDeleted: state.isDeleted)
                return Outcome(result: .conflict(conflict))
            }
            guard let first = new.first, let last = new.last else {
                return Outcome(result: .appended)
            }
            guard first.previous == state.headChecksum else {
                return Outcome(result: .refused(reason: LogAppend.brokenChain(first)))
            }
            for entry in new { state.entries.append(entry) }
            state.head = last.revision
            state.headChecksum = last.checksum
            state.isDeleted = last.kind == .tombstone
            guard !state.subscribers.isEmpty else { return Outcome(result: .appended) }
            return Outcome(result: .appended, subscribers: state.subscribers.map(\.subscriber))
        }
    }

    /// Entries that one step of a truncation drops at most under the lock.
    private static let truncationStepEntries = 512

    /// Drops entries in steps, so that an append waits for one step at most.
    func truncate(through revision: Int64) -> ClosedRange<Int64>? {
        let dropped = state.withLock { state -> ClosedRange<Int64>? in
            let last = min(revision, state.head)
            return last >= state.oldest ? state.oldest...last : nil
        }
        guard let dropped else { return nil }
        while true {
            let isDone = state.withLock { state in
                for _ in 0..<Self.truncationStepEntries {
                    guard state.oldest <= dropped.upperBound,
                        let entry = state.entries.popFirst()
                    else { return true }
                    state.baseChecksum = entry.checksum
                    if entry.payload.count > Self.releasedBytesMax {
                        Disposal.keepForAWhile(entry)
                    }
                }
                return false
            }
            if isDone { return dropped }
        }
    }

    /// As many entries are freed at once by the caller; more are freed on another thread.
    private static let releasedAtOnceMax = 64
    private static let releasedBytesMax = 262_144

    /// Frees all entries. No reader may be left.
    func release() {
        let (entries, snapshot) = state.withLock { state in
            defer {
                state.entries = []
                state.snapshot = nil
            }
            return (state.entries, state.snapshot)
        }
        let bytes = entries.prefix(Self.releasedAtOnceMax).reduce(0) { $0 + $1.payload.count }
        if entries.count <= Self.releasedAtOnceMax, bytes <= Self.releasedBytesMax, snapshot == nil
        {
            return
        }
        Disposal.keepForAWhile((entries, snapshot))
    }

    /// Nil before the first entry.
    var bounds: LogBounds? {
        state.withLock { state in
            guard state.head > 0 else { return nil }
            return LogBounds(
                oldest: state.oldest, head: state.head, isDeleted: state.isDeleted)
        }
    }

    func tail(after revision: Int64, limit: Int) -> [LogEntry] {
        state.withLock { state in
            guard limit > 0, revision < state.head else { return [] }
            let first = revision < state.oldest ? 0 : Int(revision - state.oldest) + 1
            return Array(state.entries[first..<first + min(limit, state.entries.count - first)])
        }
    }

    func write(_ snapshot: LogSnapshot) throws(LogFailure) {
        let isWritten = state.withLock { state in
            if let newest = state.snapshot, snapshot.revision < newest.revision { return true }
            guard snapshot.revision > 0,
                state.checksum(of: snapshot.revision) == snapshot.checksum
            else { return false }
            state.snapshot = snapshot
            return true
        }
        guard isWritten else {
            throw LogFailure(
                .snapshotMismatch,
                "the log has no entry of revision \(snapshot.revision) with that checksum")
        }
    }
}
