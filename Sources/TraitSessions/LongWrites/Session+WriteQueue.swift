// The queue of a session's long writes and of the writes behind them. A thread carries them out one
// after the other, in the order of their arrival. Event loops never do.

import DequeModule
import JSONCodec
import SessionLog
import TraitEngine

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

    init(_ work: Work, _ response: PendingResponse, isLong: Bool) {
        self.work = work
        self.response = response
        self.isLong = isLong
    }
}

/// Guarded by the mutex of the session's lock, also while the session is owned.
struct WriteQueue {
    var waiting = Deque<QueuedWrite>()
    /// Whether a thread carries them out, or will. New writes then have to wait behind these.
    var isServed = false
    /// The next one goes on when the log has answered everything before it.
    private(set) var waitsForLog = false

    /// Takes the write that has waited longest; nil when there is none, or when it has to wait for the log.
    ///
    /// - Parameter isSettled: whether the log has answered everything.
    mutating func next(isSettled: Bool) -> QueuedWrite? {
        guard let next = waiting.first else {
            isServed = false
            return nil
        }
        // The state before a long write is what readers get, so it has to be acknowledged.
        if next.isLong, !isSettled {
            waitsForLog = true
            return nil
        }
        return waiting.removeFirst()
    }

    /// Whether the queue goes on now that the log has answered everything.
    mutating func takeServingAfterLog() -> Bool {
        defer { waitsForLog = false }
        return waitsForLog
    }
}

extension Session {
    /// Puts a write behind those that wait. The answer waits for the response.
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
        queue(QueuedWrite(.proposal(write), response, isLong: isLong))
        return response
    }

    /// Puts the session's end behind the writes that wait.
    package func queueEnd(_ options: CommitOptions) -> PendingResponse {
        let response = PendingResponse(revision: .max)
        let write = RetainedWrite(Proposal(ending: options))
        queue(QueuedWrite(.proposal(write), response, isLong: true))
        return response
    }

    /// Puts work that changes nothing of the state behind the writes that wait. A thread owns the session
    /// while it does the work. The response is released after it.
    package func queue(_ work: @escaping @Sendable (SessionState) -> Void) -> PendingResponse {
        let response = PendingResponse(revision: .max)
        queue(QueuedWrite(.other(work), response, isLong: false))
        return response
    }

    private func queue(_ write: QueuedWrite) {
        let starts = lock.peek { _ in
            gate.writes.waiting.append(write)
            defer { gate.writes.isServed = true }
            return !gate.writes.isServed
        }
        if starts { serveWrites() }
    }

    func serveWrites() {
        WriteThreads.shared.run { self.carryOutNext() }
    }

    /// Carries out the write that has waited longest. Returns whether to call again.
    private func carryOutNext() -> Bool {
        let next = withState { state in gate.writes.next(isSettled: state.queue.pending.isEmpty) }
        guard let next else { return false }
        var wakes = WakeList()
        var decision: PendingResponse.Decision?
        switch next.work {
        case .proposal(let write):
            decision = carryOut(write, next.response, isLong: next.isLong, wakes: &wakes)
        case .other(let work):
            own(showsBefore: false, wakes: &wakes) { state, _ in
                environment.hasBegunLongWrite?(name)
                work(state)
            }
            decision = .released
        }
        // A client that has its answer finds the queue empty.
        let hasMore = lock.peek { _ in
            gate.writes.isServed = !gate.writes.waiting.isEmpty
            return gate.writes.isServed
        }
        if let decision { next.response.decide(decision, wakes: &wakes) }
        wakes.wake()
        return hasMore
    }

    // MARK: - One write

    /// - Returns: how the write is decided; nil when it is later, or not carried out yet.
    private func carryOut(
        _ write: RetainedWrite, _ response: PendingResponse, isLong: Bool, wakes: inout WakeList
    ) -> PendingResponse.Decision? {
        let text = TextBuffer()
        var body = JSONWriter()
        do throws(SessionError) {
            let result = try commit(
                write, response, text: text, body: &body, mayTakeLong: isLong, wakes: &wakes)
            if case .takesLong = result {
                putBack(write, response)
                return nil
            }
            guard case .done(let outcome, let head) = result else { return nil }
            response.record(outcome, head: head, body: body.array())
            return .released
        } catch {
            return withState { $0.refusal(response, error) }
        }
    }

    /// The write turned out to take long: it is the next one again, and known to be.
    private func putBack(_ write: RetainedWrite, _ response: PendingResponse) {
        let queued = QueuedWrite(.proposal(write), response, isLong: true)
        lock.peek { _ in gate.writes.waiting.prepend(queued) }
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
