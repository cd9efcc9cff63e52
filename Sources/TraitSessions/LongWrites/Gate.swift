// The gate beside a session's lock: the writes that wait for their turn, and what other threads find while
// a thread owns the session. Both change while another thread owns the state.

import JSONCodec
import Ledger

/// Guarded by the mutex of the session's lock, also while the session is owned.
struct Gate {
    var writes = WriteQueue()
    /// Nil while no thread owns the session.
    var occupation: Occupation?
    /// The checksum of an acknowledged state behind which commits were pending, and the copy that readers share.
    var acknowledged: (checksum: UInt64, copy: Session)?
    /// Requests that go on when that copy is there.
    var waitingForCopy: [PendingResponse] = []
}

/// One ownership of a session: the state before the write, and lists of those that wait. An object, since most
/// sessions have none most of the time.
///
/// Unchecked: the variables are guarded as `Gate` is. Once the session is free, the thread that owned it has them alone.
final class Occupation: @unchecked Sendable {
    /// The state before the write; nil when readers have to wait for its end.
    var snapshot: SessionSnapshot?
    /// The session before the write, as its own answer shows it.
    var summary: [UInt8] = []
    /// The revision before the write.
    var head: Int64 = 0
    /// Whether the log had acknowledged that revision.
    var isAcknowledged = true
    /// The memory of the session before the write.
    var bytes = SessionBytes()
    /// Whether the snapshot is there to be read.
    var isReady = false
    var isMaterializing = false
    /// Requests that go on when the snapshot is ready.
    var waitingForSnapshot: [PendingResponse] = []
    /// Requests that go on when the session is free.
    var waiting: [PendingResponse] = []
    /// Streams that ask again when the session is free.
    var wakers: [any Waker] = []
    /// Work for the owner, in this order, before the session is free.
    var later: [@Sendable (SessionState, inout WakeList) -> Void] = []
}

/// How a session can be read that may be owned.
package enum SessionEntry {
    /// It is free by now, or was all the time: try again.
    case free
    /// A session at the revision before, to be read under its own lock.
    case before(Session)
    /// The request is to be handled again when this is decided.
    case wait(PendingResponse)
}

extension Session {
    // MARK: - The owner

    /// Runs `body` while this thread owns the session: for as long as it takes, while others find the state
    /// before or wait, and none of them blocks. Waits for other owners.
    ///
    /// - Parameter showsBefore: whether readers get the state before; it has to be acknowledged.
    func own<R, E: Error>(
        showsBefore: Bool, wakes: inout WakeList,
        _ body: (SessionState, inout WakeList) throws(E) -> sending R
    ) throws(E) -> R {
        occupy(showsBefore: showsBefore)
        defer { vacate(wakes: &wakes) }
        return try body(unlockedState, &wakes)
    }

    private func occupy(showsBefore: Bool) {
        let state = unlockedState
        lock.own {
            let occupation = Occupation()
            if showsBefore, state.acknowledged == state.head, state.head > 0, !state.isDeleted {
                occupation.snapshot = try? state.snapshot()
            }
            var summary = JSONWriter(capacity: 256)
            state.write(into: &summary)
            occupation.summary = summary.array()
            occupation.bytes = state.countBytes()
            occupation.head = state.head
            occupation.isAcknowledged = state.acknowledged == state.head
            gate.occupation = occupation
        }
    }

    /// Does what was left for later, and sets the session free. Then the log's thread is called again and the queue goes
    /// on, as the log's thread passes over a session that is owned.
    private func vacate(wakes: inout WakeList) {
        let state = unlockedState
        // Most of it without the mutex, which event loops wait for.
        while true {
            let later = lock.peek { _ in
                defer { gate.occupation?.later = [] }
                return gate.occupation?.later ?? []
            }
            if later.isEmpty { break }
            for work in later { work(state, &wakes) }
        }
        let (over, isBehind, serves) = lock.disown { () -> (Occupation?, Bool, Bool) in
            defer { gate.occupation = nil }
            for work in gate.occupation?.later ?? [] { work(state, &wakes) }
            let serves = state.queue.pending.isEmpty && gate.writes.takeServingAfterLog()
            return (gate.occupation, state.queue.hasUnsent, serves)
        }
        if isBehind { writer?.submit(self) }
        if serves { serveWrites() }
        guard let over else { return }
        for response in over.waitingForSnapshot + over.waiting {
            response.decide(.readAgain, wakes: &wakes)
        }
        for waker in over.wakers { wakes.add(waker) }
    }

    // MARK: - The others

    /// Runs `work` while the lock is held, now or when the thread that owns the session lets go.
    package func nowOrLater(_ work: @escaping @Sendable (SessionState, inout WakeList) -> Void) {
        var wakes = WakeList()
        lock.peek { isOwned in
            if isOwned {
                gate.occupation?.later.append(work)
            } else {
                work(unlockedState, &wakes)
            }
        }
        wakes.wake()
    }

    /// How a request goes on that found the session owned.
    ///
    /// - Parameters:
    ///   - before: whether the state before the write will do.
    ///   - caller: in whose turns that state is copied.
    package func entryWhileOwned(
        before: Bool, for caller: MemoryAccount? = nil
    ) -> SessionEntry {
        lock.peek { isOwned in
            guard isOwned, gate.occupation != nil else { return .free }
            let response = PendingResponse(revision: .max)
            guard before, let snapshot = gate.occupation?.snapshot else {
                gate.occupation?.waiting.append(response)
                return .wait(response)
            }
            if gate.occupation?.isReady == true, let session = try? snapshot.session() {
                return .before(session)
            }
            gate.occupation?.waitingForSnapshot.append(response)
            if gate.occupation?.isMaterializing == false {
                gate.occupation?.isMaterializing = true
                ReadThreads.shared.run(for: caller) { [weak self] _ in
                    let session = try? snapshot.session()
                    // Readers look up names, and the first look-up makes the index of all of them.
                    session?.withState { _ = $0.hierarchy.node("") }
                    let isReady = session != nil
                    self?.finishMaterializing(snapshot, isReady: isReady)
                    return false
                }
            }
            return .wait(response)
        }
    }

    private func finishMaterializing(_ snapshot: SessionSnapshot, isReady: Bool) {
        let waiting = lock.peek { _ -> [PendingResponse] in
            // The write may be over, and another one under way.
            guard let occupation = gate.occupation, occupation.snapshot === snapshot else {
                return []
            }
            defer { occupation.waitingForSnapshot = [] }
            occupation.isReady = isReady
            if !isReady { occupation.snapshot = nil }
            return occupation.waitingForSnapshot
        }
        PendingResponse.decide(waiting, .readAgain)
    }

    /// Reads from the state or, while a thread owns the session, what is recalled from before the write.
    private func readOrRecall<R>(
        _ read: (SessionState) -> sending R, _ recall: (Occupation) -> R
    ) -> R {
        while true {
            if let found = withStateIfFree(read) { return found }
            let found = lock.peek { isOwned in isOwned ? gate.occupation.map(recall) : nil }
            if let found { return found }
        }
    }

    /// The memory of the session.
    package func countBytesOrRecall() -> SessionBytes {
        readOrRecall({ $0.isDeleted ? SessionBytes() : $0.countBytes() }, \.bytes)
    }

    /// The session's revision.
    package func headOrRecall() -> Int64 { readOrRecall(\.head, \.head) }

    /// A revision that the log has acknowledged; 0 while a thread owns the session that began with pending commits.
    package func acknowledgedOrRecall() -> Int64 {
        readOrRecall(\.acknowledged) { $0.isAcknowledged ? $0.head : 0 }
    }

    /// Writes the session as its own answer shows it.
    ///
    /// - Parameter showsPending: whether commits show that the log has not acknowledged. Without them, nothing is
    ///   written of a session that the log does not have yet.
    /// - Returns: what the answer waits for; nil if the log has acknowledged the revision that is shown.
    package func writeOrRecall(
        showsPending: Bool, into json: inout JSONWriter
    ) -> PendingResponse? {
        while true {
            let isWritten: PendingResponse?? = withStateIfFree { state in
                if !showsPending, log != nil {
                    if state.acknowledged > 0 { state.write(showsPending: false, into: &json) }
                    return nil
                }
                state.write(into: &json)
                return state.pendingResponse(until: state.head)
            }
            if let response = isWritten { return response }
            let recalled = lock.peek { isOwned -> (summary: [UInt8], response: PendingResponse?)? in
                guard isOwned, let occupation = gate.occupation else { return nil }
                if occupation.isAcknowledged { return (occupation.summary, nil) }
                let response = PendingResponse(revision: .max)
                gate.occupation?.waiting.append(response)
                return (occupation.summary, response)
            }
            guard let recalled else { continue }
            json.raw(recalled.summary)
            return recalled.response
        }
    }
}
