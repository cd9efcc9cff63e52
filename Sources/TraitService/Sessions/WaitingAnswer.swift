// Answers that saw a revision which the log has not acknowledged yet. They are released when it
// has, and turned into a problem when the revision is taken back.

import HTTPServer
import HTTPWire
import Synchronization

/// A finished answer that is held back.
///
/// Confinement: `decision` is written under the session's lock and read on the answer's shard;
/// everything else is immutable.
final class WaitingAnswer: Sendable {
    enum Decision: Sendable {
        case pending
        case release
        case withdrawn(Problem)
    }

    let revision: Int64
    private let state: Mutex<(decision: Decision, handle: WakeHandle?)>

    init(revision: Int64) {
        self.revision = revision
        state = Mutex((.pending, nil))
    }

    var decision: Decision { state.withLock { $0.decision } }

    func decide(_ decision: Decision) -> WakeHandle? {
        state.withLock { state in
            state.decision = decision
            return state.handle
        }
    }

    /// Where to call once it is decided. Returns whether it is already.
    func attach(_ handle: WakeHandle) -> Bool {
        state.withLock { state in
            state.handle = handle
            if case .pending = state.decision { return false }
            return true
        }
    }
}

/// Who is to be woken once a lock is free: nobody is called while it is held.
struct WakeList {
    private(set) var handles: [WakeHandle] = []

    mutating func add(_ handle: WakeHandle) { handles.append(handle) }

    /// Makes room for so many more.
    mutating func reserve(_ count: Int) {
        // Exact room for each feed in turn would copy all of it each time.
        if handles.isEmpty { handles.reserveCapacity(count) }
    }

    func wake() {
        if !handles.isEmpty { WakeHandle.wake(handles) }
    }
}

extension Session {
    /// Holds an answer back until `revision` is acknowledged; nil when it is already.
    /// Runs while the lock is held.
    func hold(until revision: Int64) -> WaitingAnswer? {
        if revision <= acknowledged { return nil }
        let answer = WaitingAnswer(revision: revision)
        waiting.append(answer)
        return answer
    }

    func release(through revision: Int64, wakes: inout WakeList) {
        decide(wakes: &wakes) { $0 <= revision ? .release : nil }
    }

    func fail(from revision: Int64, with problem: Problem, wakes: inout WakeList) {
        decide(wakes: &wakes) { $0 >= revision ? .withdrawn(problem) : nil }
    }

    private func decide(
        wakes: inout WakeList, _ decision: (Int64) -> WaitingAnswer.Decision?
    ) {
        if waiting.isEmpty { return }
        waiting.removeAll { answer in
            guard let decision = decision(answer.revision) else { return false }
            if let handle = answer.decide(decision) { wakes.add(handle) }
            return true
        }
    }
}
