// The newest turns of shards that took long, for `GET /v1/server/slow`.

import DequeModule
import HTTPServer
import JSONCodec
import Synchronization
import TraitSessions

/// A bounded list. Slow turns are rare, so that a lock costs nothing that matters.
final class SlowTurns: Sendable {
    private struct Entry: Sendable {
        /// Milliseconds since 1970, at the end of the turn.
        let time: Int64
        let shard: Int
        let turn: SlowTurn
    }

    private let countMax: Int
    private let now: @Sendable () -> Int64
    private let entries = Mutex(Deque<Entry>())

    init(limits: ServiceLimits, now: @escaping @Sendable () -> Int64) {
        countMax = max(1, limits.slowRequestsMax)
        self.now = now
    }

    func add(_ turn: SlowTurn, shard: Int) {
        let entry = Entry(time: now(), shard: shard, turn: turn)
        entries.withLock { entries in
            if entries.count >= countMax { entries.removeFirst() }
            entries.append(entry)
        }
    }

    /// The newest first.
    func write(into json: inout JSONWriter) {
        let entries = entries.withLock { $0 }
        for entry in entries.reversed() {
            json.beginObject()
            json.member("time", Timestamp.text(entry.time))
            json.member("shard", entry.shard)
            json.member("milliseconds", SlowRequests.milliseconds(entry.turn.nanoseconds))
            json.member("waitedMilliseconds", SlowRequests.milliseconds(entry.turn.waited))
            json.endObject()
        }
    }
}
