// A client's request to a replica: carried out by a thread of the replica's process, while the client waits, gives up, or
// sees the connection end with the process.

import Background
import Simulated

/// One request under way.
final class Exchange<Answer> {
    private(set) var answer: Answer?
    private let replica: RunningReplica
    private let scheduler: Scheduler

    init(
        _ scheduler: Scheduler, to replica: RunningReplica, way: (out: UInt64, back: UInt64),
        _ work: @escaping (RunningReplica) -> Answer
    ) {
        self.replica = replica
        self.scheduler = scheduler
        scheduler.start("request", in: replica.process) { [self] in
            Uptime.pause(.nanoseconds(Int64(way.out)))
            let made = work(replica)
            Uptime.pause(.nanoseconds(Int64(way.back)))
            answer = made
            scheduler.changed()
        }
    }

    /// Waits for the answer. Nil when the process ended before, or at the deadline, a time of the scheduler.
    func wait(until deadline: UInt64) -> Answer? {
        _ = scheduler.wait(until: deadline) { answer != nil || replica.process.isKilled }
        return answer
    }
}
