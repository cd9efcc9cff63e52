// The acknowledged state of a session whose commits wait for the log, for readers that do not wait with them. It is copied
// when such a reader has waited for a while, so it costs nothing as long as the log answers.

import Background
import Ledger
import TraitJSON

extension Session {
    /// The copy of the acknowledged state; nil while none was made, and when no commit is pending any more.
    package var acknowledgedCopy: Session? {
        let found = withStateIfFree { state -> Session? in
            guard let (checksum, copy) = gate.acknowledged else { return nil }
            return checksum == state.queue.pending.first?.chainBefore ? copy : nil
        }
        return found ?? nil
    }

    /// Has the acknowledged state copied. Never blocks.
    ///
    /// - Parameter caller: in whose turns that is done.
    /// - Returns: a response that has the request handled again when the copy is there or no commit is pending any
    ///   more; refused when there is no memory for a copy, or no acknowledged state.
    package func copyAcknowledged(for caller: MemoryAccount?) -> PendingResponse {
        let response = PendingResponse(revision: .max)
        let starts = lock.peek { _ in
            gate.waitingForCopy.append(response)
            return gate.waitingForCopy.count == 1
        }
        if starts {
            ReadThreads.shared.run(for: caller) { [self] _ in
                let decision = makeAcknowledgedCopy()
                let waiting = lock.peek { _ in
                    defer { gate.waitingForCopy = [] }
                    return gate.waitingForCopy
                }
                PendingResponse.decide(waiting, decision)
                return false
            }
        }
        return response
    }

    /// A snapshot of the acknowledged state; nil when no commit is pending any more. Waits for owners of the session.
    package func acknowledgedSnapshot() throws(SessionError) -> SessionSnapshot? {
        var wakes = WakeList()
        defer { wakes.wake() }
        return try own(showsBefore: false, wakes: &wakes) { state, wakes throws(SessionError) in
            try state.snapshotAcknowledged(wakes: &wakes)
        }
    }

    private func makeAcknowledgedCopy() -> PendingResponse.Decision {
        do throws(SessionError) {
            guard let snapshot = try acknowledgedSnapshot() else { return .readAgain }
            let copy = try snapshot.session()
            // Readers look up names, and the first look-up makes the index of all of them.
            copy.withState { _ = $0.hierarchy.node("") }
            lock.peek { _ in gate.acknowledged = (snapshot.checksum, copy) }
            return .readAgain
        } catch {
            return .refused(error)
        }
    }
}
