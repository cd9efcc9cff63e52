// What an operator sees: metrics that count what happened, with labels that no client chooses, and the
// lists of what is in effect and of what was slow.

import Foundation
import HTTPServer
import HTTPWire
import SessionViews
import TestSupport
import Testing
import TraitSessions

@testable import TraitService

@Suite("What an operator sees")
struct MetricsTests {
    /// A server of its own, whose requests all count.
    private final class Stage {
        private let served: InProcessService
        let client: HTTPClient

        init(
            limits: ServiceLimits = ServiceLimits(), unsentBytesMax: Int? = nil,
            slowTurnMicrosecondsMin: Int? = nil
        ) throws {
            let service = TraitService(version: "test", shards: 2, limits: limits)
            served = try InProcessService(serving: service, shards: 2) {
                if let unsentBytesMax { $0.limits.unsentBytesMax = unsentBytesMax }
                if let slowTurnMicrosecondsMin {
                    $0.limits.slowTurnMicrosecondsMin = slowTurnMicrosecondsMin
                }
            }
            service.observability.describe(
                limits: AllLimits(),
                settings: [
                    .init(name: "tokens", value: "traitd_a_0123456789abcdefghijk", source: "option")
                ]
            ) { [weak server = served.server] in server?.statistics ?? ServerStatistics() }
            client = try served.client()
        }

        var service: TraitService { served.service }
        var server: HTTPServer { served.server }

        /// The value of a sample, by its name with labels; nil when there is none.
        func value(_ sample: String) throws -> Double? {
            for line in try text().split(separator: "\n") where line.hasPrefix(sample + " ") {
                return Double(line.dropFirst(sample.utf8.count + 1))
            }
            return nil
        }

        func text() throws -> String {
            let answer = try client.get("/metrics")
            #expect(answer.status == 200)
            return String(decoding: answer.body, as: UTF8.self)
        }

        /// Waits until a sample has a value: what happens at the end of a turn follows the answer.
        func wait(_ sample: String, for value: Double) throws {
            let deadline = Deadline(within: .seconds(10))
            while try self.value(sample) != value {
                guard !deadline.hasPassed else {
                    Issue.record("\(sample) is \(try self.value(sample) ?? -1) and not \(value)")
                    return
                }
            }
        }
    }

    private static let session = "/v1/sessions/s"

    @Test("An answer for which there is no room counts once, as what was sent in its place")
    func refusedAnswers() throws {
        let stage = try Stage(unsentBytesMax: 131_072)
        for acceptsGzip in [false, true] {
            var request = HTTPRequest("GET", "/openapi.yaml")
            request.acceptsGzip = acceptsGzip
            request.fields = [HTTPField("Traitd-Request-Id", "mine")]
            let answer = try stage.client.send(request)
            let problem = try expectProblem(answer, 503, "too-much-output")
            #expect(problem["limit"] == "unsentBytesMax=131072")
            #expect(answer[header: "Retry-After"] == "1")
            // It is still known whose answer it is.
            #expect(answer[header: "Traitd-Request-Id"] == "mine")
        }
        try stage.wait(
            #"traitd_http_requests_total{route="/openapi.yaml",method="GET",code="503"}"#, for: 2)
        let counted = try stage.text().split(separator: "\n").filter {
            $0.hasPrefix("traitd_http_requests_total{") && !$0.contains("/metrics")
        }
        #expect(counted.count == 1, "\(counted)")
    }

    @Test("Requests count by route template, method and status, and so do their durations")
    func requests() throws {
        let stage = try Stage()
        for _ in 0..<3 { _ = try stage.client.get("/livez") }
        _ = try stage.client.send("PUT", Self.session, json: [:])
        _ = try stage.client.get(Self.session + "/nodes/none")
        _ = try stage.client.get("/nothing/here")
        let expected: [(String, Double)] = [
            (#"{route="/livez",method="GET",code="200"}"#, 3),
            (#"{route="/v1/sessions/{session}",method="PUT",code="201"}"#, 1),
            (#"{route="/v1/sessions/{session}/nodes/{node}",method="GET",code="404"}"#, 1),
            (#"{route="(none)",method="GET",code="404"}"#, 1),
        ]
        for (labels, count) in expected {
            try stage.wait("traitd_http_requests_total" + labels, for: count)
        }
        let live = #"{route="/livez",method="GET""#
        #expect(try stage.value("traitd_http_request_duration_seconds_count\(live)}") == 3)
        #expect(
            try stage.value("traitd_http_request_duration_seconds_bucket\(live),le=\"+Inf\"}") == 3)
        #expect(try stage.value("traitd_http_request_duration_seconds_sum\(live)}") ?? 0 > 0)
        #expect(try stage.value("traitd_http_received_bytes_total") ?? 0 > 100)
        #expect(try stage.value("traitd_http_sent_bytes_total") ?? 0 > 100)
    }

    @Test("Nothing that a client names is in any metric")
    func bounded() throws {
        let stage = try Stage()
        for name in ["secret-name-1", "secret-name-2"] {
            _ = try stage.client.send("PUT", "/v1/sessions/\(name)", json: [:])
            _ = try stage.client.send(
                "PUT", "/v1/sessions/\(name)/nodes/secret-node", json: ["kind": "environment"])
            _ = try stage.client.get("/secret/\(name)?secret=1")
        }
        _ = try stage.client.send("SECRET", "/livez")
        let series = try stage.text().split(separator: "\n").count
        let text = try stage.text()
        #expect(!text.lowercased().contains("secret"))
        #expect(text.contains(#"method="other""#))
        for number in 0..<50 {
            _ = try stage.client.send("PUT", "/v1/sessions/more-\(number)", json: [:])
            _ = try stage.client.get("/no/such/\(number)")
        }
        // The scrapes themselves are a series by now.
        let more = try stage.text().split(separator: "\n").count
        #expect(more <= series + 3 * 23)
    }

    @Test("Sessions, nodes, registrations and commits follow what there is")
    func sizes() throws {
        let stage = try Stage()
        for name in ["a", "b"] {
            let body: JSON = ["nodes": [.node("root"), .node("leaf", in: "root")]]
            #expect(try stage.client.send("PUT", "/v1/sessions/\(name)", json: body).status == 201)
        }
        try stage.wait("traitd_sessions", for: 2)
        try stage.wait("traitd_nodes", for: 4)
        let registration: JSON = ["node": "leaf", "traits": ["userInterfaceStyle"]]
        _ = try stage.client.send("PUT", "/v1/sessions/a/registrations/r", json: registration)
        try stage.wait("traitd_registrations", for: 1)
        // A dry run counts nothing.
        _ = try stage.client.send(
            "PUT", "/v1/sessions/a/nodes/more?dryRun=true", json: ["kind": "environment"])
        let commits = try stage.value("traitd_commits_total")
        _ = try stage.client.send("DELETE", "/v1/sessions/a/nodes/leaf")
        try stage.wait("traitd_nodes", for: 3)
        try stage.wait("traitd_registrations", for: 0)
        #expect(try stage.value("traitd_commits_total") == (commits ?? 0) + 1)
        // What another session has of the name is not counted.
        #expect(try stage.client.send("PUT", "/v1/sessions/b", json: ["nodes": []]).status == 409)
        _ = try stage.client.send("DELETE", "/v1/sessions/b")
        try stage.wait("traitd_sessions", for: 1)
        try stage.wait("traitd_nodes", for: 1)
        _ = try stage.client.send("DELETE", "/v1/sessions/a")
        try stage.wait("traitd_nodes", for: 0)
        #expect(try stage.value("traitd_commits_total") == (commits ?? 0) + 3)
    }

    @Test("Streams count while they are open, end with a reason, and deliveries are timed")
    func streams() throws {
        let stage = try Stage()
        _ = try stage.client.send("PUT", Self.session, json: [:])
        _ = try stage.client.send(
            "PUT", Self.session + "/nodes/n", json: ["kind": "environment"])
        let first = try EventStream(stage.client.baseURL + Self.session + "/events")
        let second = try EventStream(stage.client.baseURL + Self.session + "/events")
        _ = try first.next()
        _ = try second.next()
        try stage.wait("traitd_streams", for: 2)
        _ = try stage.client.send(
            "PUT", Self.session + "/nodes/n/overrides/userInterfaceStyle", json: ["value": "dark"])
        _ = try first.next()
        _ = try second.next()
        try stage.wait("traitd_change_delivery_seconds_count", for: 2)
        _ = try stage.client.send("DELETE", Self.session)
        _ = try first.rest()
        _ = try second.rest()
        try stage.wait("traitd_streams", for: 0)
        try stage.wait(#"traitd_stream_ends_total{reason="sessionDeleted"}"#, for: 2)
        #expect(try stage.value("traitd_streams_opened_total") == 2)
    }

    @Test("Each format comes with its content type, as Accept asks")
    func formats() throws {
        let stage = try Stage()
        let openMetrics =
            "application/openmetrics-text;version=1.0.0;q=0.5,"
            + "application/openmetrics-text;version=0.0.1;q=0.4,text/plain;version=0.0.4;q=0.3,*/*;q=0.2"
        let plain = "text/plain; version=0.0.4; charset=utf-8"
        let open = "application/openmetrics-text; version=1.0.0; charset=utf-8"
        for (accept, type) in [
            (openMetrics, open), ("text/plain", plain), ("*/*", plain),
            ("text/plain;version=0.0.4;q=0.5,*/*;q=0.1", plain),
            ("application/json", "application/json"),
        ] {
            let answer = try stage.client.get("/metrics", fields: [HTTPField("Accept", accept)])
            #expect(answer.head["Content-Type"] == type, "\(accept)")
            let text = String(decoding: answer.body, as: UTF8.self)
            #expect(text.hasSuffix("# EOF\n") == (type == open))
        }
        let refused = try stage.client.get(
            "/metrics", fields: [HTTPField("Accept", "text/html")])
        _ = try expectProblem(refused, 406, "not-acceptable")
    }

    @Test("JSON has the samples of the text, with the same labels and numbers")
    func json() throws {
        let stage = try Stage()
        _ = try stage.client.send("PUT", Self.session, json: [:]).expecting(201)
        let answer = try stage.client.get(
            "/metrics", fields: [HTTPField("Accept", "application/json")])
        var lines: Set<String> = []
        func add(_ name: String, _ labels: [String]) {
            lines.insert(name + labels.sorted().joined(separator: ","))
        }
        for (name, samples) in try #require(answer.json.object) {
            for sample in try #require(samples.array) {
                let labels = try #require(sample.object)
                    .compactMap { name, value in value.string.map { "\(name)=\"\($0)\"" } }
                guard let counts = sample["counts"]?.array else {
                    #expect(Self.number(sample["value"]) != nil, "\(name)")
                    add(name, labels)
                    continue
                }
                let bounds = try #require(sample["bounds"]?.array)
                #expect(counts.count == bounds.count + 1 && Self.number(sample["sum"]) != nil)
                for bound in bounds.compactMap(Self.number) + [.infinity] {
                    add(name + "_bucket", labels + ["le=\(bound)"])
                }
                add(name + "_sum", labels)
                add(name + "_count", labels)
            }
        }
        let text = lines
        lines = []
        for line in try stage.text().split(separator: "\n") where !line.hasPrefix("#") {
            let parts = line.prefix { $0 != " " }.split(separator: "{", maxSplits: 1)
            let labels = parts.count > 1 ? parts[1].dropLast().split(separator: ",") : []
            add(
                String(parts[0]),
                labels.map { label in
                    guard label.hasPrefix("le="), let bound = Double(label.dropFirst(4).dropLast())
                    else { return String(label) }
                    return "le=\(bound)"
                })
        }
        // The request for JSON itself counts in the text.
        #expect(text == lines.filter { !$0.contains(#"route="/metrics""#) })
        #expect(text.count > 60)
    }

    @Test(
        "Slow requests are listed, the newest first and no more than may be, with where the time went"
    )
    func slow() throws {
        var limits = ServiceLimits()
        limits.slowRequestMicrosecondsMin = 0
        limits.slowRequestsMax = 3
        let stage = try Stage(limits: limits)
        for number in 0..<5 { _ = try stage.client.get("/v1/sessions/none-\(number)?pretty=true") }
        let list = try stage.client.get("/v1/server/slow").json["requests"]?.array ?? []
        #expect(list.count == 3)
        #expect(list.first?["target"] == "/v1/sessions/none-4?pretty=true")
        #expect(list.first?["route"] == "/v1/sessions/{session}")
        #expect(list.first?["status"] == 404)
        #expect(list.first?["spent"]?["log"] == 0)
        let poll = try stage.client.get("/v1/sessions/none-5")
        #expect(poll.status == 404)
        // By default nothing of this is slow.
        let quiet = try Stage()
        _ = try quiet.client.get("/livez")
        #expect(try quiet.client.get("/v1/server/slow").json["requests"] == [])
    }

    @Test("Slow turns are listed, the newest first and no more than may be")
    func slowTurns() throws {
        var limits = ServiceLimits()
        limits.slowRequestsMax = 3
        let stage = try Stage(limits: limits, slowTurnMicrosecondsMin: 1)
        for _ in 0..<20 { _ = try stage.client.get("/livez") }
        let answer = try stage.client.get("/v1/server/slow").json
        #expect(answer["turnThresholdMicroseconds"] == 5_000)
        let turns = try #require(answer["turns"]?.array)
        #expect(turns.count == 3)
        let times = turns.compactMap { $0["time"]?.string }
        #expect(times.count == 3 && times == times.sorted(by: >))
        for turn in turns {
            #expect([0, 1].contains(turn["shard"]))
            let waited = try #require(Self.number(turn["waitedMilliseconds"]))
            let milliseconds = try #require(Self.number(turn["milliseconds"]))
            #expect(milliseconds >= waited + 0.000_9)
            let ran = try #require(Self.number(turn["ranMilliseconds"]))
            #expect(ran > 0 && ran <= milliseconds)
        }
    }

    private static func number(_ json: JSON?) -> Double? {
        switch json {
        case .int(let value): Double(value)
        case .double(let value): value
        default: nil
        }
    }

    @Test("/v1/server shows settings with their source and hides tokens; limits are all there")
    func server() throws {
        let stage = try Stage()
        let server = try stage.client.get("/v1/server").json
        #expect(server["version"] == "test")
        #expect(server["shards"] == 2)
        #expect(
            server["settings"] == [["name": "tokens", "value": "traitd_a_***", "source": "option"]])
        #expect(server["limits"]?["bodyBytesMax"] == 16_777_216)
        #expect(server["limits"]?["streamsPerCallerMax"] == .null)
    }

    @Test("A check that fails makes /readyz say 503 and why, and verbose lists all")
    func checks() throws {
        let stage = try Stage()
        #expect(try stage.client.get("/readyz?verbose").json["checks"]?.array?.count == 2)
        #expect(try stage.value("traitd_ready") == 1)
        stage.service.drain()
        try expectProblem(try stage.client.get("/readyz"), 503, "draining")
        let verbose = try stage.client.get("/readyz?verbose=true")
        #expect(verbose.status == 503)
        #expect(try verbose.json["status"] == "notReady")
        #expect(try verbose.json["checks"]?.array?.first?["reason"] == "shutting down")
        #expect(try stage.value("traitd_ready") == 0)
        #expect(try stage.client.get("/livez").status == 200)
    }

    @Test(
        "Buckets are 1, 2.5 and 5 in each decade from 10 µs to 10 s, and a bound is within its own")
    func buckets() {
        #expect(
            DurationBuckets.labels.dropLast().map {
                Double($0).map { UInt64(($0 * 1e9).rounded()) }
            }
                == DurationBuckets.bounds.map { $0 })
        for (index, bound) in DurationBuckets.bounds.enumerated() {
            #expect(DurationBuckets.index(of: bound) == index)
            #expect(DurationBuckets.index(of: bound + 1) == index + 1)
        }
        #expect(DurationBuckets.index(of: 0) == 0)
        #expect(DurationBuckets.index(of: .max) == DurationBuckets.count - 1)
    }
}
