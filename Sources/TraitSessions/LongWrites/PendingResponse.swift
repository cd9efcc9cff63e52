// The answers that wait for the log, and the writes behind them.

import Background
import SessionLog
import Synchronization
import TraitEngine
import TraitJSON

/// An answer that waits until the log has acknowledged the revision that it shows.
///
/// Confinement: the session's lock guards all but `state`, which the waiting side reads.
package final class PendingResponse: @unchecked Sendable {
    package enum Decision: Sendable {
        case pending
        /// The outcome is final: the answer may go out.
        case released
        /// Nothing has changed; `SessionError` names the exception.
        case refused(SessionError)
        /// Handle the request again: the state that it read was undone, or the request only waited.
        case readAgain
    }

    /// The newest revision that the answer shows.
    var revision: Int64
    /// Whether the answer is to a commit that waits for the log. When the log refuses it, the answer is that error.
    package var hasCommit: Bool
    /// Whether the response waits for a confirmation (`Confirmations`), and not for a session.
    package let confirms: Bool
    /// The error of a write that was refused because of a state that the log had not acknowledged yet.
    package private(set) var refusal: SessionError?
    /// The revision that a refused write from the queue shows; 0 for none.
    package internal(set) var refusedAt: Int64 = 0
    /// The revision that the session had when the write was decided.
    package private(set) var decidedAt: Int64 = 0
    /// The outcome of the write, once it is decided.
    package private(set) var outcome: CommitOutcome?
    /// The body of the answer to a write that was decided apart from its request: from the queue, or
    /// again.
    package private(set) var body: [UInt8]?
    /// The write behind the answer, to decide it again when another writer was first. Nil for what is
    /// handled again as a request instead: reads, creating a session, deleting one, and all writes to a
    /// log that has no other writers.
    let write: RetainedWrite?
    /// The session whose commits a read waits for; nil for other responses.
    package fileprivate(set) var session: String?
    private let state: Mutex<(decision: Decision, waker: (any Waker)?)>

    package init(
        revision: Int64 = 0, hasCommit: Bool = false, write: RetainedWrite? = nil,
        confirms: Bool = false
    ) {
        self.revision = revision
        self.confirms = confirms
        self.hasCommit = hasCommit
        self.write = write
        state = Mutex((.pending, nil))
    }

    package var decision: Decision { state.withLock { $0.decision } }

    /// Whether the request that waited is gone.
    package var isAbandoned: Bool { state.withLock { $0.waker?.isOver ?? false } }

    func record(_ outcome: CommitOutcome, head: Int64, body: [UInt8]?) {
        self.outcome = outcome
        refusal = nil
        decidedAt = head
        self.body = body
    }

    /// The write is refused, once the log has acknowledged the state that it was refused on.
    func record(_ refusal: SessionError) {
        outcome = nil
        body = nil
        self.refusal = refusal
    }

    func decide(_ decision: Decision) -> (any Waker)? {
        state.withLock { state in
            state.decision = decision
            return state.waker
        }
    }

    func decide(_ decision: Decision, wakes: inout WakeList) {
        if let waker = decide(decision) { wakes.add(waker) }
    }

    /// Decides all of these, and wakes what waits for them. Not to be called under a session's lock.
    package static func decide(_ responses: [PendingResponse], _ decision: Decision) {
        var wakes = WakeList()
        for response in responses { response.decide(decision, wakes: &wakes) }
        wakes.wake()
    }

    /// Has `waker` woken once the answer is decided. Returns true, and wakes nothing, if it is decided already.
    package func attach(_ waker: any Waker) -> Bool {
        state.withLock { state in
            state.waker = waker
            if case .pending = state.decision { return false }
            return true
        }
    }

    /// Blocks until the log has answered: not on an event loop.
    ///
    /// - Parameter deadline: of `Uptime.monotonic`.
    /// - Returns: the decision; `pending` when there is none at the deadline.
    package func waitForDecision(until deadline: UInt64 = .max) -> Decision {
        let waker = BlockingWaker()
        if !attach(waker) { _ = waker.decided.wait(until: deadline) }
        return decision
    }

    /// Blocks until the log has answered: not on an event loop.
    ///
    /// - Throws: why nothing happened.
    package func wait() throws(SessionError) {
        if case .refused(let error) = waitForDecision() { throw error }
        if let refusal { throw refusal }
    }
}

extension PendingResponse {
    /// A response that has the request handled again at once.
    package static var again: PendingResponse {
        let response = PendingResponse()
        _ = response.decide(.readAgain)
        return response
    }

    /// A response that is released when all of these are, and has the request handled again when one of them does;
    /// nil without any.
    package static func all(of responses: [PendingResponse]) -> PendingResponse? {
        if responses.count < 2 { return responses.first }
        let all = PendingResponse()
        let waker = CountingWaker(responses, all)
        for response in responses where response.attach(waker) { waker.wake() }
        return all
    }

    private final class CountingWaker: Waker {
        private let left: Atomic<Int>
        private let responses: [PendingResponse]
        private let all: PendingResponse

        init(_ responses: [PendingResponse], _ all: PendingResponse) {
            self.responses = responses
            self.all = all
            left = Atomic(responses.count)
        }

        func wake() {
            guard left.subtract(1, ordering: .acquiringAndReleasing).newValue == 0 else { return }
            let isWhole = responses.allSatisfy {
                if case .released = $0.decision { true } else { false }
            }
            all.decide(isWhole ? .released : .readAgain)?.wake()
        }
    }
}

private final class BlockingWaker: Waker {
    let decided = Signal()

    func wake() { decided.signal() }
}

/// A write that owns its operations, so that it can be decided apart from its request.
///
/// Immutable.
package final class RetainedWrite: @unchecked Sendable {
    let proposal: Proposal
    private let arena: OperationArena

    /// - Parameter document: the owner of the bytes of the proposal's values; nil copies the values.
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
        response.session = name
        queue.add(response)
        return response
    }
}
