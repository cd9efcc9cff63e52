// Writing to a session. Without a log a commit is visible at once. Else the entry is passed to the log without
// any lock. When the log has acknowledged the entry, the commit becomes visible: streams read it, and the
// pending responses that show it are released.

import JSONCodec
import SessionLog
import TraitEngine
import TraitJSON

extension Session {
    /// Decides a write: all of its operations as one commit or, when one is refused, none.
    ///
    /// - Parameters:
    ///   - text: where the log entry is written; its content is replaced.
    ///   - body: gets the answer in the proposal's form.
    ///   - wakes: filled with the wakers that the caller has to wake after the call.
    /// - Throws: why the operations or the conditions refuse the write.
    package func commit(
        _ proposal: Proposal, text: TextBuffer, body: inout JSONWriter,
        wakes: inout WakeList
    ) throws(SessionError) -> WriteResult {
        let result = try withStateIfFree { state throws(SessionError) -> WriteResult in
            if gate.writes.isServed { return .mustWait }
            do throws(SessionError) {
                return try state.commit(
                    proposal, nil, text: text, body: &body, .short, wakes: &wakes)
            } catch {
                throw error.seen(at: state.head)
            }
        }
        switch result {
        case .held: writer?.submit(self)
        case .done: if proposal.endsSession { finishEnd(wakes: &wakes) }
        default: break
        }
        return result ?? .mustWait
    }

    /// Decides a write from the queue: one commit or none. `response` waits for the log if the result is `pending`.
    ///
    /// - Parameter long: the turn of a write that may take long; this thread owns the session for it.
    /// - Throws: why the operations or the conditions refuse the write.
    package func commit(
        _ write: RetainedWrite, _ response: PendingResponse, text: TextBuffer,
        body: inout JSONWriter, long: LongWrite?, wakes: inout WakeList
    ) throws(SessionError) -> WriteResult {
        if let long {
            let ends = write.proposal.endsSession
            return try own(showsBefore: !ends, wakes: &wakes) { state, wakes throws(SessionError) in
                environment.hasBegunLongWrite?(name)
                // With a log the commit may still be undone.
                defer { if log == nil { state.hierarchy.reclaimEverything() } }
                let result = try state.commit(
                    write.proposal, (write, response), text: text, body: &body, .long(long),
                    wakes: &wakes)
                if ends, case .done = result { finishEnd(wakes: &wakes) }
                return result
            }
        }
        let result = try withState { state throws(SessionError) in
            try state.commit(
                write.proposal, (write, response), text: text, body: &body, .short, wakes: &wakes)
        }
        if case .pending = result { writer?.submit(self) }
        return result
    }

    /// Carries out a write and blocks until it is decided. Never called on an event loop.
    ///
    /// - Returns: the body of the answer in the proposal's form, and the outcome.
    /// - Throws: why the operations, the conditions or the log refuse the write.
    package func commitWaiting(
        _ proposal: Proposal
    ) throws(SessionError) -> (body: [UInt8], outcome: CommitOutcome) {
        let response = queue(proposal, isLong: true)
        try response.wait()
        guard let outcome = response.outcome, let body = response.body else {
            throw SessionError(.internalError, "The write was released without an outcome.")
        }
        return (body, outcome)
    }
}

extension SessionState {
    /// Decides a write. After this the commit is visible or, with a log, pending.
    ///
    /// - Parameters:
    ///   - queued: a write from the queue with its response; nil for a write of an event loop.
    fileprivate func commit(
        _ proposal: Proposal, _ queued: (write: RetainedWrite, response: PendingResponse)?,
        text: TextBuffer, body: inout JSONWriter, _ budget: WorkBudget, wakes: inout WakeList
    ) throws(SessionError) -> WriteResult {
        let mark = body.count
        if let end = responseAfterEnd(queued?.response) { return .pending(end) }
        let (outcome, commit, notesDigestBefore): SessionState.DecidedCommit
        do throws(SessionError) {
            (outcome, commit, notesDigestBefore) = try decide(
                proposal, text: text, body: &body, budget, wakes: &wakes)
        } catch {
            if error.signal == .takesLong { return .takesLong }
            throw error
        }
        // A tombstone does not change the state.
        let shown = commit?.revision ?? head
        guard let log else {
            if let commit { show(commit, wakes: &wakes) }
            return .done(outcome, head: shown)
        }
        // The end of a session makes no state that an answer could show, so a dry run of the end does not wait.
        guard commit != nil || !queue.pending.isEmpty && !proposal.isEnd else {
            return .done(outcome, head: head)
        }
        let response =
            queued?.response
            ?? PendingResponse(
                write: log.properties.isShared && !proposal.endsSession
                    ? RetainedWrite(proposal) : nil)
        response.revision = shown
        response.hasCommit = commit != nil
        if let commit { enqueue(commit, notesDigestBefore: notesDigestBefore) }
        queue.add(response)
        if queued == nil {
            response.record(outcome, head: shown, body: nil)
            return .held(outcome, head: shown, response)
        }
        response.record(outcome, head: shown, body: Array(body.bytes[mark...]))
        return .pending(response)
    }

    /// A response that waits for a pending end of the session. The request is handled again after
    /// that, and finds no session. Nil when no end is pending.
    ///
    /// - Parameter queued: the response of a write that waited in the queue of writes.
    package func responseAfterEnd(_ queued: PendingResponse? = nil) -> PendingResponse? {
        guard queue.isEnding else { return nil }
        let response = queued ?? PendingResponse(revision: .max)
        queue.add(response)
        return response
    }
}
