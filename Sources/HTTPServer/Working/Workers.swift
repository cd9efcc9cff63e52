// Threads beside the shards, for long work. Each piece of work is done in slices, and the pieces take turns,
// so that a short one does not wait for a long one.

import Background
import DequeModule
import Synchronization

/// Work that is done in slices, never two at once, and finished on its shard.
protocol Work: AnyObject, Sendable {
    /// Does about a millisecond of the work, on any thread. Returns whether that was the last slice.
    func slice() -> Bool

    /// Called on the shard after the last slice, unless the connection is closed.
    func finish(_ connection: Connection)
}

/// The queue of work of all shards.
final class Workers: Sendable {
    /// A piece of work, and the target that its end wakes.
    private struct Job {
        let work: any Work
        let target: WakeTarget
    }

    private struct State {
        /// Work that has begun, in the order of turns.
        var turns = Deque<Job>()
        /// Work that has not begun.
        var waiting = Deque<Job>()
        /// How many pieces have begun and not ended.
        var begunCount = 0
        var threadCount = 0
    }

    private let threadsMax: Int
    private let begunMax: Int
    private let threads: BackgroundThreads
    private let state = Mutex(State())

    /// - Parameters:
    ///   - threads: how many slices are done at the same time.
    ///   - begunMax: how many pieces take turns, as each may hold memory from its first slice on. Further
    ///     pieces wait until one ends.
    init(threads: Int, begunMax: Int = 16) {
        threadsMax = max(1, threads)
        self.threads = BackgroundThreads(count: threadsMax)
        self.begunMax = max(threadsMax, begunMax)
    }

    /// Starts the threads, before a shard needs one.
    func prepare() { threads.prepare() }

    /// O(1). The end is posted to the target's mailbox.
    func run(_ work: any Work, for target: WakeTarget) {
        let needsThread = state.withLock { state in
            state.waiting.append(Job(work: work, target: target))
            guard state.threadCount < threadsMax else { return false }
            state.threadCount += 1
            return true
        }
        guard needsThread else { return }
        threads.run { [self] in
            runSlices()
            return false
        }
    }

    private func runSlices() {
        while let job = next() {
            // Work whose request is gone is not continued, but its shard still has to release it.
            let isDone = job.target.isOver || job.work.slice()
            if isDone { job.target.mailbox.post(.worked(job.target, job.work)) }
            state.withLock { state in
                if isDone { state.begunCount -= 1 } else { state.turns.append(job) }
            }
        }
    }

    /// The next piece of work. Work that has not begun comes first, while fewer than `begunMax` have.
    private func next() -> Job? {
        state.withLock { state in
            if state.begunCount < begunMax, let job = state.waiting.popFirst() {
                state.begunCount += 1
                return job
            }
            if let job = state.turns.popFirst() { return job }
            state.threadCount -= 1
            return nil
        }
    }
}
