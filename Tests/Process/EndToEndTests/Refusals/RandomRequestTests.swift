// Damaged and mixed-up requests, by the thousand: each gets an answer that is no server error,
// and the server is there afterwards. The seed is printed with every failure.

import SeededRandom
import TestSupport
import Testing

@Suite("Random requests")
struct RandomRequestTests {
    private typealias Sample = (method: String, target: String, body: String)

    /// Each works as it is, at least once.
    private static let samples: [Sample] =
        [
            ("GET", "", ""), ("GET", "nodes?under=list&depth=1&kind=view", ""),
            ("GET", "nodes/cell0/traits?explain=true&absent=true", ""),
            ("GET", "nodes/cell1/traits/theme?explain=true", ""), ("GET", "registrations", ""),
            ("GET", "events?wait=0&from=0&operations=true", ""),
            ("GET", "registrations/r/events?wait=0&from=start&limit=1", ""),
            ("GET", "nodes/cell2/events?wait=0&traits=theme", ""),
            ("PUT", "?dryRun=true", #"{"propagation":"unified"}"#),
            ("PUT", "nodes/scene/overrides/theme", #"{"value":"bold"}"#),
            ("PUT", "nodes/cell0/overrides/theme?changes=true", #"{"value":3}"#),
            ("PUT", "nodes/list/supplied/displayScale", #"{"value":2.5}"#),
            ("PUT", "nodes/list/overrides/typesettingLanguage", #"{"value":null}"#),
            ("PATCH", "nodes/list/overrides", #"{"theme":"pastel","displayScale":null}"#),
            (
                "PATCH", "nodes/cell0/supplied",
                #"{"userInterfaceStyle":2,"layoutDirection":"rightToLeft"}"#
            ),
            ("DELETE", "nodes/scene/overrides/theme", ""), ("DELETE", "nodes/cell0", ""),
            ("DELETE", "registrations/r", ""), ("DELETE", "traits/other", ""),
            ("PUT", "nodes/cell0", #"{"kind":"view","parent":"list","overrides":{"theme":1}}"#),
            ("PUT", "nodes/cell1", #"{"kind":"view","parent":"cell0","label":"one"}"#),
            (
                "POST", "nodes",
                #"{"kind":"environment","parent":null,"supplied":{"displayScale":1}}"#
            ),
            ("POST", "nodes", #"{"id":"vc","kind":"viewController","parent":"window"}"#),
            ("PUT", "nodes/vcView", #"{"kind":"view","parent":"cell0","controller":"vc"}"#),
            ("PATCH", "nodes/cell1", #"{"parent":"cell2"}"#),
            ("PATCH", "nodes/cell2", #"{"parent":"list"}"#),
            ("PATCH", "nodes/list", #"{"parent":null,"label":"off"}"#),
            ("PATCH", "nodes/list", #"{"parent":"childView","label":null}"#),
            (
                "PUT", "traits/other",
                #"{"type":"enum","cases":{"a":0,"b":1},"default":"a","identifier":"com.a"}"#
            ),
            (
                "PUT", "traits/record",
                #"{"type":"struct","fields":{"a":"int","b":"string"},"default":{"a":1,"b":""}}"#
            ),
            ("PUT", "nodes/list/overrides/record", #"{"value":{"a":2,"b":"x"}}"#),
            ("PUT", "registrations/r", #"{"node":"cell0","traits":["theme","displayScale"]}"#),
            ("POST", "registrations", #"{"node":"list","set":"all","label":"everything"}"#),
            (
                "POST", "transactions?changes=true",
                #"{"operations":[{"op":"createNode","node":"z","kind":"view","parent":"list"},"#
                    + #"{"op":"setOverride","node":"z","trait":"theme","value":"bold"},"#
                    + #"{"op":"register","registration":"q","node":"z","traits":["theme"]},"#
                    + #"{"op":"updateNode","node":"cell1","parent":"z"},"#
                    + #"{"op":"deleteNode","node":"z"}]}"#
            ),
        ] + laterSamples

    private static let laterSamples: [Sample] = [
        ("POST", "layout?changes=true", "{}"), ("POST", "nodes/list/updateTraitsIfNeeded", ""),
        ("POST", "resolve", #"{"under":"list","traits":["theme","all"]}"#),
        ("POST", "resolve", #"{"nodes":["cell0","scene"]}"#), ("GET", "stats", ""),
        ("GET", "history?operations=true&pageSize=3", ""),
        ("GET", "nodes/cell0/compare?with=scene", ""),
        ("PUT", "nodes/cell0/scopes/layoutSubviews?changes=true", #"{"reads":["theme","all"]}"#),
        ("PUT", "nodes/child/scopes/viewDidLayoutSubviews", #"{"reads":["displayScale"]}"#),
        ("GET", "nodes/cell0/scopes", ""), ("DELETE", "nodes/cell0/scopes/layoutSubviews", ""),
        (
            "PUT", "environmentKeys/bridged",
            #"{"type":"string","default":"a","bridgedTrait":"theme","map":{"a":0,"b":"bold"}}"#
        ),
        ("PUT", "environmentKeys/own", #"{"type":"int","default":1}"#),
        ("PUT", "nodes/list/environment/bridged", #"{"value":"b"}"#),
        ("PUT", "nodes/list/environment/own?changes=true", #"{"value":5}"#),
        ("GET", "nodes/cell0/environment", ""), ("GET", "environmentKeys?pageSize=1", ""),
        ("DELETE", "nodes/list/environment/own", ""), ("DELETE", "environmentKeys/own", ""),
        (
            "PUT", "colors/c",
            #"{"variants":[{"value":[1]},{"when":{"theme":"bold","displayScale":2},"value":2}]}"#
        ),
        (
            "PUT", "images/i",
            #"{"variants":[{"value":null},{"when":{"displayScale":3},"value":3}]}"#
        ),
        ("GET", "nodes/cell0/colors/c", ""), ("GET", "nodes/cell0/images/i", ""),
        ("PUT", "registrations/dynamic", #"{"node":"cell2","colors":["c"],"images":["i"]}"#),
        ("DELETE", "colors/c", ""), ("DELETE", "registrations/dynamic", ""),
        (
            "POST", "transactions?dryRun=true",
            #"{"operations":[{"op":"setScope","node":"list","scope":"draw","reads":["theme"]},"#
                + #"{"op":"defineColor","color":"d","definition":{"variants":[{"value":1}]}},"#
                + #"{"op":"setEnvironment","node":"list","key":"bridged","value":"b"},"#
                + #"{"op":"layout"}]}"#
        ),
    ]

    /// Mostly a sample that works; sometimes one put together from three.
    private static func sample(_ random: inout SeededRandom) -> Sample {
        let sample = samples[Int.random(in: 0..<samples.count, using: &random)]
        guard Int.random(in: 0..<5, using: &random) == 0 else { return sample }
        let target = samples[Int.random(in: 0..<samples.count, using: &random)].target
        let body = samples[Int.random(in: 0..<samples.count, using: &random)].body
        let isEnd = sample.method == "DELETE" && !target.contains("/")
        return (isEnd ? "GET" : sample.method, target, body)
    }

    private static let splinters = [
        "null", "true", "-0", "1e400", "-9223372036854775809", "18446744073709551616", "0.1", "[]",
        "{}", #""""#, #""\u0000""#, #""unspecified""#, #""scene""#, #""cell0""#, #""theme""#, ",",
        ":", "{", "}", "[", "]", "\"", "\\", "\u{0}", "\u{ff}", "%00", "%", "&", "?", "/", "..",
    ]

    /// The bytes with up to four injuries.
    private static func damaged(_ text: String, _ random: inout SeededRandom) -> [UInt8] {
        var bytes = Array(text.utf8)
        for _ in 0..<max(0, Int.random(in: -4...4, using: &random)) {
            let place = Int.random(in: 0...bytes.count, using: &random)
            let end = min(bytes.count, place + Int.random(in: 0...12, using: &random))
            switch Int.random(in: 0..<5, using: &random) {
            case 0: bytes.removeSubrange(place..<end)
            case 1: bytes.insert(contentsOf: bytes[place..<end], at: place)
            case 2: bytes.insert(UInt8.random(in: 0...255, using: &random), at: place)
            default:
                let splinter = splinters.randomElement(using: &random) ?? ""
                bytes.replaceSubrange(place..<end, with: splinter.utf8)
            }
        }
        return bytes
    }

    @Test(
        "Damaged bodies and mixed-up routes are answered, never with a server error",
        arguments: ["immediate", "layout"])
    func service(updates: String) throws {
        let seed = UInt64.random(in: .min ... .max)
        var random = SeededRandom(seed: seed)
        let session = try SessionClient.make(
            "random", on: sharedServer().url, ["updates": .string(updates)])
        try session.transaction(SampleHierarchy.operations(cells: 3))
        var commits = 0
        for _ in 0..<5_000 {
            let (method, target, text) = Self.sample(&random)
            let body = Self.damaged(text, &random)
            let request = HTTPRequest(
                method, session.target(target),
                fields: [HTTPField("Content-Type", "application/json")],
                body: method == "GET" ? nil : body)
            let answer = try session.client.send(request)
            #expect(
                (200..<500).contains(answer.status),
                "seed \(seed): \(method) \(target) \(String(decoding: body, as: UTF8.self))")
            if !answer.isSuccess {
                #expect(try answer.json["code"]?.string != nil, "seed \(seed)")
            } else if method != "GET", answer.status != 204, try answer.json["unchanged"] == nil {
                commits += 1
            }
        }
        #expect(commits > 100, "seed \(seed): too little gets through to say anything")
        // Whatever got through left a hierarchy that can be read as a whole, and operations that
        // lead to the same one when they are applied again.
        let replica = try SessionClient.make(
            "replica", on: sharedServer().url, ["updates": .string(updates)])
        for operations in try Self.commits(of: session).dropFirst() {
            let answer = try replica.send("POST", "transactions", ["operations": operations])
            #expect(answer.status == 200, "seed \(seed): \(operations) \(answer.text)")
        }
        #expect(try Self.everything(in: replica) == Self.everything(in: session), "seed \(seed)")
    }

    /// The operations of each commit, oldest first.
    private static func commits(of session: SessionClient) throws -> [JSON] {
        var commits: [JSON] = []
        var token = ""
        repeat {
            let page = try session.get("history?operations=true&pageSize=1000\(token)").json
            commits += (page["commits"]?.array ?? []).map { commit in
                // What an operation replaced is no part of it.
                .array((commit["operations"]?.array ?? []).map { $0.without("previous") })
            }
            token = page["nextPageToken"]?.string.map { "&pageToken=\($0)" } ?? ""
        } while !token.isEmpty
        return commits.reversed()
    }

    /// The state and what every node shows and why, without names and times.
    private static func everything(in session: SessionClient) throws -> [JSON] {
        var all = try session.state()
        let nodes = all.compactMap { $0["nodes"]?.array }.first ?? []
        for node in nodes {
            let id = node["id"]?.string ?? ""
            for rest in ["traits?explain=true", "environment", "scopes", "colors/c", "images/i"] {
                let answer = try session.get("nodes/\(id)/\(rest)")
                all.append(answer.isSuccess ? try answer.json : .int(Int64(answer.status)))
            }
        }
        return all.map { value in
            var value = value
            for name in ["name", "uid", "createdAt", "oldestTime", "session"]
            where value[name] != nil {
                value = value.with(name, nil)
            }
            guard let registrations = value["registrations"]?.array else { return value }
            return value.with(
                "registrations", .array(registrations.map { $0.with("createdAt", nil) }))
        }
    }

    @Test("Damaged requests are answered or dropped, and the server goes on")
    func wire() throws {
        let seed = UInt64.random(in: .min ... .max)
        var random = SeededRandom(seed: seed)
        let server = try sharedServer()
        let session = try sampleSession("damaged")
        let whole = [
            "GET \(session.target("nodes/cell0/traits")) HTTP/1.1\r\nHost: localhost\r\n\r\n",
            "PUT \(session.target("nodes/scene/overrides/theme")) HTTP/1.1\r\nHost: localhost\r\n"
                + "Content-Type: application/json\r\nContent-Length: 16\r\n\r\n{\"value\":\"bold\"}",
            "POST \(session.target("transactions")) HTTP/1.1\r\nHost: localhost\r\nExpect: 100-continue\r\n"
                + "Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n"
                + "11\r\n{\"operations\":[]}\r\n0\r\n\r\n",
            "HEAD /livez HTTP/1.1\r\nHost: localhost\r\nAccept-Encoding: gzip;q=1\r\nRange: bytes=0-\r\n\r\n",
        ]
        for _ in 0..<1_000 {
            var bytes: [UInt8] = []
            for _ in 0..<Int.random(in: 1...3, using: &random) {
                bytes += Self.damaged(whole.randomElement(using: &random) ?? "", &random)
            }
            let raw = try RawConnection(port: server.port)
            guard try raw.send(bytes) else { continue }
            raw.finishSending()
            for status in statusCodes(in: try raw.readToEnd()) {
                #expect(
                    status < 500 || status == 501 || status == 505,
                    "seed \(seed): \(String(decoding: bytes, as: UTF8.self).debugDescription)")
            }
        }
        #expect(try session.client.get("/livez").status == 200)
    }
}
