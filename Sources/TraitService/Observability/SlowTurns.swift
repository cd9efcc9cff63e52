// The newest turns of shards that took long, for `GET /v1/server/slow`.

import HTTPServer
import JSONCodec
import TraitSessions

final class SlowTurns: Sendable {
    private struct Entry: Sendable {
        /// Milliseconds since 1970, at the end of the turn.
        let time: Int64
        let shard: Int
        let turn: SlowTurn
    }

    private let now: @Sendable () -> Int64
    private let entries: NewestList<Entry>

    init(limits: ServiceLimits, now: @escaping @Sendable () -> Int64) {
        entries = NewestList(countMax: limits.slowRequestsMax)
        self.now = now
    }

    func add(_ turn: SlowTurn, shard: Int) {
        entries.add(Entry(time: now(), shard: shard, turn: turn))
    }

    /// The newest first.
    func write(into json: inout JSONWriter) {
        for entry in entries.newestFirst {
            json.beginObject()
            json.member("time", Timestamp.text(entry.time))
            json.member("shard", entry.shard)
            json.member("milliseconds", SlowRequests.milliseconds(entry.turn.nanoseconds))
            json.member("ranMilliseconds", SlowRequests.milliseconds(entry.turn.ran))
            json.member("waitedMilliseconds", SlowRequests.milliseconds(entry.turn.waited))
            json.endObject()
        }
    }
}
