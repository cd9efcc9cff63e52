// A commit becomes visible only when its log has acknowledged it: answers, other readers and
// streams wait, and what the log did not take is undone whole.

import SessionLog
import SessionLogTestSupport
import TestSupport
import Testing

@testable import SessionViews
@testable import TraitService
@testable import TraitSessions

@Suite
struct AcknowledgementTests {
    /// A service whose log waits, with a session of two nodes that was acknowledged at once.
    private final class Story {
        /// The requests whose answers were not asked for yet, by name.
        private var requests: [String: StartedRequest] = [:]
        var isAnswered: Bool { requests.values.contains(where: \.isAnswered) }
        let failing: FailingLog
        let log: DelayingLog
        let fixture: InProcessService

        /// - Parameter isShared: whether a write that another writer came before is decided again
        ///   from a copy; otherwise it is handled again as a request.
        init(_ limits: ServiceLimits = ServiceLimits(), isShared: Bool = true) throws {
            failing = FailingLog()
            log = DelayingLog(failing, isShared: isShared, isHolding: false)
            fixture = try InProcessService(log: log, limits: limits)
            let client = try fixture.client()
            let created = try client.send(
                "PUT", "/v1/sessions/s",
                json: [
                    "traits": ["theme": ["type": "int", "default": 0]],
                    "nodes": [.node("root"), .node("leaf", in: "root")],
                ])
            try #require(created.status == 201)
            log.hold()
        }

        /// Sends a request on a thread of its own.
        func start(_ name: String, _ method: String, _ target: String, _ json: JSON? = nil) throws {
            let client = try fixture.client()
            requests[name] = StartedRequest { try client.send(method, target, json: json) }
        }

        func answer(_ name: String) throws -> HTTPResponse {
            let request = requests.removeValue(forKey: name)
            return try #require(request).response()
        }

        /// The answers to all requests.
        func answers() throws -> [String: HTTPResponse] {
            defer { requests = [:] }
            return try requests.mapValues { try $0.response() }
        }

        /// Waits until so many answers of the session wait for its log.
        func expectWaiting(_ count: Int, of name: String = "s") {
            fixture.turns.wait {
                let waiting = fixture.service.store.find(name).map { session in
                    session.withState { $0.waitingCount }
                }
                return waiting ?? 0 >= count
            }
        }

        func setTheme(_ name: String, _ value: Int64) throws {
            try start(
                name, "PUT", "/v1/sessions/s/nodes/root/overrides/theme",
                ["value": .int(value)])
        }

        func readTheme(_ name: String) throws {
            try start(name, "GET", "/v1/sessions/s/nodes/leaf/traits/theme")
        }

        /// Lets the log answer everything from here on.
        func finish() {
            log.release()
            fixture.stop()
        }
    }

    @Test(
        "A write and a read that saw it are answered only after the log has acknowledged it",
        arguments: [true, false])
    func answersWait(isShared: Bool) throws {
        let story = try Story(isShared: isShared)
        defer { story.finish() }
        try story.setTheme("write", 7)
        story.expectWaiting(1)
        try story.readTheme("read")
        try story.start("list", "GET", "/v1/sessions")
        story.expectWaiting(3)
        // A request that shows nothing of the session does not wait.
        #expect(try story.fixture.client().get("/livez").status == 200)
        #expect(!story.isAnswered)
        #expect(story.log.waitForHeld(1))
        story.log.releaseOldest()
        let answers = try story.answers()
        #expect(answers["write"]?.status == 200)
        #expect(try answers["list"]?.json["sessions"]?[0]?["revision"] == 2)
        #expect(try answers["write"]?.json["revision"] == 2)
        #expect(try answers["read"]?.json["value"] == 7)
        #expect(try answers["read"]?.json["revision"] == 2)
    }

    @Test("A log that blocks in append delays no read of a session without pending commits")
    func blockedLog() throws {
        let story = try Story()
        defer { story.finish() }
        story.log.release()
        let client = try story.fixture.client()
        #expect(try client.send("PUT", "/v1/sessions/other", json: [:]).status == 201)
        story.log.hold()
        try story.setTheme("write", 7)
        #expect(story.log.waitForHeld(1))
        for _ in 0..<100 {
            #expect(try client.get("/v1/sessions/other").status == 200)
        }
        let stats = try client.get("/v1/sessions/other/stats")
        #expect(try stats.json["acknowledgedRevision"] == 1)
        #expect(!story.isAnswered)
        story.log.releaseOldest()
        #expect(try story.answer("write").status == 200)
    }

    @Test(
        "Commits that pile up go to the log together and are answered with their own revisions",
        arguments: [true, false])
    func pile(isShared: Bool) throws {
        let story = try Story(isShared: isShared)
        defer { story.finish() }
        try story.setTheme("one", 1)
        story.expectWaiting(1)
        #expect(story.log.waitForHeld(1))
        try story.setTheme("two", 2)
        story.expectWaiting(2)
        try story.setTheme("three", 3)
        story.expectWaiting(3)
        story.log.releaseOldest()
        #expect(try story.answer("one").json["revision"] == 2)
        #expect(story.log.waitForHeld(1))
        #expect(story.log.heldBatches.first?.first?.entries.map(\.revision) == [3, 4])
        story.log.releaseOldest()
        let answers = try story.answers()
        #expect(try answers["two"]?.json["revision"] == 3)
        #expect(try answers["three"]?.json["revision"] == 4)
    }

    @Test(
        "What the log did not take is undone with all that came after; reads run again",
        arguments: [
            (FailingLog.Step.refused(reason: "disk full"), 507, "storage-full"),
            (.unknown(written: false, reason: "flush failed"), 503, "log-unavailable"),
        ], [true, false])
    func withdrawn(
        _ refusal: (step: FailingLog.Step, status: Int, code: String), isShared: Bool
    ) throws {
        let story = try Story(isShared: isShared)
        defer { story.finish() }
        try story.setTheme("one", 1)
        story.expectWaiting(1)
        try story.setTheme("two", 2)
        story.expectWaiting(2)
        try story.readTheme("read")
        story.expectWaiting(3)
        #expect(story.log.waitForHeld(1))
        story.failing.add(refusal.step)
        story.log.release()
        let answers = try story.answers()
        for name in ["one", "two"] {
            #expect(answers[name]?.status == refusal.status, "\(name)")
            #expect(try answers[name]?.json["code"] == .string(refusal.code), "\(name)")
            #expect(answers[name]?[header: "Traitd-Revision"] != "2", "\(name)")
        }
        #expect(answers["read"]?.status == 200)
        #expect(try answers["read"]?.json["value"] == 0)
        #expect(try answers["read"]?.json["revision"] == 1)
        let client = try story.fixture.client()
        let write = try client.send(
            "PUT", "/v1/sessions/s/nodes/root/overrides/theme", json: ["value": 5])
        #expect(write.status == 200)
        #expect(try write.json["revision"] == 2)
    }

    @Test(
        "Writes that the log wants expected elsewhere are made again and keep their conditions",
        arguments: [true, false])
    func conflict(isShared: Bool) throws {
        let story = try Story(isShared: isShared)
        defer { story.finish() }
        try story.setTheme("plain", 7)
        story.expectWaiting(1)
        #expect(story.log.waitForHeld(1))
        try story.start("created", "POST", "/v1/sessions/s/nodes", .node("n"))
        story.expectWaiting(2)
        try story.start(
            "conditional", "POST", "/v1/sessions/s/transactions",
            ["ifRevision": 3, "operations": [.setOverride("theme", at: "root", 8)]])
        story.expectWaiting(3)
        story.failing.add(.conflict(LogConflict(head: 1)))
        story.log.release()
        let answers = try story.answers()
        #expect(answers["plain"]?.status == 200)
        #expect(answers["created"]?.status == 201)
        #expect(answers["created"]?[header: "Location"] == "/v1/sessions/s/nodes/n")
        // The order of the writes may change where each is handled again as a request.
        let status = try #require(answers["conditional"]?.status)
        #expect(isShared ? status == 200 : status == 200 || status == 412)
        let theme = try story.fixture.client().get("/v1/sessions/s/nodes/leaf/traits/theme").json
        #expect(theme["value"] == (status == 200 ? 8 : 7))
        #expect(theme["revision"] == (status == 200 ? 4 : 3))
        for answer in answers.values where answer.status < 300 {
            let revision = try #require(try answer.json["revision"]?.int)
            #expect(answer[header: "Traitd-Revision"] == "\(revision)")
        }
    }

    @Test(
        "An append whose fate is unknown counts when the log has the entries",
        arguments: [true, false])
    func unknownButWritten(isShared: Bool) throws {
        let story = try Story(isShared: isShared)
        defer { story.finish() }
        story.failing.add(.unknown(written: true, reason: "timeout"))
        try story.setTheme("write", 7)
        #expect(story.log.waitForHeld(1))
        story.log.releaseOldest()
        let answers = try story.answers()
        #expect(answers["write"]?.status == 200)
        #expect(try answers["write"]?.json["revision"] == 2)
    }

    @Test("A refused write leaves no definition, no registration and no session behind")
    func refusedLeavesNothing() throws {
        let story = try Story()
        defer { story.finish() }
        story.log.release()
        let client = try story.fixture.client()
        let writes: [(String, JSON)] = [
            ("/v1/sessions/s/traits/extra", ["type": "bool", "default": false]),
            ("/v1/sessions/s/registrations/r", ["node": "leaf", "traits": ["theme"]]),
            ("/v1/sessions/new", [:]),
        ]
        for (target, body) in writes {
            story.failing.add(.refused(reason: "disk full"))
            #expect(try client.send("PUT", target, json: body).status == 507)
            #expect(try client.get(target).status == 404)
        }
        #expect(try client.get("/v1/sessions/s").json["revision"] == 1)
    }

    @Test("Streams show acknowledged commits only")
    func streams() throws {
        let story = try Story()
        defer { story.finish() }
        try story.setTheme("one", 1)
        story.expectWaiting(1)
        let client = try story.fixture.client()
        let before = try client.get("/v1/sessions/s/events?from=0&wait=0")
        #expect(try before.json["revision"] == 1)
        #expect(story.log.waitForHeld(1))
        story.failing.add(.refused(reason: "disk full"))
        story.log.release()
        _ = try story.answers()
        try story.setTheme("two", 2)
        _ = try story.answers()
        let after = try client.get("/v1/sessions/s/events?from=1&wait=0&operations=true")
        let records = try #require(try after.json["records"]?.array)
        #expect(records.count == 1)
        #expect(records.first?["operations"]?[0]?["value"] == 2)
    }

    @Test(
        "A deletion is answered when its tombstone is in the log, and what waits behind runs again")
    func deletion() throws {
        let story = try Story()
        defer { story.finish() }
        try story.start("delete", "DELETE", "/v1/sessions/s")
        story.expectWaiting(1)
        try story.start("again", "PUT", "/v1/sessions/s/nodes/new", ["kind": "environment"])
        story.expectWaiting(2)
        #expect(!story.isAnswered)
        #expect(story.log.waitForHeld(1))
        #expect(story.log.heldBatches.first?.first?.entries.last?.kind == .tombstone)
        story.log.release()
        let answers = try story.answers()
        #expect(answers["delete"]?.status == 200)
        #expect(try answers["delete"]?.json["ended"]?["nodes"] != nil)
        #expect(answers["again"]?.status == 404)
        #expect(try story.fixture.client().get("/v1/sessions/s").status == 404)
    }

    /// A story whose every read is made from a snapshot.
    private static func atLength() throws -> Story {
        var limits = ServiceLimits()
        limits.inlineValuesMax = 0
        limits.inlineVisitsMax = 0
        limits.inlineHistoryBytesMax = 0
        return try Story(limits)
    }

    private static let resolve: JSON = ["under": "root", "traits": ["theme"]]

    /// The value of the leaf in an answer to that.
    private static func leaf(_ answer: HTTPResponse?) throws -> JSON? {
        try answer?.json["nodes"]?[1]?["traits"]?["theme"]
    }

    @Test("A long read has no byte before its revision is acknowledged")
    func longReadWaits() throws {
        let story = try Self.atLength()
        defer { story.finish() }
        try story.setTheme("write", 7)
        story.expectWaiting(1)
        try story.start("resolve", "POST", "/v1/sessions/s/resolve", Self.resolve)
        story.expectWaiting(2)
        try story.start("nodes", "GET", "/v1/sessions/s/nodes")
        story.expectWaiting(3)
        try story.start("history", "GET", "/v1/sessions/s/history")
        story.expectWaiting(4)
        #expect(try story.fixture.client().get("/livez").status == 200)
        #expect(!story.isAnswered)
        #expect(story.log.waitForHeld(1))
        story.log.releaseOldest()
        let answers = try story.answers()
        #expect(try Self.leaf(answers["resolve"]) == 7)
        for name in ["resolve", "nodes", "history"] {
            #expect(answers[name]?.status == 200)
            #expect(answers[name]?.revision == 2)
        }
    }

    @Test("A long read of a revision that the log did not take runs again on the one before")
    func longReadWithdrawn() throws {
        let story = try Self.atLength()
        defer { story.finish() }
        try story.setTheme("write", 7)
        story.expectWaiting(1)
        try story.start("resolve", "POST", "/v1/sessions/s/resolve", Self.resolve)
        story.expectWaiting(2)
        try story.start(
            "refused", "POST", "/v1/sessions/s/resolve", ["nodes": ["root", "lost"]])
        story.expectWaiting(3)
        try story.start("nodes", "GET", "/v1/sessions/s/nodes")
        story.expectWaiting(4)
        #expect(story.log.waitForHeld(1))
        story.failing.add(.refused(reason: "disk full"))
        story.log.release()
        let answers = try story.answers()
        #expect(answers["write"]?.status == 507)
        #expect(try Self.leaf(answers["resolve"]) == 0)
        #expect(answers["refused"]?.status == 422)
        #expect(try answers["nodes"]?.json["nodes"]?.array?.count == 2)
        for name in ["resolve", "refused", "nodes"] { #expect(answers[name]?.revision == 1) }
    }
}
