// Threads for what takes long, beside the event loops and behind them: where all processors are busy, the
// system prefers the thread of an event loop. They are there before the first work comes, since a new
// thread takes the processor from the one that makes it.

import DequeModule
import Dispatch
import Synchronization

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// A few threads that carry out work in the order in which it comes. They end with this object, when they
/// have done what came before.
package final class BackgroundThreads: Sendable {
    package typealias Work = @Sendable () -> Bool

    /// What the threads hold, so that this object can go.
    fileprivate final class Shared: Sendable {
        struct State {
            var waiting = Deque<Work>()
            var threadCount = 0
            var isOver = false
        }

        let state = Mutex(State())
        /// Signalled once for each work that waits, and once for each thread when all is over.
        let arrival = DispatchSemaphore(value: 0)

        func add(_ work: @escaping Work) {
            state.withLock { $0.waiting.append(work) }
            arrival.signal()
        }

        /// What a thread does until all is over.
        func serve() {
            while true {
                arrival.wait()
                let (work, isOver) = state.withLock { ($0.waiting.popFirst(), $0.isOver) }
                if let work {
                    if work() { add(work) }
                } else if isOver {
                    return
                }
            }
        }
    }

    /// What is added to the threads' niceness.
    fileprivate static let niceness: Int32 = 5

    private let count: Int
    private let shared = Shared()

    /// - Parameter count: how many threads there are, from the first use on.
    package init(count: Int) { self.count = max(1, count) }

    deinit {
        let threads = shared.state.withLock { state in
            state.isOver = true
            return state.threadCount
        }
        for _ in 0..<threads { shared.arrival.signal() }
    }

    /// Starts the threads that are missing. They inherit which signals are blocked. An event loop calls
    /// this before it serves; later it would wait for each thread to begin.
    package func prepare() {
        let missing = shared.state.withLock { state in
            defer { state.threadCount = count }
            return count - state.threadCount
        }
        for _ in 0..<missing where !Self.makeThread(Unmanaged.passRetained(shared).toOpaque()) {
            Unmanaged.passUnretained(shared).release()
            shared.state.withLock { $0.threadCount -= 1 }
        }
    }

    /// Calls `work` on one of the threads until it answers that there is no more to do. Between two calls
    /// others have their turn. O(1) when the threads were prepared.
    package func run(_ work: @escaping Work) {
        var threads = shared.state.withLock { $0.threadCount }
        if threads < count {
            prepare()
            threads = shared.state.withLock { $0.threadCount }
        }
        if threads > 0 { return shared.add(work) }
        // The system has no thread left: the caller's has to do.
        while work() {}
    }

    private static func makeThread(_ context: UnsafeMutableRawPointer) -> Bool {
        #if canImport(Darwin)
            var thread: pthread_t?
            guard pthread_create(&thread, nil, { enterBackgroundThread($0) }, context) == 0,
                let thread
            else { return false }
        #else
            var thread = pthread_t()
            guard pthread_create(&thread, nil, { enterBackgroundThread($0) }, context) == 0 else {
                return false
            }
        #endif
        pthread_detach(thread)
        return true
    }
}

private func enterBackgroundThread(
    _ context: UnsafeMutableRawPointer?
) -> UnsafeMutableRawPointer? {
    guard let context else { return nil }
    #if os(Linux)
        // Of this thread alone, on Linux.
        setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, BackgroundThreads.niceness)
    #endif
    Unmanaged<BackgroundThreads.Shared>.fromOpaque(context).takeRetainedValue().serve()
    return nil
}
