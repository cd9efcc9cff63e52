// The samples of `/metrics`, as `traitd top` reads them: Prometheus' text format 0.0.4.

/// Numbers by name and labels. What the text claims is taken as it is; a sample may be infinite or no number.
struct MetricSamples {
    struct Sample {
        var labels: [String: String] = [:]
        var value = 0.0
    }

    private var byName: [String: [Sample]] = [:]

    /// Lines that are no samples are left out. O(bytes).
    init(parsing text: [UInt8]) {
        for line in text.split(separator: UInt8(ascii: "\n")) {
            var reader = LineReader(rest: line)
            guard let (name, sample) = reader.sample() else { continue }
            byName[name, default: []].append(sample)
        }
    }

    func all(_ name: String) -> [Sample] { byName[name] ?? [] }

    /// The sum of all samples of a name; nil without any.
    func sum(_ name: String) -> Double? {
        byName[name].map { $0.reduce(0) { $0 + $1.value } }
    }

    /// The histograms of a name by the values of some labels, in the order of the text.
    func histograms(_ name: String, by labels: [String]) -> [(key: [String], Histogram)] {
        var places: [[String]: Int] = [:]
        var found: [(key: [String], Histogram)] = []
        for sample in all(name + "_bucket") {
            guard let bound = sample.labels["le"].flatMap(Self.number) else { continue }
            let key = labels.map { sample.labels[$0] ?? "" }
            let place = places[key] ?? found.count
            if place == found.count {
                places[key] = place
                found.append((key, Histogram()))
            }
            found[place].1.add(bound, sample.value)
        }
        return found
    }

    func histogram(_ name: String) -> Histogram? { histograms(name, by: []).first?.1 }

    fileprivate static func number(_ text: String) -> Double? {
        text == "+Inf" ? .infinity : Double(text)
    }
}

/// The parts of one line: `name{label="value",…} number`.
private struct LineReader {
    var rest: ArraySlice<UInt8>

    mutating func sample() -> (String, MetricSamples.Sample)? {
        guard let first = rest.first, first != UInt8(ascii: "#") else { return nil }
        let name = take { $0 != UInt8(ascii: "{") && $0 != UInt8(ascii: " ") }
        var sample = MetricSamples.Sample()
        if rest.first == UInt8(ascii: "{") {
            rest.removeFirst()
            while let byte = rest.first, byte != UInt8(ascii: "}") {
                let label = take { $0 != UInt8(ascii: "=") }
                guard let value = quoted() else { return nil }
                sample.labels[label] = value
                if rest.first == UInt8(ascii: ",") { rest.removeFirst() }
            }
            guard !rest.isEmpty else { return nil }
            rest.removeFirst()
        }
        skipSpaces()
        // A time stamp may follow.
        guard !name.isEmpty, let value = MetricSamples.number(take { $0 != UInt8(ascii: " ") })
        else { return nil }
        sample.value = value
        return (name, sample)
    }

    private mutating func skipSpaces() {
        while rest.first == UInt8(ascii: " ") { rest.removeFirst() }
    }

    private mutating func take(while isPart: (UInt8) -> Bool) -> String {
        let part = rest.prefix(while: isPart)
        rest = rest[part.endIndex...]
        return String(decoding: part, as: UTF8.self)
    }

    /// The value of a label after its name: `="…"`, with `\\`, `\"` and `\n` as the format has them.
    private mutating func quoted() -> String? {
        guard rest.starts(with: Array("=\"".utf8)) else { return nil }
        rest.removeFirst(2)
        var value: [UInt8] = []
        while let byte = rest.popFirst() {
            switch byte {
            case UInt8(ascii: "\""): return String(decoding: value, as: UTF8.self)
            case UInt8(ascii: "\\"):
                guard let escaped = rest.popFirst() else { return nil }
                value.append(escaped == UInt8(ascii: "n") ? UInt8(ascii: "\n") : escaped)
            default: value.append(byte)
            }
        }
        return nil
    }
}
