// The newest requests, or turns of shards, that took long, for `GET /v1/server/slow`.

import DequeModule
import HTTPServer
import JSONCodec
import SessionViews
import Synchronization
import TraitJSON
import TraitSessions

/// A bounded list of JSON objects. Additions are rare, so that writing one and a lock cost nothing that matters.
final class SlowList: Sendable {
    private let countMax: Int
    private let now: @Sendable () -> Int64
    private let texts = Mutex(Deque<[UInt8]>())

    /// - Parameter now: milliseconds since 1970.
    init(limits: ServiceLimits, now: @escaping @Sendable () -> Int64) {
        countMax = max(1, limits.slowRequestsMax)
        self.now = now
    }

    /// The newest first.
    func write(into json: inout JSONWriter) {
        for text in texts.withLock({ $0 }).reversed() { json.raw(text) }
    }

    /// The oldest leaves a full list.
    private func add(_ writeMembers: (inout JSONWriter) -> Void) {
        var json = JSONWriter()
        json.beginObject()
        json.member("time", Timestamp.text(now()))
        writeMembers(&json)
        json.endObject()
        let text = json.array()
        texts.withLock { texts in
            if texts.count >= countMax { texts.removeFirst() }
            texts.append(text)
        }
    }

    func add(_ turn: SlowTurn, shard: Int) {
        add { json in
            json.member("shard", shard)
            json.member("milliseconds", Self.milliseconds(turn.nanoseconds))
            json.member("ranMilliseconds", Self.milliseconds(turn.ran))
            json.member("waitedMilliseconds", Self.milliseconds(turn.waited))
        }
    }

    /// - Parameter bytes: the note and its bytes.
    func add(_ note: AnswerNote, _ bytes: UnsafeRawBufferPointer, endedAt: UInt64) {
        let series = RequestSeries(index: Int(note.series))
        let total = endedAt &- min(note.startedAt, endedAt)
        let log = min(note.waitedForLog, total)
        let workers = min(note.waitedForWorkers, total &- log)
        add { json in
            json.member("requestId", SafeText.string(note.requestID(in: bytes)))
            json.member("method", series.methodLabel)
            let target = SafeText.string(note.target(in: bytes))
            json.member("target", note.isTargetCut ? target + "…" : target)
            if let route = series.route { json.member("route", route.pattern) }
            json.member("status", Int(note.status))
            json.member("milliseconds", Self.milliseconds(total))
            json.beginObject("spent")
            json.member("shard", Self.milliseconds(total &- log &- workers))
            json.member("log", Self.milliseconds(log))
            json.member("workers", Self.milliseconds(workers))
            json.endObject()
        }
    }

    /// To a microsecond.
    private static func milliseconds(_ nanoseconds: UInt64) -> Double {
        Double(nanoseconds / 1_000) / 1_000
    }
}
