// Numbers for metrics. A shard writes only its own, without locks; readers add them up.

import Synchronization

/// Counts over all shards of a server. The shards are read one after another, not at one instant.
package struct ServerStatistics: Hashable, Sendable {
    /// Open connections, lingering ones included.
    package var connections = 0
    /// Open streams.
    package var streams = 0
    /// Parked requests, which have a pending response.
    package var parked = 0
    /// Requests that are worked on beside the shards, bodies and answers in compression included.
    package var working = 0
    /// Requests that were handed to the handler.
    package var requests = 0
    /// Connections accepted since the start.
    package var accepted = 0
    /// Requests and connections that were refused before a handler saw them.
    package var refused = 0
    /// Streams that were ended because their client did not read.
    package var slowConsumers = 0
    /// Bytes that sockets gave and took.
    package var receivedBytes = 0
    package var sentBytes = 0
    /// Bytes held of unfinished requests, and of answers that their clients have not taken.
    package var collectedBytes = 0
    package var unsentBytes = 0
    /// The longest turn of any shard since the start.
    package var longestTurnMicroseconds = 0
    /// The longest turn without the time in which its thread was ready and the system ran others. May be
    /// too short by a millisecond.
    package var longestScheduledTurnMicroseconds = 0

    package init() {}
}

/// One number. Only its shard writes it; any thread may read it.
struct Counter: ~Copyable {
    private let value = Atomic<Int>(0)

    /// Not atomic as a whole, which is why only the owning shard may call it.
    @inline(__always)
    func add(_ difference: Int) {
        value.store(value.load(ordering: .relaxed) &+ difference, ordering: .relaxed)
    }

    /// Only the owning shard may call it.
    func raise(to candidate: Int) {
        if candidate > current { value.store(candidate, ordering: .relaxed) }
    }

    var current: Int { value.load(ordering: .relaxed) }
}

/// The numbers of one shard.
final class ShardCounters: Sendable {
    let connections = Counter()
    let streams = Counter()
    let parked = Counter()
    let working = Counter()
    let requests = Counter()
    let accepted = Counter()
    let refused = Counter()
    let slowConsumers = Counter()
    let receivedBytes = Counter()
    let sentBytes = Counter()
    let longestTurnMicroseconds = Counter()
    let longestScheduledTurnMicroseconds = Counter()

    func add(to sum: inout ServerStatistics) {
        sum.connections += connections.current
        sum.streams += streams.current
        sum.parked += parked.current
        sum.working += working.current
        sum.requests += requests.current
        sum.accepted += accepted.current
        sum.refused += refused.current
        sum.slowConsumers += slowConsumers.current
        sum.receivedBytes += receivedBytes.current
        sum.sentBytes += sentBytes.current
        sum.longestTurnMicroseconds = max(
            sum.longestTurnMicroseconds, longestTurnMicroseconds.current)
        sum.longestScheduledTurnMicroseconds = max(
            sum.longestScheduledTurnMicroseconds, longestScheduledTurnMicroseconds.current)
    }
}
