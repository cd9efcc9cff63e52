// The answers that wait for the log, and the writes behind them.

import Dispatch
import SessionLog
import Synchronization
import TraitEngine

/// An answer that waits until the log has acknowledged what it shows.
///
/// Confinement: the session's lock guards all but `state`, which the waiting side reads.
package final class PendingResponse: @unchecked Sendable {
    package enum Decision: Sendable {
        case pending
        /// What was decided holds.
        case released
        /// Nothing of it happened.
        case refused(SessionError)
        /// The state that was read never was: read again.
        case readAgain
    }

    /// The newest revision that the answer shows.
    var revision: Int64
    /// Whether a commit of its own waits for the log: then the log's refusal is the answer's.
    var hasCommit: Bool
    /// What the write was refused for, when that is decided but the state it was decided by is not.
    package internal(set) var refusal: SessionError?
    /// The revision that a refused write from the queue shows; 0 for none.
    package internal(set) var refusedAt: Int64 = 0
    /// The revision that the session had when the write was decided.
    package private(set) var decidedAt: Int64 = 0
    /// What the write came to, once it is decided.
    package private(set) var outcome: CommitOutcome?
    /// The body of the answer to a write that was decided apart from its request: from the queue, or
    /// again.
    package private(set) var body: [UInt8]?
    /// The write behind the answer, to decide it again when another writer was first. Nil for what is
    /// handled again as a request instead: reads, creating a session, deleting one, and all writes to a
    /// log that has no other writers.
    let write: RetainedWrite?
    private let state: Mutex<(decision: Decision, waker: (any Waker)?)>

    init(revision: Int64, hasCommit: Bool = false, write: RetainedWrite? = nil) {
        self.revision = revision
        self.hasCommit = hasCommit
        self.write = write
        state = Mutex((.pending, nil))
    }

    package var decision: Decision { state.withLock { $0.decision } }

    func record(_ outcome: CommitOutcome, head: Int64, body: [UInt8]?) {
        self.outcome = outcome
        decidedAt = head
        self.body = body
    }

    func decide(_ decision: Decision) -> (any Waker)? {
        state.withLock { state in
            state.decision = decision
            return state.waker
        }
    }

    /// What to wake once the answer is decided. Returns whether it is already.
    package func attach(_ waker: any Waker) -> Bool {
        state.withLock { state in
            state.waker = waker
            if case .pending = state.decision { return false }
            return true
        }
    }

    /// Blocks until the log has answered: not on an event loop.
    ///
    /// - Returns: the decision; `pending` when there is none at the deadline.
    package func waitForDecision(until deadline: DispatchTime = .distantFuture) -> Decision {
        let waker = BlockingWaker()
        if !attach(waker) { _ = waker.semaphore.wait(timeout: deadline) }
        return decision
    }

    /// Blocks until the log has answered: not on an event loop.
    ///
    /// - Throws: why nothing happened.
    package func wait() throws(SessionError) {
        if case .refused(let error) = waitForDecision() { throw error }
    }
}

private final class BlockingWaker: Waker {
    let semaphore = DispatchSemaphore(value: 0)

    func wake() { semaphore.signal() }

    static func wake(_ all: ContiguousArray<any Waker>) { for waker in all { waker.wake() } }
}

/// A write that owns what it was asked for, so that it can be decided apart from its request.
///
/// Immutable.
final class RetainedWrite: @unchecked Sendable {
    let proposal: Proposal
    private let arena: OperationArena

    /// - Parameter document: what the proposal's values lie in. Without it they are copied.
    init(_ proposal: Proposal, in document: AnyObject? = nil) {
        let arena = OperationArena(keeping: document)
        self.proposal = proposal.copied(into: arena)
        self.arena = arena
    }
}

extension SessionState {
    /// A response that waits until `revision` is acknowledged; nil when it is already.
    package func pendingResponse(until revision: Int64) -> PendingResponse? {
        if revision <= acknowledged { return nil }
        let response = PendingResponse(revision: revision)
        queue.add(response)
        return response
    }
}
