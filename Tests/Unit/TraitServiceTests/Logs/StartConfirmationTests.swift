// Requests that come while a server starts over a shared log. They are handled after the start like any other: on the
// newest state, with their key claimed, and no longer than requests may wait.

import SessionLogTestSupport
import TestSupport
import Testing

@testable import SessionViews
@testable import TraitService
@testable import TraitSessions

@Suite
struct StartConfirmationTests {
    private static let theme = "/v1/sessions/s/nodes/root/overrides/theme"
    private static let key = [HTTPField("Idempotency-Key", "k")]

    /// Two servers over one log. The second one has a commit that waits for the answer of its log.
    private struct Starting {
        let log: DelayingLog
        let one: InProcessService
        let two: InProcessService
        let writer: HTTPClient
        /// The answer to the commit of the second server.
        let first: StartedRequest

        init(waitMax: Duration = .seconds(20)) throws {
            let shared = MemoryLog()
            log = DelayingLog(
                HostileLog(shared, seed: 1), delay: .answer, waitMax: waitMax, isHolding: false)
            one = try InProcessService(log: shared)
            two = try InProcessService(log: log, shards: 1)
            for fixture in [one, two] { try fixture.service.store.follow() }
            writer = try one.client()
            try writer.send(
                "PUT", "/v1/sessions/s",
                json: [
                    "traits": ["theme": ["type": "int", "default": 0]], "nodes": [.node("root")],
                ]
            ).expecting(201)
            try two.client().get("/v1/sessions/s").expecting(200)
            log.hold()
            first = try Self.send(1, to: two)
            #expect(log.waitForHeld(1))
        }

        /// Begins the start of the second server, whose commit has been parked by then: it keeps its deadline.
        func begin() {
            two.turns.wait { two.server.statistics.parked == 1 }
            two.service.store.beginStart()
        }

        /// Writes through the second server, on a thread of its own.
        func send(_ value: Int64, _ fields: [HTTPField] = []) throws -> StartedRequest {
            try Self.send(value, fields, to: two)
        }

        private static func send(
            _ value: Int64, _ fields: [HTTPField] = [], to server: InProcessService
        ) throws -> StartedRequest {
            let client = try server.client()
            return StartedRequest {
                try client.send(
                    "PUT", StartConfirmationTests.theme, json: ["value": .int(value)],
                    fields: fields)
            }
        }

        /// Ends the start once a write waits for it, and returns when the write was handled and waits for the log.
        func finish() throws {
            two.turns.wait { two.server.statistics.parked == 2 }
            let session = try #require(two.service.store.find("s"))
            let waiting = session.withState { $0.queue.responses.count }
            two.service.store.finishStart()
            two.turns.wait { session.withState { $0.queue.responses.count } > waiting }
        }

        func stop() {
            log.release()
            for fixture in [one, two] { fixture.stop() }
        }
    }

    @Test("A write that came during the start is refused on the newest state only")
    func refusal() throws {
        let starting = try Starting()
        defer { starting.stop() }
        starting.begin()
        let put = try starting.writer.send("PUT", Self.theme, json: ["value": 2])
        #expect(put[header: "Traitd-Revision"] == "3", "\(put)")
        let tag = try #require(try starting.writer.get("/v1/sessions/s")[header: "ETag"])
        // The second server has revision 2, which it knows to be in the log when that answers.
        let write = try starting.send(3, [HTTPField("If-Match", tag)])
        try starting.finish()
        starting.log.release()
        #expect(try starting.first.response().status == 200)
        let decided = try write.response()
        #expect(decided.status == 200 && decided[header: "Traitd-Revision"] == "4", "\(decided)")
    }

    @Test("The key of a write that came during the start is in flight until its answer")
    func key() throws {
        let starting = try Starting()
        defer { starting.stop() }
        starting.begin()
        let write = try starting.send(2, Self.key)
        try starting.finish()
        let client = try starting.two.client()
        try client.get("/livez").expecting(200)
        let second = try client.send("PUT", Self.theme, json: ["value": 2], fields: Self.key)
        try expectProblem(second, 409, "idempotency-in-flight")
        starting.log.release()
        #expect(try write.response().status == 200)
    }

    @Test("A write that came during the start waits for the log as long as others do")
    func deadline() throws {
        let starting = try Starting(waitMax: .milliseconds(50))
        defer { starting.stop() }
        // The first write has its answer by then.
        #expect(try starting.first.response().status == 503)
        starting.two.service.store.beginStart()
        let write = try starting.send(2)
        starting.two.turns.wait { starting.two.server.statistics.parked == 1 }
        starting.two.service.store.finishStart()
        try expectProblem(try write.response(), 503, "outcome-unknown")
    }
}
