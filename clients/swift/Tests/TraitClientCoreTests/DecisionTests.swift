// When to try again, and what an answer means.

import Foundation
import Testing

@testable import TraitClientCore

@Suite struct DecisionTests {
    @Test("the back-off doubles from its first to its longest delay, times 0.5 to 1")
    func backoff() {
        for (random, factor) in [(0.0, 0.5), (1, 1), (0.5, 0.75)] {
            var backoff = Backoff(.milliseconds(500)...(.seconds(30)))
            let delays = (0..<8).map { _ in backoff.next(random: random).seconds }
            let expected = [0.5, 1, 2, 4, 8, 16, 30, 30].map { $0 * factor }
            for (delay, time) in zip(delays, expected) { #expect(abs(delay - time) < 1e-9) }
        }
    }

    @Test("the back-off begins anew, and never leaves its range")
    func backoffRange() {
        var backoff = Backoff(.milliseconds(500)...(.seconds(30)))
        for _ in 0..<10_000 { _ = backoff.next(random: 1) }
        #expect(backoff.next(random: 1) == .seconds(30))
        backoff.reset()
        #expect(backoff.next(random: 1) == .milliseconds(500))
        var longest = Backoff(.zero...(.seconds(Int64.max)))
        #expect(longest.next(random: 1) == .zero)
        var huge = Backoff(.seconds(Int64.max / 2)...(.seconds(Int64.max)))
        #expect(huge.next(random: 1) > .seconds(1_000_000))
        var negative = Backoff(.seconds(-5)...(.seconds(-1)))
        #expect(negative.next(random: 1) == .zero)
    }

    @Test("a time of the server is waited for in full, and at most 10 % and a second more")
    func named() {
        var backoff = Backoff(.milliseconds(500)...(.seconds(30)))
        #expect(backoff.next(named: .seconds(120), random: 0) == .seconds(120))
        #expect(backoff.next(named: .seconds(120), random: 1) == .seconds(121))
        #expect(abs(backoff.next(named: .seconds(2), random: 1).seconds - 2.2) < 1e-9)
        #expect(backoff.next(named: .zero, random: 1) == .zero)
        // It counted as three attempts and this one.
        #expect(backoff.next(random: 1) == .seconds(8))
    }

    @Test("Retry-After is seconds or a date")
    func retryAfter() {
        let now = Date(timeIntervalSince1970: 784_111_777)  // Sun, 06 Nov 1994 08:49:37 GMT
        #expect(RetryAfter.delay("120", now: now) == .seconds(120))
        #expect(RetryAfter.delay(" 0 ", now: now) == .zero)
        #expect(RetryAfter.delay("Sun, 06 Nov 1994 08:50:37 GMT", now: now) == .seconds(60))
        #expect(RetryAfter.delay("Sun, 06 Nov 1994 08:00:00 GMT", now: now) == .zero)
        #expect(RetryAfter.delay(String(repeating: "9", count: 400), now: now) != nil)
        for field in [nil, "", "soon", "-1", "1.5", "1e3"] {
            #expect(RetryAfter.delay(field, now: now) == nil)
        }
    }

    static func stream(
        _ status: Int, _ type: String? = "application/problem+json", token: Bool,
        after: Duration? = nil
    ) -> StreamDecision {
        StreamDecision(
            status: status, mediaType: type, retryAfter: after, hasSentToken: token,
            body: Array("{\"code\":\"c\",\"detail\":\"d\"}".utf8))
    }

    @Test("200 with NDJSON or events is read, and with anything else tried again")
    func read() {
        let events = ["text/event-stream", "text/event-stream;charset=utf-8"]
        for type in ["application/x-ndjson", "Application/X-NDJSON ; charset=utf-8"] + events {
            #expect(Self.stream(200, type, token: false) == .read)
        }
        for type in ["text/html", nil, "application/json", "application/x-ndjson2"] {
            #expect(
                Self.stream(200, type, token: true) == .again(forgetToken: false, after: nil))
        }
    }

    @Test("400, 409 and 410 forget a token; 400 without one closes")
    func forget() {
        for status in [400, 409, 410] {
            #expect(Self.stream(status, token: true) == .again(forgetToken: true, after: nil))
        }
        for status in [409, 410] {
            #expect(Self.stream(status, token: false) == .again(forgetToken: false, after: nil))
        }
        guard case .close(let error) = Self.stream(400, token: false) else {
            Issue.record("400 does not close")
            return
        }
        #expect(error.code == "c" && error.message == "d" && error.status == 400)
    }

    @Test("refusals close, 429 and 503 wait, everything else is tried again")
    func others() {
        for status in [401, 403, 404, 421, 422] {
            for token in [false, true] {
                guard case .close = Self.stream(status, token: token) else {
                    Issue.record("\(status) does not close")
                    continue
                }
            }
        }
        for status in [429, 503] {
            let decision = Self.stream(status, token: true, after: .seconds(7))
            #expect(decision == .again(forgetToken: false, after: .seconds(7)))
        }
        for status in [204, 206, 301, 302, 307, 402, 405, 408, 412, 413, 500, 502, 504, 507] {
            #expect(
                Self.stream(status, token: true, after: .seconds(7))
                    == .again(forgetToken: false, after: nil))
        }
    }

    @Test("a long Retry-After ends a call at once, and is cut for a stream")
    func longWaits() {
        func decide(_ delay: Duration) -> RequestDecision {
            RequestDecision(
                status: 503, code: nil, retryAfter: delay, isRepeatable: true, retriesLeft: 1)
        }
        #expect(decide(.seconds(60)) == .retry(after: .seconds(60)))
        let date = RetryAfter.delay("Fri, 31 Dec 9999 23:59:59 GMT", now: Date())
        #expect(date ?? .zero > .seconds(1_000_000_000))
        for delay in [.seconds(61), date ?? .zero, .seconds(Int64.max)] {
            #expect(decide(delay) == .answer)
            #expect(
                Self.stream(429, token: true, after: delay)
                    == .again(forgetToken: false, after: min(delay, .seconds(300))))
        }
    }

    @Test("a refusal that is no problem of traitd's has a code of its status")
    func foreignProblem() {
        #expect(TraitdError(status: 404, body: Array("<html>".utf8)).code == "http-404")
        #expect(TraitdError(status: 403, body: Array("[1]".utf8)).code == "http-403")
    }

    @Test("requests without an answer, 429, 502, 503, 504 and a key in flight are repeated")
    func requests() {
        func decide(
            _ status: Int?, code: String? = nil, repeatable: Bool = true, left: Int = 1
        ) -> RequestDecision {
            RequestDecision(
                status: status, code: code, retryAfter: .seconds(3), isRepeatable: repeatable,
                retriesLeft: left)
        }
        for status in [nil, 429, 502, 503, 504] {
            #expect(decide(status) == .retry(after: .seconds(3)))
            #expect(decide(status, repeatable: false) == .answer)
            #expect(decide(status, left: 0) == .answer)
        }
        #expect(decide(409, code: "idempotency-in-flight") == .retry(after: .seconds(3)))
        for status in [400, 401, 404, 409, 412, 422, 500, 501, 505, 507] {
            #expect(decide(status, code: "exists") == .answer)
        }
    }

    @Test("a target beyond 4,000 bytes goes into a POST")
    func targets() {
        func target(_ count: Int) -> StreamTarget {
            StreamTarget(
                watches: ["n": .traits([String(repeating: "t", count: count)]), "b": .all],
                registrations: ["r 1"], basePath: "/v1/sessions/s")
        }
        let overhead = target(0).path.utf8.count + "/v1/sessions/s".utf8.count
        let longest = target(4000 - overhead)
        #expect(longest.body == nil)
        #expect(longest.path.hasPrefix("/events?watch=b:all&watch=n:ttt"))
        #expect(
            longest.path.hasSuffix(
                "&registrations=r%201&initial=true&resync=auto&overflow=coalesce"))
        let posted = target(4001 - overhead)
        #expect(posted.path == "/events?initial=true&resync=auto&overflow=coalesce")
        #expect(posted.body?["watches"]?.array?.first == ["node": "b", "traits": ["all"]])
        #expect(posted.body?["registrations"] == ["r 1"])
    }

    @Test(
        "the next request asks for the new names, and a record of a stream of records changes nothing"
    )
    func names() throws {
        var target = StreamTarget(
            watches: ["a": .traits(["x", "y"]), "b": .all], registrations: [],
            basePath: "/v1/sessions/s")
        func rename(_ line: String) throws {
            guard case .renamed(let renaming) = try StreamRecord(line: line.utf8).contents else {
                Issue.record("\(line) is another record")
                return
            }
            target.rename(renaming)
        }
        try rename(#"{"type":"renamed","revision":7,"node":"a","to":"c"}"#)
        try rename(#"{"type":"renamed","revision":8,"trait":"x","to":"z"}"#)
        try rename(#"{"type":"renamed","revision":9,"node":"lost","to":"found"}"#)
        #expect(target.path.hasPrefix("/events?watch=b:all&watch=c:z,y&initial"))
        try rename(
            #"{"type":"renamed","revision":9,"node":"c","to":"\#(String(repeating: "n", count: 4000))"}"#
        )
        #expect(target.body?["watches"]?.array?.last?["traits"] == ["z", "y"])
        try rename(
            #"{"type":"renamed","revision":9,"node":"\#(String(repeating: "n", count: 4000))","to":"c"}"#
        )
        #expect(target.body == nil && target.path.contains("watch=c:z,y"))
        target = StreamTarget(recordsWithOperations: true)
        try rename(#"{"type":"renamed","revision":9,"node":"c","to":"d"}"#)
        #expect(target.path == "/events?operations=true" && target.body == nil)
        #expect(throws: MalformedRecord.self) {
            try StreamRecord(line: #"{"type":"renamed","revision":9,"node":"c"}"#.utf8)
        }
    }

    @Test("operations are written as openapi.yaml has them")
    func operations() {
        var list = TraitOperations()
        list.renameNode("a", to: "b")
        list.renameTrait("x", to: "y")
        list.deleteTrait("y")
        list.copyNode("a", to: "b")
        list.copyNode(
            "a", prefix: ("old.", "new."), parent: "p", registrations: true, depth: 2)
        #expect(
            list.operations == [
                ["op": "renameNode", "node": "a", "to": "b"],
                ["op": "renameTrait", "trait": "x", "to": "y"],
                ["op": "deleteTrait", "trait": "y"],
                ["op": "copyNode", "node": "a", "to": "b"],
                [
                    "op": "copyNode", "node": "a", "prefix": ["old.", "new."], "parent": "p",
                    "registrations": true, "depth": 2,
                ],
            ])
    }

    @Test("lines are the same however their bytes are cut")
    func lines() {
        let text = Array("{\"a\":1}\n\n{\"b\":2}\r\n{\"c\"".utf8)
        for size in 1...text.count {
            var (splitter, lines) = (LineSplitter(), [String]())
            for start in stride(from: 0, to: text.count, by: size) {
                let piece = text[start..<min(start + size, text.count)]
                #expect(splitter.add(piece) { lines.append(String(decoding: $0, as: UTF8.self)) })
            }
            #expect(lines == ["{\"a\":1}", "{\"b\":2}\r"])
        }
    }

    @Test("a line of 16 MiB is read, and a longer one refused")
    func longLine() {
        var (splitter, lengths) = (LineSplitter(), [Int]())
        let longest = [UInt8](repeating: 0x78, count: LineSplitter.lineBytesMax)
        #expect(splitter.add(longest[...]) { lengths.append($0.count) })
        #expect(splitter.add([0x0A]) { lengths.append($0.count) })
        #expect(lengths == [16 << 20])
        #expect(splitter.add(longest[...]) { _ in })
        #expect(!splitter.add([0x20]) { _ in })
        var other = LineSplitter()
        #expect(!other.add((longest + [0x20, 0x0A])[...]) { lengths.append($0.count) })
        #expect(lengths == [16 << 20])
    }
}
