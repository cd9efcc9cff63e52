// The streams that one caller may have open, and how the caller is determined.

import HTTPServer
import SessionViews
import TestSupport
import Testing
import TraitSessions

@testable import TraitService

@Suite("Streams of callers")
struct CallerStreamTests {
    private static let events = "/v1/sessions/s/events"

    private static func limits(_ streams: Int) -> ServiceLimits {
        var limits = ServiceLimits()
        limits.streamsPerCallerMax = streams
        return limits
    }

    @Test("Each token has its streams, whatever its connections and secrets")
    func tokens() throws {
        let folder = try TokenFolder()
        let first = try folder.add("first", .write, ["*"])
        let second = try folder.add("second", .write, ["*"])
        let again = try folder.add(
            "first", .write, ["*"], accessor: TokenFolder.accessor(of: first))
        let fixture = try InProcessService(
            limits: Self.limits(2), tokens: try folder.keeper())
        let client = try fixture.client()
        func poll(_ token: String) throws -> HTTPResponse {
            try client.get(Self.events + "?wait=0", fields: [.bearer(token)])
        }
        _ = try client.send("PUT", "/v1/sessions/s", json: [:], fields: [.bearer(first)]).success()
        let target = fixture.url + Self.events
        let streams = try (0..<2).map { _ in try EventStream(target, fields: [.bearer(first)]) }
        defer { for stream in streams { stream.close() } }
        let refused = try poll(again)
        #expect(refused.status == 429)
        #expect(try refused.json["code"] == "too-many-streams")
        #expect(try refused.json["limit"] == "streamsPerCallerMax=2")
        #expect(try refused.json["retryAfter"] == 1)
        #expect(refused[header: "Retry-After"] == "1")
        #expect(try refused.json["detail"]?.string?.contains("The token ") == true)
        // A refusal takes no place, and other requests need none.
        #expect(try poll(second).status == 200)
        #expect(try client.get("/v1/sessions/s", fields: [.bearer(again)]).status == 200)
        streams[0].close()
        let deadline = Deadline(within: .seconds(20))
        while try poll(again).status == 429 {
            if deadline.hasPassed { throw TimedOut("the place of a closed stream") }
        }
    }

    @Test("A poll gives its place back; without tokens an address is the caller")
    func polls() throws {
        let fixture = try InProcessService(limits: Self.limits(1))
        let client = try fixture.client()
        _ = try client.send("PUT", "/v1/sessions/s", json: [:]).success()
        #expect(try client.get(Self.events + "?wait=0").status == 200)
        #expect(try client.get(Self.events + "?wait=1ms").status == 200)
        let stream = try EventStream(fixture.url + Self.events)
        let refused = try fixture.client().get(Self.events + "?wait=1ms")
        #expect(refused.status == 429)
        #expect(try refused.json["detail"]?.string?.contains("This address ") == true)
        stream.close()
    }

    @Test("Only a trusted proxy can name the client's address")
    func proxies() throws {
        let trust = ProxyTrust(
            prefixes: try ["127.0.0.1", "10.0.0.0/8", "fd00::/8"].map {
                try #require(AddressPrefix(text: $0))
            }, trustsSocketFiles: false)
        let fixture = try InProcessService(limits: Self.limits(1), proxies: trust)
        let untrusting = try InProcessService(limits: Self.limits(1))
        defer {
            fixture.stop()
            untrusting.stop()
        }
        // The proxy's own address, and one client's, have a stream.
        let places = [
            (fixture, []), (fixture, [HTTPField("X-Forwarded-For", "203.0.113.9")]),
            (untrusting, []),
        ]
        let streams = try places.map { server, fields in
            _ = try server.client().send("PUT", "/v1/sessions/s", json: [:]).success()
            return try EventStream(server.url + Self.events, fields: fields)
        }
        defer { for stream in streams { stream.close() } }
        let clients = (try fixture.client(), try untrusting.client())
        func isFresh(_ client: HTTPClient, _ fields: [HTTPField]) throws -> Bool {
            try client.get(Self.events + "?wait=0", fields: fields).status == 200
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
            #expect(try isFresh(clients.0, lines) == fresh, "\(fields)")
            #expect(try !isFresh(clients.1, lines), "\(fields)")
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
