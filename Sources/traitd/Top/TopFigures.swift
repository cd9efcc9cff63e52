// The figures of `traitd top`, from two readings of the same server.

/// Rates and quantiles are those of the time between the readings. They are nil where there is only one reading, or
/// where nothing was counted.
struct TopFigures {
    struct Route {
        let method: String
        let route: String
        let perSecond: Double?
        /// Seconds.
        let p50: Double?
        let p99: Double?
        /// Requests since the server's start.
        let total: Double
    }

    /// The log in which the server keeps its commits.
    enum LogKind: String {
        case none, disk, shared
    }

    let reading: TopReading
    /// Seconds between the readings.
    let seconds: Double?
    let routes: [Route]
    /// Requests between the readings without those of `traitd top`.
    let requestsPerSecond: Double?
    private let earlier: MetricSamples?

    /// - Parameter earlier: the reading before; of no use if the server was started since.
    init(_ reading: TopReading, since earlier: TopReading?) {
        let start = "process_start_time_seconds"
        let isSame = earlier.map { $0.samples.sum(start) == reading.samples.sum(start) } ?? false
        let earlier = isSame ? earlier : nil
        self.reading = reading
        self.earlier = earlier?.samples
        seconds = earlier.map { max(0.001, reading.time - $0.time) }
        routes = Self.routes(reading, earlier, seconds)
        let requests = "traitd_http_requests_total"
        requestsPerSecond = seconds.flatMap { seconds in
            guard let earlier, let now = reading.samples.sum(requests) else { return nil }
            let own = Self.ownRequests(reading) - Self.ownRequests(earlier)
            return max(0, now - (earlier.samples.sum(requests) ?? 0) - own) / seconds
        }
    }

    private static func ownRequests(_ reading: TopReading) -> Double {
        reading.own.values.reduce(0, +)
    }

    /// Routes that only `traitd top` asked are left out. Quantiles of others include its requests.
    private static func routes(
        _ reading: TopReading, _ earlier: TopReading?, _ seconds: Double?
    ) -> [Route] {
        let name = "traitd_http_request_duration_seconds"
        let labels = ["method", "route"]
        let before = Dictionary(
            (earlier?.samples.histograms(name, by: labels) ?? []).map { ($0.key, $0.1) },
            uniquingKeysWith: { first, _ in first })
        return reading.samples.histograms(name, by: labels).compactMap { key, now in
            let own = key[0] == "GET" ? reading.own[key[1]] ?? 0 : 0
            let ownBefore = key[0] == "GET" ? earlier?.own[key[1]] ?? 0 : 0
            if own > 0, now.count <= own { return nil }
            // A route that had no request before has no histogram in the earlier reading.
            let recent = earlier == nil ? nil : now.since(before[key])
            let count = recent.map { max(0, $0.count - (own - ownBefore)) }
            let shown = count == 0 ? nil : recent
            return Route(
                method: key[0], route: key[1],
                perSecond: count.flatMap { count in seconds.map { count / $0 } },
                p50: shown?.quantile(0.5), p99: shown?.quantile(0.99), total: now.count - own)
        }
    }

    /// A number of now; nil for a metric that the server does not have.
    func value(_ name: String) -> Double? { reading.samples.sum(name) }

    /// How much a counter grew a second.
    func rate(_ name: String) -> Double? {
        guard let seconds, let earlier, let now = value(name) else { return nil }
        return max(0, now - (earlier.sum(name) ?? 0)) / seconds
    }

    /// Of the time between the readings.
    func quantiles(_ name: String) -> (p50: Double?, p99: Double?) {
        guard let earlier, let now = reading.samples.histogram(name) else { return (nil, nil) }
        let recent = now.since(earlier.histogram(name))
        return (recent.quantile(0.5), recent.quantile(0.99))
    }

    var uptime: Double? {
        value("process_start_time_seconds").map { max(0, reading.now - $0) }
    }

    var isReady: Bool { value("traitd_ready") == 1 }

    var logKind: LogKind {
        if value(Self.appends) != nil { return .shared }
        return value(Self.flushes) != nil ? .disk : .none
    }

    private static let appends = "traitd_log_append_duration_seconds"
    private static let flushes = "traitd_log_flush_duration_seconds"

    /// The histogram of the log's writes.
    var logDuration: String { logKind == .shared ? Self.appends : Self.flushes }

    /// Bytes by part, the largest first.
    var memory: [(part: String, bytes: Double)] {
        reading.samples.all("traitd_memory_bytes")
            .map { ($0.labels["part"] ?? "", $0.value) }
            .sorted { ($1.1, $0.0) < ($0.1, $1.0) }
    }
}
