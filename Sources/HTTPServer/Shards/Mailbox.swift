// Messages of other threads to a shard: an array behind a lock, and an eventfd that is written only when
// the array was empty. A work item of the shard's queue for each message would cost as much as a request.

import CEpoll
import Glibc
import Synchronization

/// One message to a shard.
enum Message: Sendable {
    case accepted(Arrival)
    case wake(WakeTarget)
    case worked(WakeTarget, any Work)
    /// Connections have to end until fewer bytes are unsent.
    case memoryIsShort
}

/// The messages to one shard, and the eventfd that wakes the shard.
final class Mailbox: Sendable {
    private struct State {
        var messages = ContiguousArray<Message>()
        var isClosed = false
    }

    /// Readable when there are messages; watched by the shard.
    let descriptor: Int32
    private let state = Mutex(State())
    /// How many may still use the descriptor: the mailbox until it is closed, and each thread that is about to
    /// write. The last one closes it, so that no thread writes to another file of that number.
    private let users = Atomic<Int>(1)

    init() throws(ServerError) {
        descriptor = eventfd(0, traitd_EFD_CLOEXEC | traitd_EFD_NONBLOCK)
        if descriptor < 0 { throw .noDescriptor(errno: errno) }
    }

    deinit { close() }

    /// Returns whether the shard will read the message; a stopped shard will not.
    @discardableResult
    func post(_ message: Message) -> Bool {
        let (isTaken, signals) = state.withLock { state in
            guard !state.isClosed else { return (false, false) }
            state.messages.append(message)
            return (true, willSignal(state.messages.count == 1))
        }
        if signals { signalAndLeave() }
        return isTaken
    }

    func post(contentsOf messages: ContiguousArray<Message>) {
        guard !messages.isEmpty else { return }
        let signals = state.withLock { state in
            guard !state.isClosed else { return false }
            let isFirst = state.messages.isEmpty
            if isFirst {
                // Thousands of streams are woken at once; appending would retain each of them once
                // more.
                state.messages = messages
            } else {
                state.messages.append(contentsOf: messages)
            }
            return willSignal(isFirst)
        }
        if signals { signalAndLeave() }
    }

    /// Wakes the shard although there may be no message.
    func signal() {
        if state.withLock({ willSignal(!$0.isClosed) }) { signalAndLeave() }
    }

    /// Runs under the lock, while the descriptor is open.
    private func willSignal(_ signals: Bool) -> Bool {
        if signals { users.add(1, ordering: .relaxed) }
        return signals
    }

    /// Without the lock: the system may run the shard at once, and stop this thread in its place.
    private func signalAndLeave() {
        eventfd_write(descriptor, 1)
        leave()
    }

    private func leave() {
        let left = users.subtract(1, ordering: .acquiringAndReleasing).newValue
        if left == 0 { Glibc.close(descriptor) }
    }

    /// Swaps the messages with `empty`, whose capacity they will use next. Shard only.
    func collect(into empty: inout ContiguousArray<Message>) {
        // Before the swap: a message posted after the swap writes the descriptor again.
        var count: eventfd_t = 0
        eventfd_read(descriptor, &count)
        state.withLock { swap(&$0.messages, &empty) }
    }

    /// Takes no message from here on. Returns those that were not read.
    @discardableResult
    func close() -> ContiguousArray<Message> {
        let messages = state.withLock { state -> ContiguousArray<Message>? in
            guard !state.isClosed else { return nil }
            state.isClosed = true
            defer { state.messages = [] }
            return state.messages
        }
        guard let messages else { return [] }
        leave()
        return messages
    }
}
