// One line of a report: what was measured, on what, and what came out.

enum Unit: String {
    case nanoseconds = "ns"
    case microseconds = "µs"
    case bytes = "bytes"
    case perSecond = "1/s"
    case ratio = "ratio"
    case visits = "visits"
}

/// The tree that a measurement was made on.
struct Subject: Hashable {
    var shape: Shape?
    var nodes: Int
    /// Of a hundred nodes so many set something, the root apart.
    var overridingPercent = 0
    var registrations = 0
    /// Further properties that distinguish this figure from others of its name.
    var detail = ""

    init(
        _ shape: Shape? = nil, nodes: Int, overridingPercent: Int = 0, registrations: Int = 0,
        _ detail: String = ""
    ) {
        self.shape = shape
        self.nodes = nodes
        self.overridingPercent = overridingPercent
        self.registrations = registrations
        self.detail = detail
    }
}

struct Measurement {
    /// Of the list of measurements, `--list`.
    let name: String
    let subject: Subject
    let unit: Unit
    var sample: Sample
}

extension Subject {
    /// `wide, 1000000 nodes, 1 % overriding, at the root`.
    var text: String {
        var parts = nodes > 0 ? ["\(nodes) nodes"] : []
        if let shape { parts.insert(shape.rawValue, at: 0) }
        if overridingPercent > 0 { parts.append("\(overridingPercent) % overriding") }
        if registrations > 0 { parts.append("\(registrations) registrations") }
        if !detail.isEmpty { parts.append(detail) }
        return parts.joined(separator: ", ")
    }
}

extension Double {
    /// As many digits as a reader can use: 1234, 123, 12.3, 1.23.
    var readable: String {
        if !isFinite { return "–" }
        let digits = magnitude >= 99.95 ? 0 : magnitude >= 9.995 ? 1 : 2
        let power = [1.0, 10, 100][digits]
        let scaled = (self * power).rounded()
        if digits == 0 { return String(Int64(scaled)) }
        let whole = Int64(scaled.magnitude / power)
        let rest = String(Int64(scaled.magnitude) % Int64(power))
        let padding = String(repeating: "0", count: digits - rest.utf8.count)
        return (scaled < 0 ? "-" : "") + "\(whole)." + padding + rest
    }
}
