// The samples of `/metrics` as JSON (`TraitService/Observability/MetricsText.swift`), as `traitd top` reads them.

import JSONCodec

/// Samples by name. What the server claims is taken as it is.
struct MetricSamples {
    struct Sample {
        var labels: [String: String] = [:]
        var value = 0.0
        var histogram = Histogram()

        init(_ json: JSONValue) {
            for (name, member) in json.members {
                if let text = member.string {
                    labels[name.string] = text.string
                } else if name == "value" {
                    value = member.double ?? .nan
                }
            }
            guard let bounds = json.member("bounds"), let counts = json.member("counts") else {
                return
            }
            let ends = bounds.elements.map { $0.double ?? .nan } + [.infinity]
            for (end, count) in zip(ends, counts.elements) { histogram.add(end, count.double ?? 0) }
        }
    }

    private var byName: [String: [Sample]] = [:]

    init(_ json: JSONValue) {
        for (name, samples) in json.members {
            byName[name.string] = samples.elements.map(Sample.init)
        }
    }

    func all(_ name: String) -> [Sample] { byName[name] ?? [] }

    /// The sum of all samples of a name; nil without any.
    func sum(_ name: String) -> Double? {
        byName[name].map { $0.reduce(0) { $0 + $1.value } }
    }

    /// The histograms of a name by the values of some labels.
    func histograms(_ name: String, by labels: [String]) -> [(key: [String], Histogram)] {
        all(name).map { sample in (labels.map { sample.labels[$0] ?? "" }, sample.histogram) }
    }

    func histogram(_ name: String) -> Histogram? { all(name).first?.histogram }
}
