// A log that answers later, and as the test says: what a flush or a network round trip does.

import Synchronization

@testable import SessionLog

/// Keeps appends waiting until the test decides each of them.
final class ScriptedLog: SessionLog {
    struct Waiting: Sendable {
        let entries: [LogEntry]
        let session: LogSession
        let expected: Int64
        let observer: any AppendObserver
    }

    private struct State {
        var waiting: [Waiting] = []
        /// Appends that are answered at once, with this result.
        var immediate: AppendResult?
    }

    private let memory = MemoryLog()
    private let state = Mutex(State())
    private let arrived: @Sendable () -> Void

    /// - Parameter arrived: called for each append that waits.
    init(arrived: @escaping @Sendable () -> Void = {}) {
        self.arrived = arrived
    }

    var durability: String { "scripted" }
    var survivesRestart: Bool { false }

    var waitingCount: Int { state.withLock { $0.waiting.count } }

    /// From now on appends are answered at once with this, or wait when it is nil.
    func answer(at once: AppendResult?) { state.withLock { $0.immediate = once } }

    /// Decides the oldest waiting append. `keep` says whether its entries are in the log after
    /// it, which for `.unknown` the caller cannot know from the result.
    func decide(_ result: AppendResult, keep: Bool) {
        let next = state.withLock { state in
            state.waiting.isEmpty ? nil : state.waiting.removeFirst()
        }
        guard let next else { return }
        var result = result
        if keep {
            let kept = memory.append(
                next.entries, to: next.session, expecting: next.expected,
                observer: next.observer)
            if case .conflict(let head) = kept { result = .conflict(head: head) }
        }
        next.observer.append(
            through: next.entries.last?.revision ?? next.expected, finished: result)
    }

    func append(
        _ entries: [LogEntry], to session: LogSession, expecting revision: Int64,
        observer: any AppendObserver
    ) -> AppendResult? {
        let immediate = state.withLock { state -> AppendResult? in
            if let immediate = state.immediate { return immediate }
            state.waiting.append(
                Waiting(
                    entries: entries, session: session, expected: revision, observer: observer))
            return nil
        }
        if immediate == .appended {
            return memory.append(
                entries, to: session, expecting: revision, observer: observer)
        }
        if immediate == nil { arrived() }
        return immediate
    }

    func bounds(of session: LogSession) -> LogBounds? { memory.bounds(of: session) }

    func tail(of session: LogSession, after revision: Int64, limit: Int) -> [LogEntry] {
        memory.tail(of: session, after: revision, limit: limit)
    }

    func truncate(_ session: LogSession, through revision: Int64) {
        memory.truncate(session, through: revision)
    }

    func delete(_ session: LogSession) { memory.delete(session) }
}
