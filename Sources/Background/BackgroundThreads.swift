// A pool of threads for long work. Their priority is below that of the event loops, so that the
// system prefers an event loop where all processors are busy. The threads are started before the
// first work item comes, since a new thread takes the processor from the thread that starts it.

import DequeModule
import Dispatch
import Glibc
import Synchronization

/// A fixed number of threads that carry out work items in the order of their arrival. When this
/// object is released, the threads finish the waiting work items and end.
package final class BackgroundThreads: Sendable {
    package typealias Work = @Sendable () -> Bool

    /// The state that the threads refer to, in place of this object, so that this object can be
    /// released.
    fileprivate final class Shared: Sendable {
        struct State {
            var waiting = Deque<Work>()
            var threadCount = 0
            var isOver = false
        }

        let state = Mutex(State())
        /// Held while threads are started.
        let starting = Mutex(())
        /// Signalled once for each waiting work item, and once for each thread at the end.
        let arrival = DispatchSemaphore(value: 0)

        func add(_ work: @escaping Work) {
            state.withLock { $0.waiting.append(work) }
            arrival.signal()
        }

        /// The loop of a thread.
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

    /// The niceness of the threads, relative to the process.
    static let niceness: Int32 = 5
    /// Linux's `SCHED_BATCH`, which Swift's Glibc does not export. A thread of that policy waits for a
    /// processor when it has work; any other could take it from an event loop in the middle of a turn.
    static let policy: Int32 = 3

    private let count: Int
    private let shared = Shared()

    /// - Parameter count: how many threads there are, from the first use on; at least one.
    package init(count: Int) { self.count = max(1, count) }

    deinit {
        let threads = shared.state.withLock { state in
            state.isOver = true
            return state.threadCount
        }
        for _ in 0..<threads { shared.arrival.signal() }
    }

    /// Starts the threads that are missing. They inherit the signal mask of the caller. To be
    /// called before an event loop serves, since the caller waits for each thread to start.
    package func prepare() {
        shared.starting.withLock { _ in
            while shared.state.withLock({ $0.threadCount }) < count {
                guard Self.makeThread(Unmanaged.passRetained(shared).toOpaque()) else {
                    Unmanaged.passUnretained(shared).release()
                    return
                }
                shared.state.withLock { $0.threadCount += 1 }
            }
        }
    }

    /// Calls `work` on one of the threads until it returns false. Between two calls the threads
    /// take the other waiting work items. O(1) when the threads were prepared.
    package func run(_ work: @escaping Work) {
        var threads = shared.state.withLock { $0.threadCount }
        if threads < count {
            prepare()
            threads = shared.state.withLock { $0.threadCount }
        }
        if threads > 0 { return shared.add(work) }
        // The system starts no thread, so the calling thread does the work.
        while work() {}
    }

    private static func makeThread(_ context: UnsafeMutableRawPointer) -> Bool {
        var thread = pthread_t()
        guard pthread_create(&thread, nil, { enterBackgroundThread($0) }, context) == 0 else {
            return false
        }
        pthread_detach(thread)
        return true
    }
}

private func enterBackgroundThread(
    _ context: UnsafeMutableRawPointer?
) -> UnsafeMutableRawPointer? {
    guard let context else { return nil }
    // On Linux both are of the calling thread alone. Where they are forbidden, it is like any other.
    var parameters = sched_param()
    sched_setscheduler(0, BackgroundThreads.policy, &parameters)
    setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, BackgroundThreads.niceness)
    Unmanaged<BackgroundThreads.Shared>.fromOpaque(context).takeRetainedValue().serve()
    return nil
}
