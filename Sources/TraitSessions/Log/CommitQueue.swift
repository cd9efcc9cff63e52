// A session's commits on their way to its log, and the responses that wait for them.

import DequeModule
import SessionLog
import TraitEngine

/// A commit that is applied but not acknowledged.
struct PendingCommit {
    let commit: RetainedCommit
    /// The session's checksum and notes' digest before it, for undoing it.
    let chainBefore: UInt64
    let notesDigestBefore: StateDigest
    /// The number of nodes after it.
    let nodes: Int32
}

/// The room of a batch for the log.
struct BatchRoom {
    var entries: Int
    var bytes: Int
    /// Whether the batch has no commit yet.
    var isEmpty = true

    init(_ properties: LogProperties) {
        entries = max(1, properties.maxBatchEntries)
        bytes = properties.maxBatchBytes
    }

    mutating func add(_ commits: [RetainedCommit]) {
        entries -= commits.count
        bytes -= commits.reduce(0) { $0 + $1.entry.payload.count }
        if !commits.isEmpty { isEmpty = false }
    }
}

struct CommitQueue {
    /// The newest revision that the log has acknowledged; without a log the head.
    var acknowledged: Int64 = 0
    /// The checksum of the head's entry, which the next entry's is chained to.
    var chain: UInt64 = 0
    /// Whether the session has ended.
    var isDeleted = false
    /// The number of nodes at the acknowledged revision, as long as commits are pending. It has its place beside
    /// `isDeleted`, as the memory of a session counts.
    var acknowledgedNodes: Int32 = 0
    /// The time of the newest acknowledged entry that this process has seen; 0 for none.
    var acknowledgedTime: Int64 = 0
    /// Commits that are applied but not acknowledged, oldest first.
    private(set) var pending = Deque<PendingCommit>()
    /// How many of `pending` the log writer has taken.
    private(set) var sentCount = 0
    /// Pending responses, which wait for a revision to be acknowledged, in no order.
    private(set) var responses: [PendingResponse] = []
    /// How often commits were undone. A head that was read before the last undo may be one of the undone
    /// commits.
    private(set) var withdrawals = 0

    /// The time of the head's entry. Clocks of several writers differ, and the times of a session never go back.
    var headTime: Int64 { pending.last?.commit.entry.time ?? acknowledgedTime }

    var hasUnsent: Bool { sentCount == 0 && !pending.isEmpty }

    /// Whether the newest pending commit is the session's end.
    var isEnding: Bool { pending.last?.commit.entry.kind == .tombstone }

    /// Adds a commit that was applied just now.
    mutating func append(_ commit: RetainedCommit, notesDigestBefore: StateDigest, nodes: Int32) {
        pending.append(
            PendingCommit(
                commit: commit, chainBefore: chain, notesDigestBefore: notesDigestBefore,
                nodes: nodes))
        chain = commit.entry.checksum
    }

    /// The commits that the log gets next, oldest first. They count as sent after this.
    ///
    /// - Returns: as many as fit, and at least one into an empty batch; nil when the next one does not fit.
    mutating func takeUnsent(into room: BatchRoom) -> [RetainedCommit]? {
        // The log acknowledges or refuses the commits that were sent before it gets others, to keep their order.
        guard sentCount == 0, !pending.isEmpty else { return [] }
        var commits: [RetainedCommit] = []
        var bytes = 0
        for next in pending.prefix(room.entries) {
            bytes += next.commit.entry.payload.count
            if bytes > room.bytes, !commits.isEmpty || !room.isEmpty { break }
            // A commit that leases can have refused is appended alone.
            if next.commit.leases != nil, !commits.isEmpty { break }
            commits.append(next.commit)
            if next.commit.leases != nil { break }
        }
        sentCount = commits.count
        return commits.isEmpty ? nil : commits
    }

    /// The log has not taken the commits that were sent.
    mutating func sendAgain() { sentCount = 0 }

    /// The commits are pending again that were undone for a moment, of which so many were sent.
    mutating func restore(sentCount: Int, withdrawals: Int) {
        self.sentCount = min(sentCount, pending.count)
        self.withdrawals = withdrawals
    }

    /// Whether the session waits for the log's answer to a commit. Another writer's entries may have come first,
    /// or the commit itself, before the answer. O(pending commits).
    func isPending(_ commit: RetainedCommit?) -> Bool {
        pending.contains { $0.commit.entry.checksum == commit?.entry.checksum }
    }

    /// The log has the oldest pending commit.
    mutating func popFirst() {
        guard let first = pending.popFirst() else { return }
        acknowledgedNodes = first.nodes
        sentCount = max(0, sentCount - 1)
    }

    /// Begins to undo the pending commits, each of which `undoLast` gives, the newest first.
    mutating func beginWithdrawal() {
        withdrawals += 1
        sentCount = 0
    }

    mutating func undoLast() -> PendingCommit? {
        guard let last = pending.popLast() else { return nil }
        chain = last.chainBefore
        return last
    }

    // MARK: - Responses

    mutating func add(_ response: PendingResponse) { responses.append(response) }

    mutating func takeResponses() -> [PendingResponse] {
        defer { responses = [] }
        return responses
    }

    /// Releases the responses that show no newer revision.
    mutating func release(through revision: Int64, wakes: inout WakeList) {
        if responses.isEmpty { return }
        decide(wakes: &wakes) { $0.revision <= revision ? .released : nil }
    }

    /// Decides responses. Those for which `decision` gives nil stay.
    mutating func decide(
        wakes: inout WakeList, _ decision: (PendingResponse) -> PendingResponse.Decision?
    ) {
        responses.removeAll { response in
            guard let decision = decision(response) else { return false }
            response.decide(decision, wakes: &wakes)
            return true
        }
    }
}
