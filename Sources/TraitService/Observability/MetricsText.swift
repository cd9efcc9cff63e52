// The two text formats that Prometheus reads, and JSON for programs of ours, from one description of
// each metric.
//
// https://prometheus.io/docs/instrumenting/exposition_formats (0.0.4) and
// https://prometheus.io/docs/specs/om/open_metrics_spec (1.0).

import HTTPWire
import JSONCodec

/// Writes metrics, one family after another. Label values must need no escape: those of ours are from
/// closed lists.
///
/// As JSON the metrics are one object. A member has the name that the samples have in Prometheus' format,
/// and is an array of samples: objects with the labels and `value`, or the cumulative `counts` of a
/// histogram, its `bounds`, one fewer, and its `sum`.
struct MetricsText: ~Copyable {
    enum Format {
        case prometheus, openMetrics, json

        var contentType: StaticString {
            switch self {
            case .prometheus: "text/plain; version=0.0.4; charset=utf-8"
            case .openMetrics: "application/openmetrics-text; version=1.0.0; charset=utf-8"
            case .json: "application/json"
            }
        }
    }

    typealias Labels = [(name: String, value: String)]

    enum Kind: String {
        case counter, gauge, histogram
    }

    let format: Format
    let out: OutputBuffer
    private var family = ""
    private var json = JSONWriter()

    init(_ format: Format, into out: OutputBuffer) {
        self.format = format
        self.out = out
        if format == .json { json.beginObject() }
    }

    /// Begins a family. The name of a counter is given without `_total`.
    mutating func begin(_ name: String, _ kind: Kind, _ help: String) {
        // OpenMetrics names the family, Prometheus the samples.
        let shown = kind == .counter && format != .openMetrics ? name + "_total" : name
        if format == .json {
            if !family.isEmpty { json.endArray() }
            json.key(shown)
            json.beginArray()
        }
        family = name
        if format == .json { return }
        out.append("# HELP \(shown) \(help)\n# TYPE \(shown) \(kind.rawValue)\n")
        if format == .openMetrics {
            for unit in ["seconds", "bytes"] where name.hasSuffix("_\(unit)") {
                out.append("# UNIT \(shown) \(unit)\n")
            }
        }
    }

    /// One sample of the family.
    mutating func sample(_ value: Int, suffix: String = "", labels: Labels = []) {
        if format == .json { return writeSample(labels) { $0.member("value", value) } }
        append(decimal: "\(value)", suffix, labels)
    }

    mutating func sample(_ value: Double, suffix: String = "", labels: Labels = []) {
        if format == .json { return writeSample(labels) { $0.member("value", value) } }
        append(decimal: "\(value)", suffix, labels)
    }

    /// A counter without labels, a family of its own.
    mutating func counter(_ name: String, _ help: String, _ value: Int) {
        begin(name, .counter, help)
        sample(value, suffix: "_total")
    }

    mutating func gauge(_ name: String, _ help: String, _ value: Int) {
        begin(name, .gauge, help)
        sample(value)
    }

    /// A histogram of the family, from its numbers (`DurationBuckets`).
    mutating func histogram(_ numbers: [Int], labels: Labels = []) {
        let counts = Array(numbers.prefix(DurationBuckets.count))
        let sum = Self.seconds(numbers[DurationBuckets.count])
        histogram(counts, DurationBuckets.labels, sum: sum, labels: labels)
    }

    /// - Parameters:
    ///   - counts: those of each bucket, not cumulative.
    ///   - bounds: as `le` has them. The last is +Inf.
    ///   - sum: a number.
    mutating func histogram(
        _ counts: [Int], _ bounds: [String], sum: String, labels: Labels = []
    ) {
        var count = 0
        let sums = counts.map { next in
            count &+= next
            return count
        }
        if format == .json {
            return writeSample(labels) { json in
                json.beginArray("bounds")
                for bound in bounds.dropLast() { json.value(Double(bound) ?? 0) }
                json.endArray()
                json.beginArray("counts")
                for count in sums { json.value(count) }
                json.endArray()
                json.member("sum", Double(sum) ?? 0)
            }
        }
        for (count, bound) in zip(sums, bounds) {
            append(decimal: "\(count)", "_bucket", labels + [("le", bound)])
        }
        append(decimal: sum, "_sum", labels)
        append(decimal: "\(count)", "_count", labels)
    }

    mutating func end() {
        switch format {
        case .prometheus: break
        case .openMetrics: out.append("# EOF\n")
        case .json:
            if !family.isEmpty { json.endArray() }
            json.endObject()
            json.newline()
            out.append(json.bytes)
        }
    }

    private mutating func writeSample(_ labels: Labels, _ body: (inout JSONWriter) -> Void) {
        json.beginObject()
        for (name, value) in labels {
            json.key(name)
            json.value(value)
        }
        body(&json)
        json.endObject()
    }

    private func append(decimal: String, _ suffix: String, _ labels: Labels) {
        out.append(family)
        out.append(suffix)
        if !labels.isEmpty {
            out.append("{")
            out.append(labels.map { "\($0)=\"\($1)\"" }.joined(separator: ","))
            out.append("}")
        }
        out.append(" ")
        out.append(decimal)
        out.append("\n")
    }

    /// Exact: a sum of nanoseconds has more digits than a floating-point number.
    ///
    /// - Parameter sum: of unsigned nanoseconds, which wraps after 584 years.
    private static func seconds(_ sum: Int) -> String {
        let nanoseconds = UInt(bitPattern: sum)
        let rest = "\(nanoseconds % 1_000_000_000)"
        return "\(nanoseconds / 1_000_000_000)."
            + String(repeating: "0", count: 9 - rest.utf8.count) + rest
    }
}
