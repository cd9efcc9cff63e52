// The only way into a shard from outside: an array behind a lock, and an eventfd that is written
// only when the array was empty. A queue hop for each message would cost a request's worth of time.

import CEpoll
import Glibc
import Synchronization

/// One message to a shard.
enum Letter: Sendable {
    case accepted(Arrival)
    case wake(WakeTarget)
    case worked(WakeTarget, any Work)
    /// What is unsent has to become less.
    case memoryIsShort
}

/// The letters to one shard, and the bell that wakes it. Owns the eventfd.
final class Mailbox: Sendable {
    private struct State {
        var letters = ContiguousArray<Letter>()
        var isClosed = false
    }

    /// Readable when there are letters; watched by the shard.
    let descriptor: Int32
    private let state = Mutex(State())

    init() throws(ServerError) {
        descriptor = eventfd(0, traitd_EFD_CLOEXEC | traitd_EFD_NONBLOCK)
        if descriptor < 0 { throw .noDescriptor(errno: errno) }
    }

    deinit { close() }

    /// Returns whether the shard will read the message; a stopped shard will not.
    @discardableResult
    func post(_ letter: Letter) -> Bool {
        state.withLock { state in
            guard !state.isClosed else { return false }
            state.letters.append(letter)
            // Under the lock, so that the descriptor cannot have become another file's.
            if state.letters.count == 1 { eventfd_write(descriptor, 1) }
            return true
        }
    }

    func post(contentsOf letters: ContiguousArray<Letter>) {
        guard !letters.isEmpty else { return }
        state.withLock { state in
            guard !state.isClosed else { return }
            if state.letters.isEmpty { eventfd_write(descriptor, 1) }
            if state.letters.isEmpty {
                // Thousands of streams are woken at once; appending would retain each of them once
                // more.
                state.letters = letters
            } else {
                state.letters.append(contentsOf: letters)
            }
        }
    }

    /// Wakes the shard although there may be nothing to read.
    func ring() {
        state.withLock { state in
            if !state.isClosed { eventfd_write(descriptor, 1) }
        }
    }

    /// Swaps the letters with `empty`, whose capacity they will use next. Shard only.
    func collect(into empty: inout ContiguousArray<Letter>) {
        // Before the swap: what is posted after it rings again.
        var count: eventfd_t = 0
        eventfd_read(descriptor, &count)
        state.withLock { swap(&$0.letters, &empty) }
    }

    /// Nothing is taken from here on; answers what was still in it.
    @discardableResult
    func close() -> ContiguousArray<Letter> {
        state.withLock { state in
            guard !state.isClosed else { return [] }
            state.isClosed = true
            Glibc.close(descriptor)
            let letters = state.letters
            state.letters = []
            return letters
        }
    }
}
