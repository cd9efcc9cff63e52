// The access log: a line for each answer, or for one in so many. Shards hand over what they noted once a
// turn; a queue of its own makes lines of it and writes them. A disk that cannot follow costs lines, which
// are counted, and neither time nor unbounded memory.

import Dispatch
import HTTPServer
import HTTPWire
import SessionViews
import Synchronization
import TraitJSON
import TraitSessions

package final class AccessLog: Sendable {
    /// Writes whole lines somewhere. Returns whether it could. Called on one queue, which may wait.
    package typealias Sink = @Sendable (UnsafeRawBufferPointer) -> Bool

    /// How long lines wait for others to be written with.
    private static let delay = DispatchTimeInterval.milliseconds(100)

    /// The notes of one shard that wait to be written.
    private final class Waiting: Sendable {
        let bytes = Mutex<[UInt8]>([])
    }

    /// Of so many answers the shards hand over one, and each with a status of 500 and above.
    let sampleEvery: Int
    private let form: SafeText.Form
    private let bytesMax: Int
    private let waiting: [Waiting]
    private let sink: Sink
    private let now: @Sendable () -> Int64
    private let queue = DispatchQueue(label: "traitd.access-log")
    private let isScheduled = Atomic<Bool>(false)
    private let dropped = Atomic<Int>(0)

    /// - Parameters:
    ///   - sampleEvery: of so many answers one is logged, and each with a status of 500 and above.
    ///   - bytesMax: bytes of notes of one shard that may wait to be written.
    ///   - now: milliseconds since 1970.
    package init(
        _ form: SafeText.Form, shards: Int, sampleEvery: Int = 1, bytesMax: Int,
        now: @escaping @Sendable () -> Int64 = SessionEnvironment.system.now, sink: @escaping Sink
    ) {
        self.form = form
        self.sampleEvery = max(1, sampleEvery)
        self.bytesMax = bytesMax
        self.sink = sink
        self.now = now
        waiting = (0..<max(1, shards)).map { _ in Waiting() }
    }

    /// Lines that were not written, because too many waited or the sink failed.
    package var droppedLines: Int { dropped.load(ordering: .relaxed) }

    /// Takes notes of answers that left in one turn. One lock, which only the writer contends for, and for
    /// one turn in 100 ms a timer.
    func take(_ notes: UnsafeRawBufferPointer, shard: Int, endedAt: UInt64) {
        waiting[shard].bytes.withLock { bytes in
            AnswerNote.forEach(in: notes) { note, whole in
                guard bytes.count + whole.count <= bytesMax else {
                    dropped.add(1, ordering: .relaxed)
                    return
                }
                note.endedAt = endedAt
                let place = bytes.count
                bytes.append(contentsOf: whole)
                bytes.withUnsafeMutableBytes {
                    $0.storeBytes(of: note, toByteOffset: place, as: AnswerNote.self)
                }
            }
        }
        guard !isScheduled.load(ordering: .relaxed),
            !isScheduled.exchange(true, ordering: .acquiringAndReleasing)
        else { return }
        queue.asyncAfter(deadline: .now() + Self.delay) { self.write() }
    }

    /// Writes what waits and returns when it is written.
    package func flush() { queue.sync { write() } }

    private func write() {
        dispatchPrecondition(condition: .onQueue(queue))
        // Before the notes are taken: what comes after that schedules the next time.
        isScheduled.store(false, ordering: .sequentiallyConsistent)
        let out = OutputBuffer(capacity: 65_536)
        // Notes have monotonic times.
        let clocks = (wall: now(), ticks: MonotonicClock.now())
        var texts = LineTexts()
        for shard in waiting {
            let notes = shard.bytes.withLock { bytes in
                defer { bytes = [] }
                return bytes
            }
            var lines = 0
            notes.withUnsafeBytes { notes in
                AnswerNote.forEach(in: notes) { note, whole in
                    let age = Int64(clocks.ticks &- min(note.endedAt, clocks.ticks)) / 1_000_000
                    AccessLine(note, whole, time: clocks.wall - age).append(form, to: out, &texts)
                    lines += 1
                    if out.count >= 65_536 { hand(out, &lines) }
                }
            }
            hand(out, &lines)
        }
    }

    private func hand(_ out: OutputBuffer, _ lines: inout Int) {
        if !out.isEmpty, !sink(out.bytes) { dropped.add(lines, ordering: .relaxed) }
        out.removeAll()
        lines = 0
    }
}

/// Texts that most lines have from the line before: of the client, and of the second.
private struct LineTexts {
    private var client = ClientAddress.none
    private var clientText = "unix"
    private var second: Int64?
    /// `2026-11-22T10:00:00.000Z`
    private var secondText = ""

    mutating func append(_ client: ClientAddress, to out: OutputBuffer) {
        if client != self.client {
            self.client = client
            clientText = client.text ?? "unix"
        }
        out.append(clientText)
    }

    /// - Parameter time: milliseconds since 1970.
    mutating func append(time: Int64, to out: OutputBuffer) {
        let (second, milliseconds) = max(0, time).quotientAndRemainder(dividingBy: 1_000)
        if second != self.second {
            self.second = second
            secondText = Timestamp.text(second * 1_000)
        }
        out.append(secondText)
        out.truncate(to: out.count - 4)
        AccessLine.append(threeDigits: Int(milliseconds), to: out)
        out.append("Z")
    }
}

/// One line of the access log.
private struct AccessLine {
    private let note: AnswerNote
    private let bytes: UnsafeRawBufferPointer
    private let time: Int64

    init(_ note: AnswerNote, _ bytes: UnsafeRawBufferPointer, time: Int64) {
        self.note = note
        self.bytes = bytes
        self.time = time
    }

    func append(_ form: SafeText.Form, to out: OutputBuffer, _ texts: inout LineTexts) {
        switch form {
        case .text, .plain: appendText(to: out, &texts)
        case .json: appendJSON(to: out, &texts)
        }
    }

    /// `2026-11-22T10:00:00.123Z 127.0.0.1 GET "/livez" 200 16 0.041 "3229c6d289d3a43b" -`: time, client,
    /// method, target, status, bytes, milliseconds, request id, trace parent, the caller if there are tokens, and
    /// `reason="…"` if the request gives one.
    private func appendText(to out: OutputBuffer, _ texts: inout LineTexts) {
        let series = RequestSeries(index: Int(note.series))
        texts.append(time: time, to: out)
        out.append(" ")
        texts.append(note.client, to: out)
        out.append(" ")
        out.append(series.methodLabel)
        out.append(" ")
        appendTarget(.text, to: out)
        out.append(" ")
        out.append(decimal: Int(note.status))
        out.append(" ")
        if note.bodyBytes >= 0 { out.append(decimal: note.bodyBytes) } else { out.append("-") }
        out.append(" ")
        appendMilliseconds(to: out)
        out.append(" ")
        SafeText.quote(note.requestID(in: bytes), .text, into: out)
        out.append(" ")
        if note.traceCount > 0 {
            SafeText.quote(note.trace(in: bytes), .text, into: out)
        } else {
            out.append("-")
        }
        if note.callerCount > 0 {
            out.append(" ")
            SafeText.quote(note.caller(in: bytes), .text, into: out)
        }
        if note.reasonCount > 0 {
            out.append(" reason=")
            SafeText.quote(note.reason(in: bytes), .text, into: out)
        }
        out.append("\n")
    }

    private func appendJSON(to out: OutputBuffer, _ texts: inout LineTexts) {
        let series = RequestSeries(index: Int(note.series))
        out.append("{\"time\":\"")
        texts.append(time: time, to: out)
        out.append("\",\"log\":\"access\",\"client\":\"")
        texts.append(note.client, to: out)
        out.append("\",\"method\":\"")
        out.append(series.methodLabel)
        out.append("\",\"target\":")
        appendTarget(.json, to: out)
        if let route = series.route {
            out.append(",\"route\":\"")
            out.append(route.pattern)
            out.append("\"")
        }
        out.append(",\"status\":")
        out.append(decimal: Int(note.status))
        if note.bodyBytes >= 0 {
            out.append(",\"bytes\":")
            out.append(decimal: note.bodyBytes)
        }
        out.append(",\"milliseconds\":")
        appendMilliseconds(to: out)
        out.append(",\"requestId\":")
        SafeText.quote(note.requestID(in: bytes), .json, into: out)
        if note.traceCount > 0 {
            out.append(",\"traceparent\":")
            SafeText.quote(note.trace(in: bytes), .json, into: out)
        }
        if note.callerCount > 0 {
            out.append(",\"caller\":")
            SafeText.quote(note.caller(in: bytes), .json, into: out)
        }
        if note.reasonCount > 0 {
            out.append(",\"reason\":")
            SafeText.quote(note.reason(in: bytes), .json, into: out)
        }
        out.append("}\n")
    }

    private func appendTarget(_ form: SafeText.Form, to out: OutputBuffer) {
        SafeText.quote(note.target(in: bytes), form, into: out)
        guard note.isTargetCut else { return }
        // Inside the quotes.
        out.truncate(to: out.count - 1)
        out.append("...\"")
    }

    /// With three digits after the point.
    private func appendMilliseconds(to out: OutputBuffer) {
        let micros = Int((note.endedAt &- min(note.startedAt, note.endedAt)) / 1_000)
        out.append(decimal: micros / 1_000)
        out.append(".")
        Self.append(threeDigits: micros % 1_000, to: out)
    }

    fileprivate static func append(threeDigits number: Int, to out: OutputBuffer) {
        if number < 100 { out.append("0") }
        if number < 10 { out.append("0") }
        out.append(decimal: number)
    }
}
