// Threads beside the shards for what takes long. A piece of work is done in slices, and after each the
// others get their turn, so that a short one does not wait for a long one to end.

import Background
import DequeModule
import Synchronization

/// Something to be done in slices, never two at once, and then brought to an end on its shard.
protocol Work: AnyObject, Sendable {
    /// Does some of it, a millisecond or so. Answers whether that was the last. On any thread.
    func slice() -> Bool

    /// On the shard, unless the connection is gone.
    func finish(_ connection: Connection)
}

/// The queue of work of all shards.
final class Workers: Sendable {
    /// A piece of work and where its end is awaited.
    private struct Job {
        let work: any Work
        let target: WakeTarget
    }

    private struct State {
        /// Work that has begun, in the order of its turns.
        var turns = Deque<Job>()
        /// Work that has not begun.
        var waiting = Deque<Job>()
        /// Begun and not ended.
        var begunCount = 0
        var threadCount = 0
    }

    private let threadsMax: Int
    private let begunMax: Int
    private let threads: BackgroundThreads
    private let state = Mutex(State())

    /// - Parameters:
    ///   - threads: how many slices are done at the same time.
    ///   - begunMax: how many pieces take turns; each may hold memory from its first slice on. More
    ///     wait until one ends.
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
            labour()
            return false
        }
    }

    private func labour() {
        while let job = next() {
            // Nobody waits for it any more: its shard is still to let go of it.
            let isDone = job.target.isOver || job.work.slice()
            if isDone { job.target.mailbox.post(.worked(job.target, job.work)) }
            state.withLock { state in
                if isDone { state.begunCount -= 1 } else { state.turns.append(job) }
            }
        }
    }

    /// What has not begun comes before what has, as long as there is room for it.
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
