// Rates and numbers of streams of each caller, and how the caller is determined.

import HTTPServer
import SessionLog
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

    @Test("Many threads together get no more than one would")
    func race() throws {
        let meter = Shared(perSecond: 100, burstSeconds: 5)
        let allowed = try concurrently(4) { _ in
            (0..<1_000).count { _ in meter.charge(at: 1) == .allowed }
        }
        #expect(allowed.reduce(0, +) == 500)
    }

    private static func limits(
        requests: Int = .max, commits: Int = .max, streams: Int = .max
    ) -> CallerLimits {
        var limits = CallerLimits()
        limits.requestsPerSecondMax = requests
        limits.commitsPerSecondMax = commits
        limits.streamsPerCallerMax = streams
        limits.burstSeconds = 1_000
        return limits
    }

    @Test("Beyond its rate an address gets 429 with the time to wait, and health all the same")
    func requests() throws {
        // 1,000 at once, then one each second.
        let fixture = try ServiceFixture.make(callers: Self.limits(requests: 1))
        defer { fixture.stop() }
        let client = try fixture.client()
        for _ in 0..<1_000 { #expect(try client.get("/version").status == 200) }
        let answer = try client.get("/version")
        #expect(answer.status == 429)
        #expect(try answer.json["code"] == "rate")
        #expect(try answer.json["limit"] == "requestsPerSecondMax=1")
        let wait = try #require(Int(answer[header: "Retry-After"] ?? ""))
        #expect((1...2).contains(wait))
        #expect(try answer.json["retryAfter"] == .int(Int64(wait)))
        #expect(answer[header: "RateLimit-Policy"] == "\"requests\";q=1000;w=1000")
        #expect(answer[header: "RateLimit"] == "\"requests\";r=0;t=\(wait)")
        #expect(try client.get("/livez").status == 200)
        // Another connection of the same address has no more.
        #expect(try fixture.client().get("/version").status == 429)
    }

    @Test("Commits have a rate of their own; reads pass")
    func commits() throws {
        let fixture = try ServiceFixture.make(callers: Self.limits(commits: 1))
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

    @Test("Each token has its rates and streams, whatever its connections and secrets")
    func tokens() throws {
        let folder = try TokenFolder()
        let first = try folder.add("first", .write, ["*"])
        let second = try folder.add("second", .write, ["*"])
        let again = try folder.add(
            "first", .write, ["*"], accessor: TokenFolder.accessor(of: first))
        let keeper = try folder.keeper()
        let fixture = try ServiceFixture.make(
            tokens: keeper, callers: Self.limits(requests: 1, streams: 2))
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
        let fixture = try ServiceFixture.make(callers: Self.limits(requests: 1), proxies: trust)
        let untrusting = try ServiceFixture.make(callers: Self.limits(requests: 1))
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
            ("::1", "::1", true), ("127.0.0.1/31", "127.0.0.0", true),
        ]
        for (prefix, address, contains) in cases {
            let found = try #require(AddressPrefix(text: prefix))
                .contains(try #require(ClientAddress(text: address)))
            #expect(found == contains, "\(prefix) \(address)")
        }
        for text in [
            "", "10.0.0.0/33", "::/129", "10.0.0.0/-1", "10.0.0.0/+8", "a/8", "10.0.0.0/8/8",
        ] {
            #expect(AddressPrefix(text: text) == nil, "\(text)")
        }
    }
}
