// Rates and numbers of streams of each caller, and how the caller is determined.

import HTTPServer
import SessionLog
import Synchronization
import TestSupport
import Testing

@testable import TraitService

@Suite("Rates of callers", .timeLimit(.minutes(1)))
struct RateTests {
    /// A meter that expectations may look at.
    private final class Shared: Sendable {
        private let meter: RateMeter

        init(perSecond: Int, burstSeconds: Int) {
            meter = RateMeter(perSecond: perSecond, burstSeconds: burstSeconds)
        }

        func charge(at now: UInt64) -> RateVerdict { meter.charge(at: now) }
        func isIdle(at now: UInt64) -> Bool { meter.isIdle(at: now) }
        func add(_ count: Int, at now: UInt64) { meter.add(count, at: now) }
        func excess(at now: UInt64) -> UInt64 { meter.excess(at: now) }
        func left(at now: UInt64) -> Int { meter.left(owing: meter.owed(at: now)) }
    }

    @Test("A meter lets through the burst, then the rate, and says when the next one passes")
    func meter() {
        let meter = Shared(perSecond: 10, burstSeconds: 2)
        var now: UInt64 = 5_000_000_000
        for _ in 0..<20 { #expect(meter.charge(at: now) == .allowed) }
        #expect(meter.charge(at: now) == .refused(afterNanoseconds: 100_000_000))
        // A refusal costs nothing.
        #expect(meter.charge(at: now) == .refused(afterNanoseconds: 100_000_000))
        now += 99_999_999
        #expect(meter.charge(at: now) == .refused(afterNanoseconds: 1))
        now += 1
        #expect(meter.charge(at: now) == .allowed)
        #expect(!meter.isIdle(at: now))
        now += 100_000_000_000
        #expect(meter.isIdle(at: now))
        for _ in 0..<20 { #expect(meter.charge(at: now) == .allowed) }
        #expect(meter.charge(at: now) != .allowed)
        // Another shard's turn may have begun a moment earlier.
        #expect(meter.charge(at: now - 1_000_000) != .allowed)
        #expect(meter.charge(at: 0) != .allowed)
        let open = Shared(perSecond: .max, burstSeconds: 1)
        for _ in 0..<100 { #expect(open.charge(at: 0) == .allowed) }
    }

    @Test("A meter of bytes lets what happened be owed, and says when it is paid for but the burst")
    func bytes() {
        let meter = Shared(perSecond: 1_000_000, burstSeconds: 2)
        let now: UInt64 = 5_000_000_000
        #expect(meter.left(at: now) == 2_000_000)
        meter.add(1_500_000, at: now)
        #expect(meter.excess(at: now) == 0)
        #expect(meter.left(at: now) == 500_000)
        meter.add(1_500_000, at: now)
        #expect(meter.excess(at: now) == 1_000_000_000)
        #expect(meter.left(at: now) == 0)
        #expect(meter.excess(at: now + 999_999_999) == 1)
        #expect(meter.excess(at: now + 1_000_000_000) == 0)
        #expect(meter.left(at: now + 3_000_000_000) == 2_000_000)
        // More than any number of nanoseconds pays for is owed for ever, and does not trap.
        for _ in 0..<3 { meter.add(.max, at: now) }
        #expect(meter.excess(at: now) > 1 << 62)
        // A byte takes less than a nanosecond.
        let fast = Shared(perSecond: 1_000_000_000_000, burstSeconds: 1)
        fast.add(500_000_000_000, at: now)
        #expect(fast.left(at: now) == 500_000_000_000)
        #expect(fast.left(at: now + 100_000_000) == 600_000_000_000)
        let open = Shared(perSecond: .max, burstSeconds: 1)
        open.add(.max, at: now)
        #expect(open.excess(at: now) == 0)
        #expect(open.isIdle(at: now))
    }

    @Test("Many threads together get no more than one would")
    func race() throws {
        let meter = Shared(perSecond: 100, burstSeconds: 5)
        let allowed = try concurrently(4) { _ in
            (0..<1_000).count { _ in meter.charge(at: 1) == .allowed }
        }
        #expect(allowed.reduce(0, +) == 500)
    }

    private static func limits(
        requests: Int = .max, commits: Int = .max, streams: Int = .max, received: Int = .max,
        sent: Int = .max
    ) -> CallerLimits {
        var limits = CallerLimits()
        limits.requestsPerSecondMax = requests
        limits.commitsPerSecondMax = commits
        limits.streamsPerCallerMax = streams
        limits.receivedBytesPerSecondMax = received
        limits.sentBytesPerSecondMax = sent
        limits.burstSeconds = 1_000
        return limits
    }

    /// A clock that stands still, so that nothing comes back while a test runs, until it is advanced.
    private final class Clock: Sendable {
        private let nanoseconds = Atomic<UInt64>(5_000_000_000_000)

        func now() -> UInt64 { nanoseconds.load(ordering: .relaxed) }
        func advance(seconds: UInt64) {
            nanoseconds.add(seconds * 1_000_000_000, ordering: .relaxed)
        }
    }

    @Test("Beyond its rate an address gets 429 with the time to wait, and health all the same")
    func requests() throws {
        // 1,000 at once, then one each second.
        let clock = Clock()
        let fixture = try ServiceFixture.make(
            callers: Self.limits(requests: 1), rateClock: clock.now)
        defer { fixture.stop() }
        let client = try fixture.client()
        for _ in 0..<1_000 { #expect(try client.get("/version").status == 200) }
        let answer = try client.get("/version")
        #expect(answer.status == 429)
        #expect(try answer.json["code"] == "rate")
        #expect(try answer.json["limit"] == "requestsPerSecondMax=1")
        let wait = try #require(Int(answer[header: "Retry-After"] ?? ""))
        #expect(wait == 1)
        #expect(try answer.json["retryAfter"] == .int(Int64(wait)))
        #expect(answer[header: "RateLimit-Policy"] == "\"requests\";q=1000;w=1000")
        #expect(answer[header: "RateLimit"] == "\"requests\";r=0;t=\(wait)")
        #expect(try client.get("/livez").status == 200)
        // Another connection of the same address has no more.
        #expect(try fixture.client().get("/version").status == 429)
        clock.advance(seconds: 1)
        #expect(try client.get("/version").status == 200)
        #expect(try client.get("/version").status == 429)
    }

    @Test("Commits have a rate of their own; reads pass")
    func commits() throws {
        let fixture = try ServiceFixture.make(
            callers: Self.limits(commits: 1), rateClock: Clock().now)
        defer { fixture.stop() }
        let client = try fixture.client()
        for number in 0..<1_000 {
            _ = try client.send("PUT", "/v1/sessions/s\(number % 3)", json: [:]).success()
        }
        let refused = try client.send("PUT", "/v1/sessions/new", json: [:])
        #expect(refused.status == 429)
        #expect(refused[header: "RateLimit"]?.hasPrefix("\"commits\"") == true)
        #expect(try client.get("/v1/sessions/s0").status == 200)
        #expect(try client.get("/v1/sessions/new").status == 404)
    }

    @Test("Every answer says what is left of the rates that there are, problems and streams too")
    func fields() throws {
        let fixture = try ServiceFixture.make(
            callers: Self.limits(requests: 10, commits: 1), rateClock: Clock().now)
        let open = try ServiceFixture.make()
        defer {
            fixture.stop()
            open.stop()
        }
        let client = try fixture.client()
        /// How many of each kind an answer says are left.
        func left(_ answer: HTTPHead) throws -> [String: Int] {
            let known = ["requests": (10_000, 10), "commits": (1_000, 1)]
            var found: [String: Int] = [:]
            let lines = answer.values("RateLimit")
            let policies = answer.values("RateLimit-Policy")
            #expect(policies.count == lines.count)
            for line in lines {
                let parts = line.split(separator: ";")
                try #require(parts.count == 3)
                let name = parts[0].filter { $0 != "\"" }
                let (quota, rate) = try #require(known[name])
                #expect(policies.contains("\"\(name)\";q=\(quota);w=1000"))
                let rest = try #require(Int(parts[1].dropFirst(2)))
                let seconds = try #require(Int(parts[2].dropFirst(2)))
                // What is missing comes back within so many seconds.
                #expect(seconds == (quota - rest + rate - 1) / rate)
                found[name] = rest
            }
            return found
        }
        let first = try left(client.get("/version").head)
        #expect(first["requests"] == 9_999)
        #expect(first.count == 1)
        let second = try left(client.get("/nothing/here").head)
        #expect(second["requests"] == 9_998)
        let made = try client.send("PUT", "/v1/sessions/s", json: [:])
        #expect(made.status == 201)
        #expect(try left(made.head).keys.sorted() == ["commits", "requests"])
        let refused = try client.send("PUT", "/v1/sessions/s/nodes/a", json: ["nothing": "of it"])
        #expect(refused.status == 400)
        #expect(try left(refused.head)["requests"] != nil)
        let polled = try client.get("/v1/sessions/s/events?wait=0")
        #expect(polled.status == 200)
        #expect(try left(polled.head)["requests"] != nil)
        #expect(try client.get("/livez").head.values("RateLimit") == [])
        let free = try open.client().get("/version")
        #expect(free.head.values("RateLimit") + free.head.values("RateLimit-Policy") == [])
    }

    @Test(
        "What a caller sends is charged when it is there; then it waits, also with a body to come")
    func received() throws {
        let fixture = try ServiceFixture.make(callers: Self.limits(received: 1_024))
        defer { fixture.stop() }
        let client = try fixture.client()
        let body = [UInt8](repeating: 32, count: 199_000)
        func send(_ client: HTTPClient) throws -> HTTPResponse {
            try client.send(
                HTTPRequest(
                    "PUT", "/v1/sessions/s",
                    fields: [HTTPField("Content-Type", "application/json")],
                    body: body + Array("{}".utf8)))
        }
        // 1,024,000 bytes at once: the sixth passes as long as not all of them are owed.
        let answers = try (0..<6).map { _ in try send(client) }
        #expect(answers.map(\.status) == [201, 200, 200, 200, 200, 200])
        #expect(
            answers[0][header: "RateLimit-Policy"]
                == "\"received\";q=1024000;w=1000;qu=\"content-bytes\"")
        let refused = try send(client)
        #expect(refused.status == 429)
        #expect(try refused.json["limit"] == "receivedBytesPerSecondMax=1024")
        let wait = try #require(Int(refused[header: "Retry-After"] ?? ""))
        // 6 × 199,002 bytes and the heads, but the burst.
        #expect((160...175).contains(wait))
        #expect(refused[header: "RateLimit"] == "\"received\";r=0;t=\(wait)")
        #expect(try fixture.client().get("/version").status == 429)
        #expect(try client.get("/livez").status == 200)
    }

    @Test("What a caller is sent is charged to it, answers and streams alike")
    func sent() throws {
        let fixture = try ServiceFixture.make(callers: Self.limits(sent: 1_024))
        defer { fixture.stop() }
        let client = try fixture.client()
        var bytes = 0
        var answer = try client.get("/openapi.yaml")
        let size = answer.body.count
        while answer.status == 200 {
            bytes += answer.body.count
            try #require(bytes < 3_000_000)
            answer = try client.get("/openapi.yaml")
        }
        #expect(answer.status == 429)
        #expect(bytes > 1_024_000 - size && bytes < 1_024_000 + 2 * size)
        #expect(try answer.json["limit"] == "sentBytesPerSecondMax=1024")
        let wait = try #require(Int(answer[header: "Retry-After"] ?? ""))
        #expect(abs(wait - (bytes - 1_024_000) / 1_024) < 20)
    }

    @Test("What a foreign page sends costs the caller whose browser it is nothing")
    func foreign() throws {
        let fixture = try ServiceFixture.make(
            callers: Self.limits(requests: 1), rateClock: Clock().now)
        defer { fixture.stop() }
        let client = try fixture.client()
        let foreign = [HTTPField("Origin", "https://evil.example")]
        for _ in 0..<1_200 {
            #expect(
                try client.send("PUT", "/v1/sessions/s", json: [:], fields: foreign).status == 403)
        }
        #expect(try client.get("/version").status == 200)
    }

    @Test("Each token has its rates and streams, whatever its connections and secrets")
    func tokens() throws {
        let folder = try TokenFolder()
        let first = try folder.add("first", .write, ["*"])
        let second = try folder.add("second", .write, ["*"])
        let again = try folder.add(
            "first", .write, ["*"], accessor: TokenFolder.accessor(of: first))
        let keeper = try folder.keeper()
        let clock = Clock()
        let fixture = try ServiceFixture.make(
            tokens: keeper, callers: Self.limits(requests: 1, streams: 2),
            rateClock: clock.now)
        defer { fixture.stop() }
        let client = try fixture.client()
        func status(_ token: String?) throws -> Int {
            try client.get("/v1/whoami", fields: token.map { [.bearer($0)] } ?? []).status
        }
        _ = try client.send("PUT", "/v1/sessions/s", json: [:], fields: [.bearer(first)]).success()
        let target = fixture.url + "/v1/sessions/s/events"
        let streams = try (0..<2).map { _ in try EventStream(target, fields: [.bearer(first)]) }
        let refused = try client.get("/v1/sessions/s/events?wait=0", fields: [.bearer(again)])
        #expect(refused.status == 429)
        #expect(try refused.json["limit"] == "streamsPerCallerMax=2")
        let other = try EventStream(target, fields: [.bearer(second)])
        other.close()
        streams[0].close()
        let deadline = Deadline(within: .seconds(20))
        while try client.get("/v1/sessions/s/events?wait=0", fields: [.bearer(again)]).status == 429
        {
            if deadline.hasPassed { throw TimedOut("the place of a closed stream") }
            clock.advance(seconds: 1)
        }
        while try status(first) == 200 {}
        #expect(try status(again) == 429)
        try keeper.reload()
        #expect(try status(first) == 429)
        #expect(try status(second) == 200)
        // Guessing is charged to the address.
        while try status(nil) == 401 {}
        #expect(try status(nil) == 429)
        #expect(try status(second) == 200)
        streams[1].close()
    }

    @Test("Only a trusted proxy can name the client's address")
    func proxies() throws {
        let trust = ProxyTrust(
            prefixes: try ["127.0.0.1", "10.0.0.0/8", "fd00::/8"].map {
                try #require(AddressPrefix(text: $0))
            }, trustsSocketFiles: false)
        let clock = Clock()
        let fixture = try ServiceFixture.make(
            callers: Self.limits(requests: 1), rateClock: clock.now, proxies: trust)
        let untrusting = try ServiceFixture.make(
            callers: Self.limits(requests: 1), rateClock: clock.now)
        defer {
            fixture.stop()
            untrusting.stop()
        }
        func isFresh(_ fixture: ServiceFixture, _ fields: [HTTPField]) throws -> Bool {
            try fixture.client().get("/version", fields: fields).status == 200
        }
        // The proxy's own address, and one client's, have had their share.
        let client = try fixture.client()
        let one = HTTPField("X-Forwarded-For", "203.0.113.9")
        for _ in 0..<1_000 {
            _ = try client.get("/version")
            _ = try client.get("/version", fields: [one])
            _ = try untrusting.client().get("/version")
        }
        let cases: [([(String, String)], Bool)] = [
            ([("X-Forwarded-For", "203.0.113.9")], false),
            ([("X-Forwarded-For", "203.0.113.8")], true),
            ([("X-Forwarded-For", "203.0.113.7, 203.0.113.9")], false),
            ([("X-Forwarded-For", "203.0.113.9, 203.0.113.6")], true),
            ([("X-Forwarded-For", "203.0.113.9, 10.1.2.3")], false),
            ([("X-Forwarded-For", "203.0.113.9"), ("X-Forwarded-For", "10.1.2.3,fd00::1")], false),
            ([("X-Forwarded-For", "203.0.113.9:4711")], false),
            ([("Forwarded", "for=203.0.113.9;proto=https;by=10.0.0.1")], false),
            (
                [("Forwarded", "for=203.0.113.5, For=\"203.0.113.9:80\", for=\"[fd00::2]:1\"")],
                false
            ),
            ([("Forwarded", "for=\"[2001:db8::1]:4711\"")], true),
            // U+0600 and a comma behind it are one character of a string.
            ([("X-Forwarded-For", "203.0.113.1\u{600}, 203.0.113.66")], true),
            // What is no address, or contradicts itself, counts as the proxy's.
            ([("X-Forwarded-For", "unknown")], false), ([("Forwarded", "for=_hidden")], false),
            ([("X-Forwarded-For", "203.0.113.4"), ("Forwarded", "for=203.0.113.3")], false),
            ([("X-Forwarded-For", "")], false), ([("Forwarded", "proto=https")], false),
        ]
        for (fields, fresh) in cases {
            let lines = fields.map { HTTPField($0.0, $0.1) }
            #expect(try isFresh(fixture, lines) == fresh, "\(fields)")
            #expect(try !isFresh(untrusting, lines), "\(fields)")
        }
    }

    @Test("Prefixes of addresses contain what begins like them")
    func prefixes() throws {
        let cases: [(String, String, Bool)] = [
            ("10.0.0.0/8", "10.255.0.1", true), ("10.0.0.0/8", "11.0.0.1", false),
            ("0.0.0.0/0", "1.2.3.4", true), ("0.0.0.0/0", "::1", false), ("::/0", "1.2.3.4", true),
            ("192.168.1.1", "192.168.1.1", true), ("192.168.1.1", "192.168.1.2", false),
            ("2001:db8::/33", "2001:db8:7fff::1", true),
            ("2001:db8::/33", "2001:db8:8000::1", false),
            ("::1", "::1", true), ("[::1]", "::1", true), ("[2001:db8::]/33", "2001:db8::1", true),
            ("127.0.0.1/31", "127.0.0.0", true),
        ]
        for (prefix, address, contains) in cases {
            let found = try #require(AddressPrefix(text: prefix))
                .contains(try #require(ClientAddress(text: address)))
            #expect(found == contains, "\(prefix) \(address)")
        }
        for text in [
            "", "10.0.0.0/33", "::/129", "10.0.0.0/-1", "10.0.0.0/+8", "a/8", "10.0.0.0/8/8",
            "[10.0.0.1]",
            "[::1", "[::1/128]",
        ] {
            #expect(AddressPrefix(text: text) == nil, "\(text)")
        }
    }
}
