// The two text formats that Prometheus reads, from one description of each metric.
//
// https://prometheus.io/docs/instrumenting/exposition_formats (0.0.4) and
// https://prometheus.io/docs/specs/om/open_metrics_spec (1.0).

import HTTPWire

/// Writes metrics, one family after another. Label values must need no escape: those of ours are from
/// closed lists.
struct MetricsText {
    enum Format {
        case prometheus, openMetrics

        var contentType: StaticString {
            switch self {
            case .prometheus: "text/plain; version=0.0.4; charset=utf-8"
            case .openMetrics: "application/openmetrics-text; version=1.0.0; charset=utf-8"
            }
        }
    }

    enum Kind: String {
        case counter, gauge, histogram
    }

    let format: Format
    let out: OutputBuffer
    private var family = ""

    init(_ format: Format, into out: OutputBuffer) {
        self.format = format
        self.out = out
    }

    /// Begins a family. The name of a counter is given without `_total`.
    mutating func begin(_ name: String, _ kind: Kind, _ help: String) {
        family = name
        // OpenMetrics names the family, Prometheus the samples.
        let shown = kind == .counter && format == .prometheus ? name + "_total" : name
        out.append("# HELP \(shown) \(help)\n# TYPE \(shown) \(kind.rawValue)\n")
        if format == .openMetrics {
            for unit in ["seconds", "bytes"] where name.hasSuffix("_\(unit)") {
                out.append("# UNIT \(shown) \(unit)\n")
            }
        }
    }

    /// One sample of the family.
    ///
    /// - Parameter labels: `name="value",name="value"`, or nothing.
    func sample(_ value: Int, suffix: String = "", labels: String = "") {
        start(suffix, labels)
        out.append(decimal: value)
        out.append("\n")
    }

    func sample(_ value: Double, suffix: String = "", labels: String = "") {
        start(suffix, labels)
        out.append("\(value)\n")
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
    func histogram(_ numbers: [Int], labels: String = "") {
        let separator = labels.isEmpty ? "" : ","
        var count = 0
        for (index, bound) in DurationBuckets.labels.enumerated() {
            count &+= numbers[index]
            sample(count, suffix: "_bucket", labels: "\(labels)\(separator)le=\"\(bound)\"")
        }
        start("_sum", labels)
        appendSeconds(numbers[DurationBuckets.count])
        out.append("\n")
        sample(count, suffix: "_count", labels: labels)
    }

    func end() {
        if format == .openMetrics { out.append("# EOF\n") }
    }

    private func start(_ suffix: String, _ labels: String) {
        out.append(family)
        out.append(suffix)
        if !labels.isEmpty {
            out.append("{")
            out.append(labels)
            out.append("}")
        }
        out.append(" ")
    }

    /// Exact: a sum of nanoseconds has more digits than a floating-point number.
    ///
    /// - Parameter sum: of unsigned nanoseconds, which wraps after 584 years.
    private func appendSeconds(_ sum: Int) {
        let nanoseconds = UInt(bitPattern: sum)
        out.append(decimal: Int(nanoseconds / 1_000_000_000))
        out.append(".")
        let rest = "\(nanoseconds % 1_000_000_000)"
        out.append(String(repeating: "0", count: 9 - rest.utf8.count))
        out.append(rest)
    }
}
