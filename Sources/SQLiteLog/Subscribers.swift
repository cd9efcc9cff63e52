// Subscribers to appends.

import SessionLog
import Synchronization

/// Behind a lock of its own, as a subscription may end anywhere, also in a call of a subscriber.
final class Subscribers: Sendable {
    private struct State {
        var bySession: [LogSession: [(id: UInt64, subscriber: any LogSubscriber)]] = [:]
        var last: UInt64 = 0
    }

    private let state = Mutex(State())

    func add(_ subscriber: any LogSubscriber, to session: LogSession) -> LogSubscription {
        let id = state.withLock { state in
            state.last += 1
            state.bySession[session, default: []].append((state.last, subscriber))
            return state.last
        }
        return LogSubscription { [weak self] in self?.remove(id, from: session) }
    }

    private func remove(_ id: UInt64, from session: LogSession) {
        // The subscriber is released outside the lock, as its end may call the log.
        let removed = state.withLock { state -> (any LogSubscriber)? in
            guard let at = state.bySession[session]?.firstIndex(where: { $0.id == id }) else {
                return nil
            }
            let removed = state.bySession[session]?.remove(at: at).subscriber
            if state.bySession[session]?.isEmpty == true { state.bySession[session] = nil }
            return removed
        }
        withExtendedLifetime(removed) {}
    }

    func call(for session: LogSession) {
        let called = state.withLock { $0.bySession[session]?.map(\.subscriber) ?? [] }
        for subscriber in called { subscriber.entriesAppended(session) }
    }
}

extension SQLiteLog {
    package func subscribe(
        to session: LogSession, _ subscriber: any LogSubscriber
    ) -> LogSubscription { subscribers.add(subscriber, to: session) }
}
