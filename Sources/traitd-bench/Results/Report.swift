// The run as JSON: one measurement a line, so that two runs can be compared with diff.

import Glibc
import JSONCodec

struct Report {
    let machine: Machine
    /// What compiled the bench, as told by whoever started it.
    let compiler: String?
    let settings: Settings
    let measurements: [Measurement]
    let skipped: [(name: String, reason: String)]
    let agreement: Agreement.Outcome
    let waits: Waits

    func write(to path: String) throws {
        var json = JSONWriter(capacity: 1 << 16)
        json.beginObject()
        newLine(&json)
        json.key("machine")
        append(machine, to: &json)
        newLine(&json)
        json.key("seed")
        json.value(Int64(bitPattern: settings.seed))
        json.key("passes")
        json.value(settings.passes)
        json.key("quick")
        json.value(settings.isQuick)
        json.key("agreement")
        append(agreement, to: &json)
        newLine(&json)
        json.key("core")
        append(waits, to: &json)
        newLine(&json)
        json.key("measurements")
        json.beginArray()
        for measurement in measurements {
            newLine(&json)
            append(measurement, to: &json)
        }
        json.endArray()
        newLine(&json)
        json.key("skipped")
        json.beginArray()
        for (name, reason) in skipped {
            newLine(&json)
            json.beginObject()
            json.key("name")
            json.value(name)
            json.key("reason")
            json.value(reason)
            json.endObject()
        }
        json.endArray()
        newLine(&json)
        json.key("bars")
        json.beginArray()
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

    private func append(_ machine: Machine, to json: inout JSONWriter) {
        json.beginObject()
        json.key("processor")
        json.value(machine.processor)
        json.key("cores")
        json.value(machine.cores)
        json.key("caches")
        json.beginArray()
        for cache in machine.caches { json.value(cache) }
        json.endArray()
        json.key("memoryBytes")
        json.value(machine.memoryBytes)
        json.key("kernel")
        json.value(machine.kernel)
        json.key("architecture")
        json.value(machine.architecture)
        if let compiler {
            json.key("compiler")
            json.value(compiler)
        }
        json.endObject()
    }

    private func append(_ outcome: Agreement.Outcome, to json: inout JSONWriter) {
        json.beginObject()
        json.key("commits")
        json.value(outcome.commits)
        json.key("notifications")
        json.value(outcome.notifications)
        json.key("values")
        json.value(outcome.values)
        json.endObject()
    }

    private func append(_ waits: Waits, to json: inout JSONWriter) {
        json.beginObject()
        json.key("free")
        json.value(waits.free)
        json.key("waited")
        json.value(waits.waited)
        json.key("shared")
        json.value(waits.shared)
        json.key("seconds")
        json.value((Double(waits.nanoseconds) / 1e9).rounded4)
        json.endObject()
    }

    private func append(_ measurement: Measurement, to json: inout JSONWriter) {
        let (subject, sample) = (measurement.subject, measurement.sample)
        json.beginObject()
        json.key("name")
        json.value(measurement.name)
        if let shape = subject.shape {
            json.key("shape")
            json.value(shape.rawValue)
        }
        json.key("nodes")
        json.value(subject.nodes)
        json.key("overridingPercent")
        json.value(subject.overridingPercent)
        json.key("registrations")
        json.value(subject.registrations)
        json.key("detail")
        json.value(subject.detail)
        json.key("unit")
        json.value(measurement.unit.rawValue)
        json.key("median")
        json.value(sample.median.rounded4)
        json.key("min")
        json.value(sample.min.rounded4)
        json.key("p25")
        json.value(sample.lowerQuartile.rounded4)
        json.key("p75")
        json.value(sample.upperQuartile.rounded4)
        json.key("max")
        json.value(sample.max.rounded4)
        json.key("repetitions")
        json.value(sample.count)
        json.endObject()
    }

    private func append(_ verdict: Bar.Verdict, to json: inout JSONWriter) {
        json.beginObject()
        json.key("title")
        json.value(verdict.bar.title)
        json.key("target")
        json.value(verdict.bar.target)
        json.key("measured")
        json.value(verdict.measured.rounded4)
        json.key("unit")
        json.value(verdict.bar.unit.rawValue)
        json.key("bound")
        json.value(verdict.bar.isFloor ? "at least" : "at most")
        json.key("holds")
        json.value(verdict.holds)
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
