// The threads on which writes are carried out that take long, beside the event loops and behind them:
// where all processors are busy, the system prefers a thread that serves small requests.

import DequeModule
import Synchronization

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// A few threads for all sessions. A thread ends when there is nothing to do.
package final class WriteThreads: Sendable {
    package static let shared = WriteThreads(threadsMax: 2)

    private struct State {
        var waiting = Deque<@Sendable () -> Bool>()
        var threadCount = 0
    }

    /// What is added to the threads' niceness.
    private static let niceness: Int32 = 5

    private let threadsMax: Int
    private let state = Mutex(State())

    init(threadsMax: Int) { self.threadsMax = threadsMax }

    /// Calls `work` on one of the threads until it answers that there is no more to do. Between two
    /// calls others have their turn. O(1).
    package func run(_ work: @escaping @Sendable () -> Bool) {
        let needsThread = state.withLock { state in
            state.waiting.append(work)
            guard state.threadCount < threadsMax else { return false }
            state.threadCount += 1
            return true
        }
        if needsThread { start() }
    }

    private func start() {
        if WriteThreads.makeThread(Unmanaged.passRetained(self).toOpaque()) { return }
        Unmanaged.passUnretained(self).release()
        // Out of threads: one that runs takes what waits, or else this one does it.
        let isAlone = state.withLock { state in
            state.threadCount -= 1
            return state.threadCount == 0
        }
        if isAlone { runAlone() }
    }

    private func runAlone() {
        state.withLock { $0.threadCount += 1 }
        work()
    }

    private static func makeThread(_ context: UnsafeMutableRawPointer) -> Bool {
        #if canImport(Darwin)
            var thread: pthread_t?
            guard pthread_create(&thread, nil, { enterWriteThread($0) }, context) == 0,
                let thread
            else { return false }
        #else
            var thread = pthread_t()
            guard pthread_create(&thread, nil, { enterWriteThread($0) }, context) == 0 else {
                return false
            }
        #endif
        pthread_detach(thread)
        return true
    }

    fileprivate func begin() {
        #if os(Linux)
            // Of this thread alone, on Linux.
            setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, Self.niceness)
        #endif
        work()
    }

    private func work() {
        while let work = next() {
            if work() { state.withLock { $0.waiting.append(work) } }
        }
    }

    private func next() -> (@Sendable () -> Bool)? {
        state.withLock { state in
            if let work = state.waiting.popFirst() { return work }
            state.threadCount -= 1
            return nil
        }
    }
}

private func enterWriteThread(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    guard let context else { return nil }
    Unmanaged<WriteThreads>.fromOpaque(context).takeRetainedValue().begin()
    return nil
}
