// Entries of a log that others write to, too, as they come to a session of this process. The session may have
// pending commits of its own: some of the entries are these, and others came first.

import SessionLog

extension Session {
    /// Takes over entries that the log has. Entries may come twice, in any order, and with gaps between them; the
    /// session reads from the log what is missing. Runs without the lock.
    ///
    /// - Parameter entries: nil to take over all that the log has.
    /// - Throws: the first entry that cannot be applied. The entries before it are applied.
    func deliver(
        _ entries: [LogEntry]?, with replayer: Replayer = Replayer()
    ) throws(ReplayError) {
        guard let log else { return }
        var told = (entries ?? [])[...]
        while true {
            let (acknowledged, isOver) = withState { ($0.acknowledged, $0.isDeleted) }
            if isOver { return }
            told = told.drop { $0.revision <= acknowledged }
            if told.isEmpty, entries != nil { return }
            var next = Self.run(of: told, after: acknowledged)
            if next.isEmpty {
                next = try Self.next(of: logSession, log, after: acknowledged, environment)[...]
            }
            if next.isEmpty {
                if isForgotten() { vanish() }
                return
            }
            var wakes = WakeList()
            defer { wakes.wake() }
            if withState({ $0.acknowledgeOwn(next, wakes: &wakes) }) { continue }
            let isDeleted = try own(showsBefore: false, wakes: &wakes) {
                state, wakes throws(ReplayError) in
                _ = try state.reconcile(with: next, last: nil, replayer, wakes: &wakes)
                return state.isDeleted
            }
            if isDeleted { return vanish() }
        }
    }

    /// The first entries of a list, as far as they follow a revision and one another.
    private static func run(
        of entries: ArraySlice<LogEntry>, after revision: Int64
    ) -> ArraySlice<LogEntry> {
        var count = 0
        for entry in entries.prefix(entriesAtATime) {
            guard entry.revision == revision + Int64(count) + 1 else { break }
            count += 1
        }
        return entries.prefix(count)
    }

    /// Takes over the entries that the log has and the session has not.
    ///
    /// - Throws: the first entry that cannot be applied. The entries before it are applied.
    package func catchUp(with replayer: Replayer = Replayer()) throws(ReplayError) {
        try deliver(nil, with: replayer)
    }

    /// Another object has taken the place of this one. Streams end and connect again. A pending write may be in the
    /// log, so its outcome is unknown.
    func giveWay() {
        var wakes = WakeList()
        withState { state in
            if state.isDeleted { return }
            state.withdraw(with: .outcomeUnknown, wakes: &wakes)
            state.end(.error, wakes: &wakes)
        }
        wakes.wake()
    }

    /// The log has the session's tombstone, or had it and has forgotten the session.
    private func vanish() {
        var wakes = WakeList()
        withState { if !$0.isDeleted { $0.end(wakes: &wakes) } }
        finishEnd(wakes: &wakes)
        wakes.wake()
    }
}

extension SessionState {
    /// Acknowledges the oldest pending commits that are these entries. That is quick, so no thread has to own the session,
    /// and the writes of others need not wait in its queue.
    ///
    /// - Returns: whether there were any.
    fileprivate func acknowledgeOwn(
        _ entries: ArraySlice<LogEntry>, wakes: inout WakeList
    ) -> Bool {
        let before = acknowledged
        for entry in entries where entry.revision > before {
            guard let oldest = queue.pending.first?.commit, oldest.entry.kind == .commit,
                oldest.entry.checksum == entry.checksum, !oldest.takesLongToPublish
            else { break }
            acknowledge(oldest, wakes: &wakes, releases: false)
        }
        if acknowledged > before { queue.release(through: acknowledged, wakes: &wakes) }
        return acknowledged > before
    }
}
