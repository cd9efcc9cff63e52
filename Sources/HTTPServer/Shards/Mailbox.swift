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

    init() throws(ServerError) {
        descriptor = eventfd(0, traitd_EFD_CLOEXEC | traitd_EFD_NONBLOCK)
        if descriptor < 0 { throw .noDescriptor(errno: errno) }
    }

    deinit { close() }

    /// Returns whether the shard will read the message; a stopped shard will not.
    @discardableResult
    func post(_ message: Message) -> Bool {
        state.withLock { state in
            guard !state.isClosed else { return false }
            state.messages.append(message)
            // Under the lock, so that the descriptor cannot have become another file's.
            if state.messages.count == 1 { eventfd_write(descriptor, 1) }
            return true
        }
    }

    func post(contentsOf messages: ContiguousArray<Message>) {
        guard !messages.isEmpty else { return }
        state.withLock { state in
            guard !state.isClosed else { return }
            if state.messages.isEmpty { eventfd_write(descriptor, 1) }
            if state.messages.isEmpty {
                // Thousands of streams are woken at once; appending would retain each of them once
                // more.
                state.messages = messages
            } else {
                state.messages.append(contentsOf: messages)
            }
        }
    }

    /// Wakes the shard although there may be no message.
    func signal() {
        state.withLock { state in
            if !state.isClosed { eventfd_write(descriptor, 1) }
        }
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
        state.withLock { state in
            guard !state.isClosed else { return [] }
            state.isClosed = true
            Glibc.close(descriptor)
            let messages = state.messages
            state.messages = []
            return messages
        }
    }
}
