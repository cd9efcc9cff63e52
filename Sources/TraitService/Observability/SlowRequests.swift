// The newest requests that took long, for `GET /v1/server/slow`.

import HTTPServer
import JSONCodec
import TraitSessions

final class SlowRequests: Sendable {
    private struct Entry: Sendable {
        /// Milliseconds since 1970.
        let time: Int64
        let endedAt: UInt64
        /// The note and its bytes.
        let bytes: [UInt8]
    }

    /// Requests that take at least so long are listed.
    let nanosecondsMin: UInt64
    private let now: @Sendable () -> Int64
    private let entries: NewestList<Entry>

    init(limits: ServiceLimits, now: @escaping @Sendable () -> Int64) {
        nanosecondsMin = UInt64(max(0, limits.slowRequestMicrosecondsMin)) * 1_000
        entries = NewestList(countMax: limits.slowRequestsMax)
        self.now = now
    }

    func add(_ note: UnsafeRawBufferPointer, endedAt: UInt64) {
        entries.add(Entry(time: now(), endedAt: endedAt, bytes: [UInt8](note)))
    }

    /// The newest first.
    func write(into json: inout JSONWriter) {
        for entry in entries.newestFirst {
            entry.bytes.withUnsafeBytes { bytes in
                AnswerNote.forEach(in: bytes) { note, whole in
                    Self.write(note, whole, entry, into: &json)
                }
            }
        }
    }

    private static func write(
        _ note: AnswerNote, _ bytes: UnsafeRawBufferPointer, _ entry: Entry,
        into json: inout JSONWriter
    ) {
        let series = RequestSeries(index: Int(note.series))
        json.beginObject()
        json.member("time", Timestamp.text(entry.time))
        json.member("requestId", SafeText.string(note.requestID(in: bytes)))
        json.member("method", series.methodLabel)
        let target = SafeText.string(note.target(in: bytes))
        json.member("target", note.isTargetCut ? target + "…" : target)
        if let route = series.route {
            json.member("route", route.pattern)
        }
        json.member("status", Int(note.status))
        let total = entry.endedAt &- min(note.startedAt, entry.endedAt)
        json.member("milliseconds", milliseconds(total))
        json.beginObject("spent")
        let log = min(note.waitedForLog, total)
        let workers = min(note.waitedForWorkers, total &- log)
        for (name, part) in [
            ("shard", total &- log &- workers), ("log", log), ("workers", workers),
        ] {
            json.key(name)
            json.value(milliseconds(part))
        }
        json.endObject()
        json.endObject()
    }

    /// To a microsecond.
    static func milliseconds(_ nanoseconds: UInt64) -> Double {
        Double(nanoseconds / 1_000) / 1_000
    }
}
