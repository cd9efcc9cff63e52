// Threads beside the shards, for long work. Each piece of work is done in slices, and callers and their pieces take
// turns, so that a short one does not wait for a long one.

import Background

/// Work that is done in slices, never two at once, and finished on its shard.
protocol Work: AnyObject, Sendable {
    /// Does about a millisecond of the work, on any thread. Returns whether that was the last slice.
    func slice() -> Bool

    /// Called on the shard after the last slice, unless the connection is closed.
    func finish(_ connection: Connection)
}

/// The threads for the work of all shards.
final class Workers: Sendable {
    private let threads: BackgroundThreads
    private let begunMax: Int

    /// - Parameters:
    ///   - threads: how many slices are done at the same time.
    ///   - begunMax: how many pieces of one caller take turns, as each may hold memory from its first slice on.
    init(threads: Int, begunMax: Int = 16) {
        self.threads = BackgroundThreads(count: threads)
        self.begunMax = begunMax
    }

    /// Starts the threads, before a shard needs one.
    func prepare() { threads.prepare() }

    /// O(log callers). The end is posted to the target's mailbox.
    func run(_ work: any Work, for target: WakeTarget, of caller: AnyObject?) {
        threads.run(for: caller, begunMax: begunMax) { _ in
            // Work whose request is gone is not continued, but its shard still has to release it.
            let isDone = target.isOver || work.slice()
            if isDone { target.mailbox.post(.worked(target, work)) }
            return !isDone
        }
    }
}
