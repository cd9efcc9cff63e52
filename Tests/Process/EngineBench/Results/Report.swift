// The run as JSON: one measurement a line, so that two runs can be compared with diff.

import Glibc
import JSONCodec

struct Report {
    /// JSON, as machine.py writes it.
    let machine: String
    let settings: Settings
    let measurements: [Measurement]
    let skipped: [(name: String, reason: String)]
    let agreement: Agreement
    let waits: Waits

    func write(to path: String) throws {
        var json = JSONWriter(capacity: 1 << 16)
        json.beginObject()
        newLine(&json)
        json.key("machine")
        json.raw(Array(machine.utf8))
        newLine(&json)
        json.member("seed", Int64(bitPattern: settings.seed))
        json.member("passes", settings.passes)
        json.member("quick", settings.isQuick)
        json.key("agreement")
        append(agreement, to: &json)
        newLine(&json)
        json.key("core")
        append(waits, to: &json)
        newLine(&json)
        json.beginArray("measurements")
        for measurement in measurements {
            newLine(&json)
            append(measurement, to: &json)
        }
        json.endArray()
        newLine(&json)
        json.beginArray("skipped")
        for (name, reason) in skipped {
            newLine(&json)
            json.beginObject()
            json.member("name", name)
            json.member("reason", reason)
            json.endObject()
        }
        json.endArray()
        newLine(&json)
        json.beginArray("bars")
        for verdict in Bar.verdicts(on: measurements) {
            newLine(&json)
            append(verdict, to: &json)
        }
        json.endArray()
        newLine(&json)
        json.endObject()
        newLine(&json)
        guard let file = fopen(path, "w") else { throw BenchError("cannot write \(path)") }
        defer { fclose(file) }
        guard fwrite(json.bytes.baseAddress, 1, json.count, file) == json.count else {
            throw BenchError("cannot write \(path)")
        }
    }

    /// A line end wherever JSON allows one; commas stay as they were.
    private func newLine(_ json: inout JSONWriter) { json.rawByte(UInt8(ascii: "\n")) }

    private func append(_ outcome: Agreement, to json: inout JSONWriter) {
        json.beginObject()
        json.member("commits", outcome.commits)
        json.member("notifications", outcome.notifications)
        json.member("values", outcome.values)
        json.endObject()
    }

    private func append(_ waits: Waits, to json: inout JSONWriter) {
        json.beginObject()
        json.member("free", waits.free)
        json.member("waited", waits.waited)
        json.member("shared", waits.shared)
        json.member("seconds", (Double(waits.nanoseconds) / 1e9).rounded4)
        json.endObject()
    }

    private func append(_ measurement: Measurement, to json: inout JSONWriter) {
        let (subject, sample) = (measurement.subject, measurement.sample)
        json.beginObject()
        json.member("name", measurement.name)
        if let shape = subject.shape {
            json.member("shape", shape.rawValue)
        }
        json.member("nodes", subject.nodes)
        json.member("overridingPercent", subject.overridingPercent)
        json.member("registrations", subject.registrations)
        json.member("detail", subject.detail)
        json.member("unit", measurement.unit.rawValue)
        json.member("median", sample.median.rounded4)
        json.member("min", sample.min.rounded4)
        json.member("p25", sample.lowerQuartile.rounded4)
        json.member("p75", sample.upperQuartile.rounded4)
        json.member("max", sample.max.rounded4)
        json.member("repetitions", sample.count)
        json.endObject()
    }

    private func append(_ verdict: Bar.Verdict, to json: inout JSONWriter) {
        json.beginObject()
        json.member("title", verdict.bar.title)
        json.member("target", verdict.bar.target)
        json.member("measured", verdict.measured.rounded4)
        json.member("unit", verdict.bar.unit.rawValue)
        json.member("bound", verdict.bar.isFloor ? "at least" : "at most")
        json.member("holds", verdict.holds)
        json.endObject()
    }
}

extension Double {
    /// To four significant digits: what is behind them is noise.
    fileprivate var rounded4: Double {
        guard isFinite, self != 0 else { return isFinite ? self : 0 }
        let scale = pow(10, 3 - floor(log10(magnitude)))
        return (self * scale).rounded() / scale
    }
}
