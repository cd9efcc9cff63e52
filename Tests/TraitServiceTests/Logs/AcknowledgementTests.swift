// A commit becomes visible only when its log has acknowledged it: answers, other readers and
// streams wait, and what was not kept is taken back whole.

import Foundation
import TestSupport
import Testing

@testable import SessionLog
@testable import TraitService

@Suite(.timeLimit(.minutes(1)))
struct AcknowledgementTests {
    private enum Event: Sendable {
        case appended
        case answered(String, HTTPResponse)
    }

    /// A service whose log waits, with a session of three nodes that was acknowledged at once.
    private final class Story: Sendable {
        let events = Mailbox<Event, Never>()
        let log: ScriptedLog
        let fixture: ServiceFixture
        let deadline = Deadline(within: .seconds(30))

        init() throws {
            let events = events
            log = ScriptedLog { events.put(.appended) }
            fixture = try ServiceFixture.make(log: log)
            log.answer(at: .appended)
            let client = try fixture.client()
            let created = try client.send(
                "PUT", "/v1/sessions/s",
                json: [
                    "traits": ["theme": ["type": "int", "default": 0]],
                    "nodes": [
                        ["id": "root", "kind": "environment"],
                        ["id": "leaf", "kind": "environment", "parent": "root"],
                    ],
                ])
            try #require(created.status == 201)
            log.answer(at: nil)
        }

        /// Sends a request on a thread of its own; its answer arrives as an event.
        func start(_ name: String, _ method: String, _ target: String, _ json: JSON? = nil) throws {
            let client = try fixture.client()
            let events = events
            Thread.detachNewThread {
                if let answer = try? client.send(method, target, json: json) {
                    events.put(.answered(name, answer))
                }
            }
        }

        func next(_ what: String) throws -> Event {
            switch try events.take(before: deadline, what) {
            case .element(let event): return event
            }
        }

        func expectAppend() throws {
            guard case .appended = try next("an append") else {
                Issue.record("an answer came before its commit was acknowledged")
                return
            }
        }

        func answers(_ count: Int) throws -> [String: HTTPResponse] {
            var answers: [String: HTTPResponse] = [:]
            while answers.count < count {
                if case .answered(let name, let answer) = try next("answer \(answers.count)") {
                    answers[name] = answer
                }
            }
            return answers
        }

        /// Waits until so many answers are held back: they saw what is not acknowledged yet.
        func expectHeld(_ count: Int) throws {
            let session = try #require(fixture.service.registry.find("s"))
            while session.locked({ session.waiting.count }) < count {
                if deadline.hasPassed { throw TimedOut("\(count) held answers") }
                sched_yield()
            }
        }

        func setTheme(_ name: String, _ value: Int64) throws {
            try start(
                name, "PUT", "/v1/sessions/s/nodes/root/overrides/theme",
                ["value": .int(value)])
            try expectAppend()
        }
    }

    @Test("A write and a read that saw it are answered only after the log has acknowledged it")
    func answersWait() throws {
        let story = try Story()
        defer { story.fixture.stop() }
        try story.setTheme("write", 7)
        try story.start("read", "GET", "/v1/sessions/s/nodes/leaf/traits/theme")
        try story.expectHeld(2)
        // A request that shows nothing of the session is not held up.
        let other = try story.fixture.client().get("/livez")
        #expect(other.status == 200)
        #expect(story.events.pending.isEmpty)
        story.log.decide(.appended, keep: true)
        let answers = try story.answers(2)
        #expect(answers["write"]?.status == 200)
        #expect(try answers["write"]?.json["revision"] == 2)
        #expect(try answers["read"]?.json["value"] == 7)
        #expect(try answers["read"]?.json["revision"] == 2)
    }

    @Test("Commits pile up and are released in order, each by its own acknowledgement")
    func pile() throws {
        let story = try Story()
        defer { story.fixture.stop() }
        try story.setTheme("one", 1)
        try story.setTheme("two", 2)
        try story.setTheme("three", 3)
        for (name, revision) in [("one", 2), ("two", 3), ("three", 4)] as [(String, Int64)] {
            story.log.decide(.appended, keep: true)
            let answer = try story.answers(1)
            #expect(try answer[name]?.json["revision"] == .int(revision))
        }
    }

    @Test(
        "What the log did not keep is taken back with all that came after, and the next write works",
        arguments: [
            (AppendResult.refused(reason: "disk full"), 507, "storage-full"),
            (.conflict(head: 9), 503, "log-unavailable"),
            (.unknown(reason: "flush failed"), 503, "log-unavailable"),
        ])
    func withdrawn(_ result: AppendResult, _ status: Int, _ code: String) throws {
        let story = try Story()
        defer { story.fixture.stop() }
        try story.setTheme("one", 1)
        try story.setTheme("two", 2)
        try story.start("read", "GET", "/v1/sessions/s/nodes/leaf/traits/theme")
        try story.expectHeld(3)
        story.log.decide(result, keep: false)
        let answers = try story.answers(3)
        for name in ["one", "two", "read"] {
            #expect(answers[name]?.status == status, "\(name)")
            #expect(try answers[name]?.json["code"] == .string(code), "\(name)")
        }
        // The second append was on its way to a head that never came.
        story.log.decide(.appended, keep: true)
        story.log.answer(at: .appended)
        let client = try story.fixture.client()
        let read = try client.get("/v1/sessions/s/nodes/leaf/traits/theme")
        #expect(try read.json["value"] == 0)
        #expect(try read.json["revision"] == 1)
        let write = try client.send(
            "PUT", "/v1/sessions/s/nodes/root/overrides/theme", json: ["value": 5])
        #expect(write.status == 200)
        #expect(try write.json["revision"] == 2)
    }

    @Test("An append whose fate is unknown counts when the log's head says so")
    func unknownButKept() throws {
        let story = try Story()
        defer { story.fixture.stop() }
        try story.setTheme("write", 7)
        story.log.decide(.unknown(reason: "timeout"), keep: true)
        let answers = try story.answers(1)
        #expect(answers["write"]?.status == 200)
        #expect(try answers["write"]?.json["revision"] == 2)
    }

    @Test("A log that refuses at once leaves nothing behind")
    func refusedAtOnce() throws {
        let story = try Story()
        defer { story.fixture.stop() }
        story.log.answer(at: .refused(reason: "disk full"))
        let client = try story.fixture.client()
        let define = try client.send(
            "PUT", "/v1/sessions/s/traits/extra", json: ["type": "bool", "default": false])
        #expect(define.status == 507)
        let register = try client.send(
            "PUT", "/v1/sessions/s/registrations/r", json: ["node": "leaf", "traits": ["theme"]])
        #expect(register.status == 507)
        #expect(try client.get("/v1/sessions/s/traits/extra").status == 404)
        #expect(try client.get("/v1/sessions/s/registrations/r").status == 404)
        #expect(try client.send("PUT", "/v1/sessions/new", json: [:]).status == 507)
        #expect(try client.get("/v1/sessions/new").status == 404)
        #expect(try client.get("/v1/sessions/s").json["revision"] == 1)
    }

    @Test("A session whose creation was not kept never was")
    func creationWithdrawn() throws {
        let story = try Story()
        defer { story.fixture.stop() }
        try story.start("create", "PUT", "/v1/sessions/new", [:])
        try story.expectAppend()
        story.log.decide(.refused(reason: "disk full"), keep: false)
        #expect(try story.answers(1)["create"]?.status == 507)
        #expect(try story.fixture.client().get("/v1/sessions/new").status == 404)
    }

    @Test("Streams show acknowledged commits only")
    func streams() throws {
        let story = try Story()
        defer { story.fixture.stop() }
        try story.setTheme("one", 1)
        let client = try story.fixture.client()
        let before = try client.get("/v1/sessions/s/events?from=0&wait=0")
        #expect(try before.json["revision"] == 1)
        story.log.decide(.refused(reason: "disk full"), keep: false)
        _ = try story.answers(1)
        try story.setTheme("two", 2)
        story.log.decide(.appended, keep: true)
        _ = try story.answers(1)
        let after = try client.get("/v1/sessions/s/events?from=1&wait=0&operations=true")
        let records = try #require(try after.json["records"]?.array)
        #expect(records.count == 1)
        #expect(records.first?["operations"]?[0]?["value"] == 2)
    }
}
