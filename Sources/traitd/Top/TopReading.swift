// One reading of a server, as `traitd top` compares it with the reading before.

import Glibc
import JSONCodec

struct TopReading {
    struct Session {
        let name: String
        let nodes: Int64
        let revision: Int64
    }

    struct SlowRequest {
        let time: String
        let method: String
        let target: String
        let status: Int64
        let milliseconds: Double
        /// Milliseconds in the event loop, waiting for the log, and on worker threads.
        let spent: (shard: Double, log: Double, workers: Double)
    }

    /// Seconds of a clock that never goes back.
    var time = 0.0
    /// Seconds since 1970.
    var now = 0.0
    var samples: MetricSamples
    /// Requests of `traitd top` that the samples count, by route.
    var own: [String: Double] = [:]
    var version = ""
    var shards: Int64 = 0
    var slowMicrosecondsMin: Int64 = 0
    var slow: [SlowRequest] = []
    /// The sessions with the most nodes.
    var sessions: [Session] = []

    init(samples: MetricSamples) { self.samples = samples }

    mutating func takeServer(_ json: JSONValue) {
        version = json.member("version")?.string?.string ?? ""
        shards = json.member("shards")?.int64 ?? 0
    }

    mutating func takeSlow(_ json: JSONValue) {
        slowMicrosecondsMin = json.member("thresholdMicroseconds")?.int64 ?? 0
        guard let requests = json.member("requests") else { return }
        slow = requests.elements.map { request in
            func text(_ name: StaticString) -> String { request.member(name)?.string?.string ?? "" }
            func spent(_ name: StaticString) -> Double {
                request.member("spent")?.member(name)?.double ?? 0
            }
            return SlowRequest(
                time: text("time"), method: text("method"), target: text("target"),
                status: request.member("status")?.int64 ?? 0,
                milliseconds: request.member("milliseconds")?.double ?? 0,
                spent: (spent("shard"), spent("log"), spent("workers")))
        }
    }

    /// The sessions of one page of a list.
    static func sessions(of json: JSONValue) -> [Session] {
        guard let sessions = json.member("sessions") else { return [] }
        return sessions.elements.map { session in
            Session(
                name: session.member("name")?.string?.string ?? "",
                nodes: session.member("nodes")?.int64 ?? 0,
                revision: session.member("revision")?.int64 ?? 0)
        }
    }
}

/// Asks a server for readings.
struct TopReader {
    let server: ServerOptions
    /// The sessions, and when they were read.
    private var sessions: [TopReading.Session] = []
    private var sessionsTime = -Double.infinity
    private var own: [String: Double] = [:]

    /// A server with many sessions has many pages of them, so the list is older than the other figures.
    static let sessionsPeriodSeconds = 5.0
    private static let sessionsShown = 50
    private static let timeoutSeconds = 5

    init(_ server: ServerOptions) { self.server = server }

    /// Four requests, and one for each 1,000 sessions every `sessionsPeriodSeconds`.
    ///
    /// - Throws: `Fault`.
    mutating func read() throws -> TopReading {
        // The server counts a request when it has answered it.
        let counted = own
        var reading = TopReading(samples: try read("/metrics", MetricSamples.init))
        reading.own = counted
        reading.time = Self.seconds(CLOCK_MONOTONIC)
        reading.now = Self.seconds(CLOCK_REALTIME)
        guard !reading.samples.all("traitd_build_info").isEmpty else {
            throw isOther("/metrics has no metrics of traitd")
        }
        try read("/v1/server") { reading.takeServer($0) }
        try read("/v1/server/slow") { reading.takeSlow($0) }
        if reading.time - sessionsTime >= Self.sessionsPeriodSeconds {
            sessions = try largestSessions()
            sessionsTime = reading.time
        }
        reading.sessions = sessions
        return reading
    }

    private mutating func largestSessions() throws -> [TopReading.Session] {
        var all: [TopReading.Session] = []
        var next: String? = ""
        while let token = next {
            let page = token.isEmpty ? "" : "&pageToken=\(token)"
            next = try read("/v1/sessions?pageSize=1000\(page)") {
                all += TopReading.sessions(of: $0)
                return $0.member("nextPageToken")?.string?.string
            }
            all.sort { ($1.nodes, $0.name) < ($0.nodes, $1.name) }
            all = Array(all.prefix(Self.sessionsShown))
        }
        return all
    }

    static func seconds(_ clock: clockid_t) -> Double {
        var time = timespec()
        clock_gettime(clock, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    // MARK: - Requests

    /// Asks for JSON.
    ///
    /// - Throws: `Fault` for another status, and for a text that is no JSON.
    private mutating func read<R>(_ target: String, _ body: (JSONValue) -> R) throws -> R {
        // The routes of these have no parameters.
        let path = String(target.prefix { $0 != "?" })
        own[path, default: 0] += 1
        var status = 0
        var answer: [UInt8] = []
        try server.send(
            "GET", target, fields: "Accept: application/json\r\n",
            timeoutSeconds: Self.timeoutSeconds
        ) { code, bytes in
            status = code
            answer += bytes
        }
        if status == 200 {
            guard let read = Self.read(answer, body) else { throw isOther("\(path) is no JSON") }
            return read
        }
        guard let problem = Self.read(answer, { FaultText($0)?.line(of: "") }) ?? nil else {
            throw isOther("\(path) answered \(status)")
        }
        switch status {
        case 401:
            throw Fault(
                "\(problem) Give a token with the verb admin in "
                    + "\(ServerOptions.tokenVariable) or --token-file.", code: Exit.notPermitted)
        case 403:
            throw Fault(
                "\(problem) traitd top takes a token with the verb admin and the sessions *.",
                code: Exit.notPermitted)
        default: throw Fault("\(path): \(problem)", code: Exit.unavailable)
        }
    }

    /// What `body` makes of a text; nil when the text is no JSON.
    private static func read<R>(_ text: [UInt8], _ body: (JSONValue) -> R) -> R? {
        try? JSONTape().withDocument(of: text, refusal: \.self) { json throws(JSONError) in
            body(json)
        }
    }

    private func isOther(_ reason: String) -> Fault {
        Fault(
            "the server on \(server.server) is no traitd, or not its interface: \(reason)",
            code: Exit.otherProtocol)
    }
}
