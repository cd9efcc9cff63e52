// The queue of a session's long writes and of the writes behind them. A thread carries them out one
// after the other: those of one caller in the order of their arrival, and callers in turn. Event loops never do.

import Background
import DequeModule
import JSONCodec
import Ledger
import SessionLog
import Synchronization
import TraitEngine
import TraitJSON

/// A write that waits for its turn.
final class QueuedWrite: Sendable {
    enum Work: Sendable {
        case proposal(RetainedWrite)
        /// Work that changes nothing of the state.
        case other(@Sendable (SessionState) -> Void)
    }

    let work: Work
    let response: PendingResponse
    /// Whether the write is known to take long. Otherwise it is tried as a short one first.
    let isLong: Bool
    let caller: MemoryAccount?
    private let isInterrupted = Atomic(false)

    init(
        _ work: Work, _ response: PendingResponse, isLong: Bool, of caller: MemoryAccount?
    ) {
        self.work = work
        self.response = response
        self.isLong = isLong
        self.caller = caller
    }

    /// Whether a long write stops: its client is gone, or the session is to end.
    var hasToEnd: Bool { isInterrupted.load(ordering: .relaxed) || response.isAbandoned }

    func interrupt() { isInterrupted.store(true, ordering: .relaxed) }

    /// The write again, now that it is known to be long.
    var asLong: QueuedWrite { QueuedWrite(work, response, isLong: true, of: caller) }
}

/// Guarded by the mutex of the session's lock, also while the session is owned.
struct WriteQueue {
    /// Writes that come before the others.
    private var first = Deque<QueuedWrite>()
    private var turns = CallerTurns<QueuedWrite>()
    /// The one that is carried out.
    private var current: QueuedWrite?
    /// Whether a thread carries them out, or will. New writes then have to wait behind these.
    private(set) var isServed = false
    /// The next one goes on when the log has answered everything before it.
    private(set) var waitsForLog = false

    var isEmpty: Bool { first.isEmpty && turns.isEmpty }
    var count: Int { first.count + turns.count }

    /// Adds a write. Returns whether a thread has to begin.
    mutating func add(_ write: QueuedWrite) -> Bool {
        turns.add(write, of: write.caller.map(ObjectIdentifier.init))
        defer { isServed = true }
        return !isServed
    }

    /// Adds the end of the session before everything else, and has what is carried out stop.
    mutating func addEnd(_ write: QueuedWrite) -> Bool {
        first.append(write)
        current?.interrupt()
        defer { isServed = true }
        return !isServed
    }

    /// The present write is the next one again or, when it was stopped, behind the end of the session.
    mutating func putBack(_ write: QueuedWrite, isStopped: Bool) {
        if isStopped { first.append(write) } else { first.prepend(write) }
    }

    /// The caller of the next write.
    mutating func nextCaller() -> MemoryAccount? {
        first.isEmpty ? turns.peek()?.item.caller : first.first?.caller
    }

    /// Takes the next write; nil when there is none, or when it has to wait for the log.
    ///
    /// - Parameter isSettled: whether the log has answered everything.
    mutating func next(isSettled: Bool) -> QueuedWrite? {
        guard let next = first.first ?? turns.peek()?.item else {
            isServed = false
            return nil
        }
        // The state before a long write is what readers get, so it has to be acknowledged.
        if next.isLong, !isSettled {
            waitsForLog = true
            return nil
        }
        current = first.popFirst() ?? turns.next(charging: 1)?.item
        return current
    }

    /// The present write is over. Returns whether others wait.
    mutating func end() -> Bool {
        current = nil
        isServed = !isEmpty
        return isServed
    }

    /// Whether the queue goes on now that the log has answered everything.
    mutating func takeServingAfterLog() -> Bool {
        defer { waitsForLog = false }
        return waitsForLog
    }
}

extension Session {
    /// Puts a write behind those of its caller that wait. The answer waits for the response.
    ///
    /// - Parameters:
    ///   - document: what the proposal's values lie in, when that is the caller's to give away. Else
    ///     they are copied.
    ///   - isLong: whether the write is known to take long.
    package func queue(
        _ proposal: Proposal, in document: AnyObject? = nil, isLong: Bool
    ) -> PendingResponse {
        let write = RetainedWrite(proposal, in: document)
        let response = PendingResponse(revision: .max, write: write)
        queue(
            QueuedWrite(
                .proposal(write), response, isLong: isLong, of: proposal.options.caller))
        return response
    }

    /// Puts the session's end before the writes that wait, unless it depends on what they do.
    package func queueEnd(_ options: CommitOptions) -> PendingResponse {
        let response = PendingResponse(revision: .max)
        let write = RetainedWrite(Proposal(ending: options))
        queue(
            QueuedWrite(.proposal(write), response, isLong: true, of: options.caller),
            isEnd: !options.dryRun && options.condition.isNone)
        return response
    }

    /// Puts work that changes nothing of the state behind the writes that wait. A thread owns the session
    /// while it does the work. The response is released after it.
    package func queue(
        for caller: MemoryAccount?, _ work: @escaping @Sendable (SessionState) -> Void
    ) -> PendingResponse {
        let response = PendingResponse(revision: .max)
        queue(QueuedWrite(.other(work), response, isLong: false, of: caller))
        return response
    }

    private func queue(_ write: QueuedWrite, isEnd: Bool = false) {
        let starts = lock.peek { _ in
            isEnd ? gate.writes.addEnd(write) : gate.writes.add(write)
        }
        if starts { serveWrites() }
    }

    /// Has a thread carry out the next write, in the turns of its caller.
    func serveWrites() {
        let caller = lock.peek { _ in gate.writes.nextCaller() }
        WriteThreads.shared.run(for: caller) { turn in
            self.carryOutNext(turn)
            return false
        }
    }

    private func carryOutNext(_ turn: BackgroundThreads.Turn) {
        let next = withState { state in gate.writes.next(isSettled: state.queue.pending.isEmpty) }
        guard let next else { return }
        var wakes = WakeList()
        var decision: PendingResponse.Decision?
        switch next.work {
        case .proposal(let write):
            decision = carryOut(next, write, turn, wakes: &wakes)
        case .other(let work):
            own(showsBefore: false, wakes: &wakes) { state, _ in
                environment.hasBegunLongWrite?(name)
                work(state)
            }
            decision = .released
        }
        // A client that has its answer finds the queue empty.
        let hasMore = lock.peek { _ in gate.writes.end() }
        if let decision { next.response.decide(decision, wakes: &wakes) }
        wakes.wake()
        if hasMore { serveWrites() }
    }

    // MARK: - One write

    /// - Returns: how the write is decided; nil when it is later, or not carried out yet.
    private func carryOut(
        _ queued: QueuedWrite, _ write: RetainedWrite, _ turn: BackgroundThreads.Turn,
        wakes: inout WakeList
    ) -> PendingResponse.Decision? {
        let response = queued.response
        if queued.isLong, response.isAbandoned { return .refused(.interrupted) }
        let text = TextBuffer()
        var body = JSONWriter()
        do throws(SessionError) {
            let result = try commit(
                write, response, text: text, body: &body,
                long: queued.isLong ? LongWrite(queued, turn: turn) : nil, wakes: &wakes)
            if case .takesLong = result {
                lock.peek { _ in gate.writes.putBack(queued.asLong, isStopped: false) }
                return nil
            }
            guard case .done(let outcome, let head) = result else { return nil }
            response.record(outcome, head: head, body: body.array())
            return .released
        } catch {
            if error.signal == .interrupted, !response.isAbandoned {
                lock.peek { _ in gate.writes.putBack(queued.asLong, isStopped: true) }
                return nil
            }
            return withState { $0.refusal(response, error) }
        }
    }
}

extension SessionState {
    /// How a write that is refused is decided. The refusal shows a revision, so it is certain when that is
    /// acknowledged.
    func refusal(
        _ response: PendingResponse, _ error: SessionError
    ) -> PendingResponse.Decision? {
        response.refusedAt = isDeleted ? 0 : head
        response.hasCommit = false
        if head == acknowledged || isDeleted { return .refused(error) }
        response.revision = head
        response.record(error)
        queue.add(response)
        return nil
    }
}
