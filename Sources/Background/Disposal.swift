// Freeing a large object takes the system milliseconds, in which an event loop answers a thousand
// requests. An event loop may release the last reference, so that reference is passed to a thread
// of its own.

/// The thread that gives back what others let go of.
package enum Disposal {
    /// Fewer items and bytes are freed at once.
    package static let itemsMax = 512
    package static let bytesMax = 1_048_576

    private static let thread = BackgroundThreads(count: 1)

    /// After this delay the caller has released its own references, also when it runs in a `deinit`.
    private static let delayNanoseconds: UInt64 = 20_000_000

    /// Starts the thread. An event loop calls this before it serves.
    package static func prepare() { thread.prepare() }

    /// Keeps `rest` until the thread is the last to refer to it. O(1).
    package static func keepForAWhile<Rest>(_ rest: Rest) {
        let kept = Kept(rest)
        let due = Uptime.monotonic + delayNanoseconds
        thread.run {
            let now = Uptime.monotonic
            if now < due { Uptime.pause(.nanoseconds(due - now)) }
            withExtendedLifetime(kept) {}
            return false
        }
    }

    /// Calls `work`, which gives something back, on the thread. O(1).
    package static func run(_ work: @escaping @Sendable () -> Void) {
        thread.run {
            work()
            return false
        }
    }

    /// Waits until everything that was passed before is given back. Not to be called on an event loop.
    package static func finish() {
        let done = Signal()
        run { done.signal() }
        done.wait()
    }

    private final class Kept<Rest>: Sendable {
        /// Nothing is done with it but letting go of it.
        nonisolated(unsafe) private let rest: Rest

        init(_ rest: Rest) { self.rest = rest }
    }
}
