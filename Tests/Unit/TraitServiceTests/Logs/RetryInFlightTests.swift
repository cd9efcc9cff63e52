// A key whose first request still waits for the log. The same request gets 409, even after the first client
// has disconnected, and the first answer once the log has acknowledged the write. After a refusal of the log
// the same request does the write.

import SessionLogTestSupport
import TestSupport
import Testing

@testable import SessionViews
@testable import TraitService
@testable import TraitSessions

@Suite
struct RetryInFlightTests {
    private static let text = #"{"kind":"environment"}"#
    private static let fields = [HTTPField("Idempotency-Key", "k")]

    private static func request(_ target: String) -> String {
        "POST \(target) HTTP/1.1\r\nHost: localhost\r\nIdempotency-Key: k\r\n"
            + "Content-Type: application/json\r\nContent-Length: \(text.utf8.count)\r\n\r\n\(text)"
    }

    /// Repeats a request while its key is in flight, and expects the first answer again.
    private static func expectReplay(_ client: HTTPClient, _ request: HTTPRequest) throws {
        let deadline = Deadline(within: .seconds(20))
        while true {
            let retry = try client.send(request)
            if retry.status == 409, !deadline.hasPassed { continue }
            #expect(retry.status == 201 && retry["Idempotency-Replayed"] == "true")
            return
        }
    }

    @Test("While the first request waits for its log, the key is in flight; then it is replayed")
    func waiting() throws {
        let log = DelayingLog(FailingLog(), isHolding: false)
        let fixture = try InProcessService(log: log)
        let client = try fixture.client()
        try client.send("PUT", "/v1/sessions/s", json: [:]).expecting(201)
        log.hold()
        defer { log.release() }
        let target = "/v1/sessions/s/nodes"
        do {
            let first = try RawConnection(port: fixture.port)
            try first.send(Self.request(target))
            #expect(log.waitForHeld(1))
            let second = try client.send(
                HTTPRequest("POST", target, text: Self.text, fields: Self.fields))
            try expectProblem(second, 409, "idempotency-in-flight")
            #expect(second["Retry-After"] == "1")
            // Another body is another request, but the key is still in flight.
            let other = try client.send(
                HTTPRequest("POST", target, text: "{}", fields: Self.fields))
            try expectProblem(other, 409, "idempotency-in-flight")
            withExtendedLifetime(first) {}
        }
        // The first client has disconnected without its answer.
        log.release()
        try Self.expectReplay(
            client, HTTPRequest("POST", target, text: Self.text, fields: Self.fields))
        #expect(try client.get("/v1/sessions/s").json["nodes"] == 1)
    }

    @Test("A write that the log refused is not recorded, so the same request does it")
    func refused() throws {
        let log = FailingLog()
        let client = try InProcessService(log: DelayingLog(log, isHolding: false)).client()
        try client.send("PUT", "/v1/sessions/s", json: [:]).expecting(201)
        let node = HTTPRequest(
            "POST", "/v1/sessions/s/nodes", text: Self.text, fields: Self.fields)
        log.add(.refused())
        #expect(try client.send(node).status == 507)
        #expect(try client.send(node)["Idempotency-Replayed"] == nil)
        #expect(try client.send(node)["Idempotency-Replayed"] == "true")
    }

    @Test("The creation and the end of a session take no key: each request is carried out")
    func withoutKeys() throws {
        let client = try InProcessService().client()
        for key in ["k", "\"malformed"] {
            let fields = [HTTPField("Idempotency-Key", key)]
            var names: Set<String> = []
            for _ in 0..<2 {
                let made = try client.send("POST", "/v1/sessions", json: [:], fields: fields)
                    .expecting(201)
                names.insert(try #require(made["Location"]))
                #expect(made["Idempotency-Replayed"] == nil)
            }
            #expect(names.count == 2)
            for (target, text) in [
                ("s", #"{"nodes":[{"id":"n","kind":"environment"}]}"#),
                ("s/import?as=t", #"{"format":1,"nodes":[]}"#),
            ] {
                let put = HTTPRequest("PUT", "/v1/sessions/\(target)", text: text, fields: fields)
                #expect(try client.send(put).status == 201)
                try expectProblem(try client.send(put), 409, "exists")
            }
            for name in ["s", "t"] {
                let path = "/v1/sessions/\(name)"
                // A write to the session is another request of that key.
                let node = HTTPRequest(
                    "POST", path + "/nodes", text: Self.text, fields: Self.fields)
                #expect(try client.send(node).status == 201)
                #expect(try client.send(node)["Idempotency-Replayed"] == "true")
                try client.send("DELETE", path, fields: fields).expecting(200)
                try expectProblem(
                    try client.send("DELETE", path, fields: fields), 404, "unknown-session")
            }
        }
    }

    @Test("Keys are forgotten by number, by size and by age, oldest first")
    func bounded() throws {
        func request(_ key: Int) -> IdempotentRequest {
            IdempotentRequest(caller: "", key: "\(key)", request: 1)
        }
        func outcome(_ key: Int, at time: Int64, bytes: Int = 2) -> RecordedOutcome {
            let made = CommitOutcome(
                revision: Int64(key), isUnchanged: false, isNew: true, notified: 0, notes: [])
            let answer = [UInt8](repeating: 0x20, count: bytes)
            return answer.withUnsafeBytes {
                RecordedOutcome(request(key), made, time: time, id: nil, answer: $0)
            }
        }
        var limits = ServiceLimits()
        limits.idempotencyKeysMax = 3
        limits.idempotencyBytesMax = 10_000
        limits.idempotencyAgeMilliseconds = 1_000
        var outcomes = RecordedOutcomes(limits)
        // A creation, which logs of earlier versions have.
        outcomes.add(outcome(1, at: 1))
        #expect(outcomes.count == 0)
        for key in 2...5 { outcomes.add(outcome(key, at: Int64(key))) }
        #expect(outcomes.count == 3)
        #expect(try outcomes.outcome(of: request(2), now: 5) == nil)
        #expect(try outcomes.outcome(of: request(3), now: 1_003)?.revision == 3)
        #expect(try outcomes.outcome(of: request(3), now: 1_004) == nil)
        #expect(try outcomes.outcome(of: request(4), now: 1_004)?.revision == 4)
        outcomes.add(outcome(6, at: 6, bytes: 9_500))
        #expect(outcomes.count == 1 && outcomes.heldBytes < 10_000)
        #expect(try outcomes.outcome(of: request(6), now: 7)?.revision == 6)
        outcomes.add(outcome(7, at: 7, bytes: 20_000))
        #expect(outcomes.count == 1)
        outcomes.forget(after: 6)
        #expect(outcomes.count == 0 && outcomes.heldBytes == 0)
    }
}
