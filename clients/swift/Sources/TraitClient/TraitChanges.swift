// Iteration over the changes of a watch.

/// The changes of a watch as a sequence. Holds the watch, so that a loop over it keeps the watch alive.
public struct TraitChanges: AsyncSequence, Sendable {
    /// A change.
    public typealias Element = TraitChange
    /// Iteration throws nothing.
    public typealias Failure = Never

    let feed: ChangeFeed
    let watch: TraitClient.Watch

    /// Takes changes from the queue of the watch.
    public struct Iterator: AsyncIteratorProtocol {
        let feed: ChangeFeed
        let watch: TraitClient.Watch

        /// The next change, or nil when the watch is closed and all its changes were given, or the task is
        /// cancelled.
        public mutating func next() async -> TraitChange? { await feed.next() }
    }

    /// Makes an iterator.
    public func makeAsyncIterator() -> Iterator { Iterator(feed: feed, watch: watch) }
}

/// The queue between a watch and its loops.
final class ChangeFeed: Sendable {
    private struct State {
        var queue = ChangeQueue()
        var isFinished = false
        /// Loops that wait, in their order.
        var waiting: [(number: Int, continuation: CheckedContinuation<TraitChange?, Never>)] = []
        var number = 0
    }
    private let state = Locked(State())

    func add(_ change: TraitChange) {
        let waiter = state.withLock { state -> CheckedContinuation<TraitChange?, Never>? in
            guard state.waiting.isEmpty else { return state.waiting.removeFirst().continuation }
            state.queue.append(change)
            return nil
        }
        waiter?.resume(returning: change)
    }

    func finish() {
        let waiting = state.withLock { state in
            state.isFinished = true
            defer { state.waiting = [] }
            return state.waiting
        }
        for waiter in waiting { waiter.continuation.resume(returning: nil) }
    }

    func next() async -> TraitChange? {
        let number = state.withLock { state in
            state.number += 1
            return state.number
        }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let answer = state.withLock { state -> TraitChange?? in
                    if Task.isCancelled { return .some(nil) }
                    if let change = state.queue.popFirst() { return change }
                    if state.isFinished { return .some(nil) }
                    state.waiting.append((number, continuation))
                    return .none
                }
                if let answer { continuation.resume(returning: answer) }
            }
        } onCancel: {
            let waiter = state.withLock { state -> CheckedContinuation<TraitChange?, Never>? in
                guard let place = state.waiting.firstIndex(where: { $0.number == number }) else {
                    return nil
                }
                return state.waiting.remove(at: place).continuation
            }
            waiter?.resume(returning: nil)
        }
    }
}
