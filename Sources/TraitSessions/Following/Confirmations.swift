// Linearizable answers over a log that others write to: before an answer goes out that appended nothing, the log
// says where its sessions are, and the store has applied that much.

import SessionLog
import Synchronization
import TraitJSON

/// Asks the log for heads, once for all requests that wait.
package final class Confirmations: Sendable {
    private struct Waiting {
        let question: LogQuestion
        let response: PendingResponse
    }

    private struct State {
        var waiting: [Waiting] = []
        var isAsking = false
    }

    private let state = Mutex(State())
    private let log: any SessionLog
    private let follower: StoreFollower
    private let leases: SharedLeases?
    private let meters: SessionMeters

    init(
        _ log: any SessionLog, _ follower: StoreFollower, _ leases: SharedLeases?,
        _ meters: SessionMeters
    ) {
        self.log = log
        self.follower = follower
        self.leases = leases
        self.meters = meters
    }

    /// A response that is decided once the store has what the log had at some moment after this call: `readAgain`,
    /// or why that cannot be known. Never blocks.
    package func response(to question: LogQuestion) -> PendingResponse {
        let response = PendingResponse(confirms: true)
        let starts = state.withLock { state in
            state.waiting.append(Waiting(question: question, response: response))
            defer { state.isAsking = true }
            return !state.isAsking
        }
        if starts { ask() }
        return response
    }

    /// Notifies the other processes of leases that this one has renewed, and reads their notes. Never blocks.
    func exchangeLeases() {
        var question = LogQuestion()
        question.wantsLeases = true
        _ = response(to: question)
    }

    /// Asks for all that waits. Requests that arrive later share the next question, as the one under way may have been
    /// answered before.
    private func ask() {
        let asked = state.withLock { state in
            defer { state.waiting = [] }
            if state.waiting.isEmpty { state.isAsking = false }
            return state.waiting
        }
        if asked.isEmpty { return }
        meters.add(.confirmations, stripe: SessionMeters.otherStripe)
        var question = asked.reduce(into: LogQuestion()) { $0.add($1.question) }
        // The other processes learn of a renewal before its request is answered.
        question.leaseNotes = leases?.takeUntold()
        log.confirm(question) { [self, question] heads in
            leases?.settle(question, heads)
            let untold = (try? heads.get())?.untold.map { SessionError.storageFull($0, nil) }
            follower.take(heads, of: question) { refusals in
                for waiting in asked {
                    let refusal =
                        refusals.first(concerning: waiting.question)
                        ?? (waiting.question.isRenewal ? untold : nil)
                    waiting.response.decide(refusal.map { .refused($0) } ?? .readAgain)?.wake()
                }
            }
            ask()
        }
    }
}

/// Why parts of a question have no answer.
struct ConfirmationRefusals: Sendable {
    /// Why nothing is known.
    var all: SessionError?
    var bySession: [String: SessionError] = [:]

    fileprivate func first(concerning question: LogQuestion) -> SessionError? {
        if let all { return all }
        if question.wantsAllHeads { return bySession.values.first }
        for name in question.names {
            if let refusal = bySession[name] { return refusal }
        }
        return nil
    }
}
