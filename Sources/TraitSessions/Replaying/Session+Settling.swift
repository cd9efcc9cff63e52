// The effect of the log's answer on a session. Acknowledged commits become visible, and refused
// ones are undone. Where another writer was first, the session replays the entries of that writer
// and decides its own pending writes again.

import JSONCodec
import SessionLog
import TraitEngine
import TraitJSON

extension Session {
    /// Acts on the log's answer to the oldest pending commits. Runs without the lock. The responses of
    /// commits that are not in the log get the reason.
    ///
    /// - Returns: whether the commits are in the log, or were decided again before the answer came.
    func settle(
        _ result: AppendResult, of commits: some BidirectionalCollection<RetainedCommit>,
        wakes: inout WakeList
    ) -> Bool {
        let error: SessionError
        switch result {
        case .appended:
            let isShort = writer?.log.isShortOfSpace ?? false
            let isSnapshotDue = withState { state in
                // Responses are released once for all commits of the batch.
                for commit in commits where state.queue.isPending(commit) {
                    // A copy of the acknowledged state may have had the commit made again.
                    let same = state.queue.pending.first?.commit ?? commit
                    state.acknowledge(same, wakes: &wakes, releases: false)
                }
                state.queue.release(through: state.acknowledged, wakes: &wakes)
                return state.countForSnapshot(commits, isShort: isShort)
            }
            if isSnapshotDue { writer?.snapshotter.submit(self) }
            return true
        case _ where !withState({ $0.queue.isPending(commits.last) }):
            // The log's entries have come before its answer (`deliver`).
            return true
        case .refused(let reason):
            error = SessionError(
                .storageFull, "The log refused the commit: \(reason). Nothing changed.")
        case .full(let reason, let disk): error = .storageFull(reason, disk)
        case .unavailable(let reason):
            error = SessionError(
                .logUnavailable, "The log takes no commits: \(reason). Nothing changed.")
        case .denied(let reason): error = .logRefused(reason)
        case .conflict(let conflict):
            withState(\.upkeep.reported.meters)?.add(.conflicts, stripe: wakes.stripe)
            return readAgain(commits, conflict.entries, unknown: nil, wakes: &wakes)
        case .unknown(let reason):
            return readAgain(commits, [], unknown: reason, wakes: &wakes)
        case .leaseRenewed:
            withState { $0.decideWithoutEnds(wakes: &wakes) }
            return true
        }
        withState { $0.withdraw(with: error, wakes: &wakes) }
        return false
    }

    /// Reads what the log has of commits that it may not have taken, or not alone.
    ///
    /// - Parameters:
    ///   - told: entries that came with the log's answer.
    ///   - unknown: why the log did not confirm the commits; nil when another writer was first.
    /// - Returns: whether the commits are in the log.
    private func readAgain(
        _ commits: some BidirectionalCollection<RetainedCommit>, _ told: [LogEntry],
        unknown: String?, wakes: inout WakeList
    ) -> Bool {
        let tail: [LogEntry]
        do throws(LogFailure) {
            tail = try unseenTail(told)
        } catch {
            let error = SessionError(
                .logUnavailable,
                "The log does not answer: \(error). Read again to learn whether the write happened."
            )
            withState { $0.withdraw(with: error, wakes: &wakes) }
            return false
        }
        if let unknown, tail.isEmpty {
            let error = SessionError(
                .logUnavailable,
                "The log did not confirm the commit: \(unknown). The session does not show it; after "
                    + "a restart of the server it may.")
            withState { $0.withdraw(with: error, wakes: &wakes) }
            return false
        }
        let isGone = tail.isEmpty && isForgotten()
        return withState { state in
            if isGone {
                state.endWithout(.sessionDeleted, wakes: &wakes)
                return false
            }
            // A failure is the answer of the writes that wait.
            return
                (try? state.reconcile(
                    with: tail[...], last: commits.last?.entry, Replayer(), wakes: &wakes)) ?? false
        }
    }

    /// The entries of the log after the acknowledged revision. Runs without the lock.
    ///
    /// - Parameter told: entries that are known to be in the log, one after another; they need not be read.
    func unseenTail(_ told: [LogEntry]) throws(LogFailure) -> [LogEntry] {
        guard let log else { return [] }
        var after = withState(\.acknowledged)
        if told.first?.revision == after + 1 { return told }
        var entries: [LogEntry] = []
        while true {
            let next = try log.tail(of: logSession, after: after, limit: Self.tailEntriesMax)
            entries += next
            guard next.count == Self.tailEntriesMax, let last = next.last else { return entries }
            after = last.revision
        }
    }

    private static let tailEntriesMax = 1_024

    /// Whether the log had the session and has forgotten it: another writer has deleted it. Runs
    /// without the lock.
    func isForgotten() -> Bool {
        guard let log, withState({ $0.acknowledged > 0 && !$0.isDeleted }) else { return false }
        return Self.isForgotten(logSession, log)
    }

    static func isForgotten(_ logSession: LogSession, _ log: any SessionLog) -> Bool {
        do throws(LogFailure) {
            return try log.bounds(of: logSession) == nil
        } catch {
            return false
        }
    }
}

extension SessionState {
    /// Makes a commit visible that is in the log.
    ///
    /// - Parameter releases: whether the responses that wait for the commit are released; otherwise
    ///   the caller releases them.
    func acknowledge(_ commit: RetainedCommit, wakes: inout WakeList, releases: Bool = true) {
        queue.popFirst()
        upkeep.reported.meters?.add(.commits, stripe: wakes.stripe)
        if commit.entry.kind == .tombstone {
            surroundings.events.add(commit, of: identity)
            return end(wakes: &wakes)
        }
        if commit.revision == 1 { surroundings.events.add(commit, of: identity) }
        queue.acknowledged = commit.revision
        queue.acknowledgedTime = commit.entry.time
        // The engine may give the index of a watch that the commit ends to another one from here on.
        if !streams.feeds.orphans.isEmpty { removeOrphans() }
        hierarchy.acknowledge(through: commit.revision)
        annotations.acknowledge(through: commit.revision)
        streams.retained.append(commit)
        if commit.changesDefinitions { streams.noteDefinitions(commit) }
        for ending in commit.endings {
            if let key = ending.key { registrationNotes[key] = nil }
        }
        reportSize(stripe: wakes.stripe)
        streams.feeds.publish(
            commit, oldest: streams.retained.oldestRevision ?? commit.revision, wakes: &wakes)
        if commit.hasRenames { renameFeeds(commit, wakes: &wakes) }
        if streams.feeds.hasKeyless, commit.makesMembers {
            completeFeeds(after: commit.revision, wakes: &wakes)
        }
        if !streams.feeds.orphans.isEmpty { removeOrphans() }
        if !streams.awaiting.isEmpty { streams.wakeAwaiting(&wakes) }
        if releases { queue.release(through: commit.revision, wakes: &wakes) }
    }

    /// Undoes every pending commit and refuses the writes behind them. Pending reads are handled
    /// again.
    func withdraw(with error: SessionError, wakes: inout WakeList) {
        undoPending(wakes: &wakes)
        if head == 0 {
            queue.isDeleted = true
            streams.feeds.endAll(.error, at: 0, wakes: &wakes)
        }
        refuse(with: error, wakes: &wakes)
    }

    /// Refuses the pending writes. Pending reads are handled again.
    private func refuse(with error: SessionError, wakes: inout WakeList) {
        let acknowledged = acknowledged
        queue.decide(wakes: &wakes) { response in
            guard response.revision > acknowledged else { return nil }
            return response.hasCommit ? .refused(error) : .readAgain
        }
    }

    /// Ends a session that the log does not have. Pending requests are handled again.
    fileprivate func endWithout(_ reason: StreamReason, wakes: inout WakeList) {
        undoPending(wakes: &wakes)
        queue.isDeleted = true
        streams.feeds.endAll(reason, at: acknowledged, wakes: &wakes)
        queue.decide(wakes: &wakes) { _ in .readAgain }
    }

    /// Undoes every pending commit, newest first.
    private func undoPending(wakes: inout WakeList) {
        if queue.pending.isEmpty { return }
        queue.beginWithdrawal()
        var renames = false
        while let last = queue.undoLast() {
            if last.commit.entry.kind == .commit { undoEngine(wakes: &wakes) }
            registrationNotes.digest = last.notesDigestBefore
            if last.commit.hasRenames { renames = true }
        }
        if renames { refreshAsked(counts: false) }
        encodings.reset()
        registrationNotes.forget(after: head)
        outcomes.forget(after: head)
        streams.feeds.failRegistrations(after: head, renames: renames, wakes: &wakes)
        // Undoing may bring back members that feeds wait for.
        if streams.feeds.hasKeyless { completeFeeds(after: head, wakes: &wakes) }
        removeOrphans()
        streams.wakeAwaiting(&wakes)
        reportSize(stripe: wakes.stripe)
    }

    /// Undoes the engine's newest commit. Streams with watches on nodes that the commit created
    /// end.
    func undoEngine(wakes: inout WakeList) {
        for watch in hierarchy.undo() { streams.feeds.fail(watch, at: head, wakes: &wakes) }
        if annotations.undo(after: head) { noteExpiries() }
        removeOrphans()
    }

    /// A snapshot of the acknowledged state. The pending commits are undone for it and applied again, so that no
    /// write pays for a state that is read only while the log does not answer. O(pending operations).
    ///
    /// - Returns: nil when no commit is pending.
    /// - Throws: `unknownSession` while the log does not have the session, and what `snapshot` throws.
    func snapshotAcknowledged(
        wakes: inout WakeList
    ) throws(SessionError) -> SessionSnapshot? {
        guard acknowledged < head, !isDeleted else { return nil }
        guard acknowledged > 0 else {
            throw SessionError(.unknownSession, "The log does not have the session '\(name)' yet.")
        }
        let (pending, sentCount) = (queue.pending, queue.sentCount)
        let withdrawals = queue.withdrawals
        undoPending(wakes: &wakes)
        let snapshot = Result { () throws(SessionError) in try self.snapshot(isCounted: false) }
        let replayer = Replayer()
        do throws(SessionError) {
            for one in pending {
                let isEnd = one.commit.entry.kind == .tombstone
                let commit = isEnd ? one.commit : try redo(one.commit, with: replayer)
                queue.append(
                    commit, notesDigestBefore: one.notesDigestBefore, nodes: one.nodes)
            }
            // The states that streams wait for are those that they were.
            queue.restore(sentCount: sentCount, withdrawals: withdrawals)
        } catch {
            // No entry is known that is applied once and not twice. The log has it, or will.
            withdraw(with: .outcomeUnknown, wakes: &wakes)
            throw error
        }
        return try snapshot.get()
    }

    /// Takes over entries of the log. Pending commits that are in the log are acknowledged. From the first
    /// difference on, pending commits are undone, the log's entries are applied, and the pending writes are
    /// decided again, in their order.
    ///
    /// - Parameters:
    ///   - tail: entries one after another, which begin at the latest behind the acknowledged revision.
    ///   - last: the entry that the caller waits for; nil for none.
    /// - Returns: whether that entry is in the log.
    /// - Throws: the first entry that cannot be applied. The writes that wait are refused with it.
    func reconcile(
        with tail: ArraySlice<LogEntry>, last: LogEntry?, _ replayer: Replayer,
        wakes: inout WakeList
    ) throws(ReplayError) -> Bool {
        // The entries may be those that have ended the session.
        if isDeleted { return false }
        var isKept = false
        var rest = tail.drop { $0.revision <= acknowledged }
        while let entry = rest.first, let oldest = queue.pending.first,
            oldest.commit.entry.checksum == entry.checksum
        {
            if entry.checksum == last?.checksum { isKept = true }
            acknowledge(oldest.commit, wakes: &wakes)
            rest.removeFirst()
        }
        if acknowledged == 0, rest.isEmpty {
            // Another writer holds the name. The request is handled again and finds its session.
            endWithout(.error, wakes: &wakes)
            return false
        }
        // Further pending commits follow the log's head.
        if rest.isEmpty { return isKept }
        undoPending(wakes: &wakes)
        // The responses wait for withdrawn revisions. New commits will have the same numbers.
        let waiting = queue.takeResponses()
        do throws(ReplayError) {
            try apply(rest, with: replayer, wakes: &wakes)
        } catch {
            for response in waiting {
                response.revision = .max
                queue.add(response)
            }
            refuse(with: SessionError(error, of: name), wakes: &wakes)
            throw error
        }
        decideAgain(waiting, wakes: &wakes)
        return isKept
    }

    /// Decides the pending writes again, of which the first one would have ended leases that another process has
    /// renewed. No lease ends until the notes of the others are known.
    fileprivate func decideWithoutEnds(wakes: inout WakeList) {
        surroundings.leases?.forgetMark()
        undoPending(wakes: &wakes)
        decideAgain(queue.takeResponses(), wakes: &wakes)
    }

    /// Decides every pending write again, in the order in which the writes came.
    private func decideAgain(_ waiting: [PendingResponse], wakes: inout WakeList) {
        let text = TextBuffer()
        for response in waiting {
            guard let write = response.write, !isDeleted else {
                response.decide(.readAgain, wakes: &wakes)
                continue
            }
            var body = JSONWriter()
            do throws(SessionError) {
                let decided = try decide(
                    write.proposal, text: text, body: &body,
                    .long(LongWrite(of: write.proposal.options.caller)), wakes: &wakes)
                response.record(decided.outcome, head: head, body: body.array())
                response.revision = head
                response.hasCommit = decided.commit != nil
                if let commit = decided.commit {
                    enqueue(commit, notesDigestBefore: decided.notesDigestBefore)
                }
                queue.add(response)
            } catch {
                if let decision = refusal(response, error) {
                    response.decide(decision, wakes: &wakes)
                }
            }
        }
        queue.release(through: acknowledged, wakes: &wakes)
    }
}

extension SessionError {
    /// The error for a log with too little room.
    static func storageFull(_ reason: String, _ disk: DiskRoom?) -> SessionError {
        guard let disk else {
            return SessionError(
                .storageFull,
                "Nothing changed: \(reason). Make room there; writes go on by themselves.")
        }
        return SessionError.limit(
            .storageFull,
            "Nothing changed: \(reason). \(disk.freeBytes) bytes are free, and --limit min-free-disk=\(disk.minFreeBytes) stay so. Make room; writes go on by themselves.",
            name: "minFreeDisk", value: Int(clamping: disk.minFreeBytes)
        ).with("current", disk.freeBytes)
    }
}
