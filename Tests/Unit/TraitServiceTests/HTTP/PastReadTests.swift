// Reads of a session as it was: the same bytes as when it was the present.

import SessionViews
import TestSupport
import Testing
import TraitService
import TraitSessions

@Suite("Reading the past")
struct PastReadTests {
    /// Reads of the sample session that do not take `Accept` into account.
    private static let reads = [
        "nodes", "nodes?pageSize=2", "nodes/scene", "nodes/cell0/traits",
        "nodes/cell0/traits/theme",
        "nodes/cell0/traits/theme?explain=true", "nodes/scene/overrides", "nodes/scene/supplied",
        "nodes/cell0/environment", "nodes/cell0/scopes", "registrations", "traits",
        "environmentKeys", "colors", "images", "export", "nodes/cell0/compare?with=scene",
        "nodes/cell0/tokens", "nodes/cell0/tokens/input",
    ]

    private static func past(_ rest: String, _ revision: Int64) -> String {
        rest + (rest.contains("?") ? "&" : "?") + "revision=\(revision)"
    }

    /// The body without what the query changes: the link to the next page is a header.
    private static func sample(_ service: InProcessService) throws -> SessionClient {
        let session = try SessionClient.sample("past", cells: 3, on: service.url)
        try session.put("registrations/r", ["node": "cell0", "traits": ["theme"]])
        return session
    }

    @Test("Each read answers as it did when the revision was the newest")
    func answersAsBefore() throws {
        let service = try InProcessService()
        let session = try Self.sample(service)
        var remembered: [(revision: Int64, bodies: [[UInt8]])] = []
        for round in 0..<12 {
            try session.override("displayScale", at: "scene", .int(Int64(round + 1)))
            if round == 4 { try session.delete("nodes/cell1") }
            if round == 6 { try session.override("theme", at: "scene", "bold") }
            let bodies = try Self.reads.map { try session.get($0).body }
            remembered.append((try session.revision(), bodies))
        }
        for (revision, bodies) in remembered {
            for (rest, body) in zip(Self.reads, bodies) {
                let answer = try session.get(Self.past(rest, revision))
                #expect(answer.status == 200, "\(rest)")
                #expect(answer.body == body, "\(rest) at \(revision)")
                #expect(answer.revision == revision, "\(rest)")
                // No address has the uid: another session may have it next.
                #expect(answer[header: "Cache-Control"] == nil, "\(rest)")
                #expect(answer[header: "ETag"]?.contains(".\(revision)-") ?? false, "\(rest)")
            }
        }
        #expect(service.service.store.past.count <= 12)
    }

    @Test("Resolving takes a revision in the query, and 304 needs no body")
    func resolves() throws {
        let service = try InProcessService()
        let session = try Self.sample(service)
        let body: JSON = ["under": "scene", "traits": ["displayScale"]]
        let before = try session.send("POST", "resolve", body)
        let revision = try session.revision()
        try session.override("displayScale", at: "scene", .int(3))
        let past = try session.send("POST", "resolve?revision=\(revision)", body)
        #expect(past.body == before.body)
        #expect(past.revision == revision)
        let first = try session.get("nodes/scene/traits?revision=\(revision)")
        let tag = try #require(first[header: "ETag"])
        let again = try session.send(
            "GET", "nodes/scene/traits?revision=\(revision)",
            fields: [HTTPField("If-None-Match", tag)])
        #expect(again.status == 304)
    }

    @Test("Windows of rows show the nodes and values of the revision")
    func showsRows() throws {
        let service = try InProcessService()
        let session = try Self.sample(service)
        let bodies: [JSON] = [
            ["from": 0], ["at": "cell1", "count": 2],
            ["find": ["overriding": "theme"], "only": true],
        ]
        let before = try bodies.map { try session.send("POST", "rows", $0).body }
        let revision = try session.revision()
        try session.override("theme", at: "cell0", "bold")
        try session.delete("nodes/cell1")
        for _ in 0..<2 {
            for (body, before) in zip(bodies, before) {
                let past = try session.send("POST", "rows?revision=\(revision)", body)
                #expect(past.status == 200)
                #expect(past.body == before)
                #expect(past.revision == revision)
            }
        }
        let now = try session.send("POST", "rows", ["at": "cell1"])
        #expect(now.status == 404)
        let lost = try session.send("POST", "rows?revision=\(revision)", ["at": "lost"])
        #expect(lost.status == 404 && lost.revision == revision)
    }

    @Test("A comparison with the present says what changed since")
    func comparesWithPresent() throws {
        let service = try InProcessService()
        let session = try Self.sample(service)
        let revision = try session.revision()
        try session.override("theme", at: "scene", "bold")
        let now = try session.get("compare?with=.").json
        #expect(now["operations"] == [])
        let since = try session.get("compare?revision=\(revision)&with=.")
        #expect(since.status == 200)
        #expect(since.text.contains(#""op":"removeOverride""#))
    }

    @Test("A time means the newest revision at or before it")
    func times() throws {
        let service = try InProcessService()
        let session = try Self.sample(service)
        try session.override("displayScale", at: "scene", .int(2))
        let commits = try #require(session.get("history").json["commits"]?.array)
        for commit in commits {
            let time = try #require(commit["time"]?.string)
            let answer = try session.get("nodes?at=\(time)")
            #expect(answer.status == 200)
            // Several commits may have the same millisecond.
            let newest = commits.filter { $0["time"]?.string ?? "" <= time }
                .compactMap { $0["revision"]?.int }.max()
            #expect(answer.revision == newest)
            #expect(answer[header: "Cache-Control"] == nil, "another commit may get this time")
        }
        #expect(
            try session.get("nodes?at=2999-01-01T00:00:00%2B01:00").revision == session.revision())
        #expect(
            try session.get("nodes?at=2999-01-01T00:00:00Z")[header: "Cache-Control"] == nil,
            "later commits may come before this time")
        let oldest = try #require(commits.last?["time"]?.string)
        for time in [
            "2001-01-01T00:00:00Z", "1970-01-01T00:00:00%2B14:00", "1969-12-31T23:59:59.999Z",
            "1600-02-29T00:00:00Z", "0000-01-01T00:00:00Z",
        ] {
            let gone = try expectProblem(session.get("nodes?at=\(time)"), 410, "history-gone")
            #expect(gone["oldestRevision"] == 1 && gone["oldestTime"]?.string == oldest)
        }
        for time in ["1900-02-29T00:00:00Z", "1969-13-01T00:00:00Z", "196a-01-01T00:00:00Z"] {
            _ = try expectProblem(session.get("nodes?at=\(time)"), 400, "malformed-parameter")
        }
    }

    @Test("Revisions that are not there, and malformed ones, are refused with what to do")
    func refusals() throws {
        let service = try InProcessService()
        let session = try Self.sample(service)
        let head = try session.revision()
        let ahead = try expectProblem(
            session.get("nodes?revision=\(head + 1)"), 409, "revision-ahead")
        #expect(ahead["currentRevision"]?.int == head)
        for bad in [
            "revision=x", "revision=0", "revision=-1", "at=2026-01-01", "at=2026-01-01T00:00:00",
            "revision=1&at=2026-01-01T00:00:00Z", "at=2026-13-01T00:00:00Z", "revision=",
        ] {
            _ = try expectProblem(session.get("nodes?\(bad)"), 400, "malformed-parameter")
        }
        _ = try expectProblem(
            session.send("PUT", "nodes/scene/overrides/theme?revision=1", ["value": "bold"]), 400,
            "unknown-parameter")
        _ = try expectProblem(session.get("events?revision=1&wait=0"), 400, "unknown-parameter")
        let unknown = try session.get("nodes/lost?revision=1")
        #expect(unknown.status == 404 && unknown.revision == 1)
    }

    @Test(
        "A window that has moved on leaves what a base can rebuild, and names the oldest revision")
    func movedOn() throws {
        var limits = ServiceLimits()
        limits.retainedCommitsMax = 20
        let service = try InProcessService(limits: limits)
        let session = try Self.sample(service)
        for round in 0..<60 {
            try session.override("displayScale", at: "scene", .int(Int64(round + 1)))
        }
        let gone = try expectProblem(session.get("nodes?revision=1"), 410, "history-gone")
        let oldest = try #require(gone["oldestRevision"]?.int)
        let head = try session.revision()
        #expect(oldest <= head)
        #expect(gone["oldestTime"]?.string != nil)
        #expect(try session.get("nodes?revision=\(oldest)").revision == oldest)
        #expect(try session.get("nodes?revision=\(head)").status == 200)
    }

    @Test("Many readers of one revision share one rebuild")
    func shares() throws {
        let service = try InProcessService()
        let session = try Self.sample(service)
        for round in 0..<200 {
            try session.override("displayScale", at: "scene", .int(Int64(round + 1)))
        }
        let expected = try session.get("nodes/scene/traits?revision=100").body
        _ = service.service.store.past.removeAll()
        _ = try concurrently(8) { _ in
            for _ in 0..<20 {
                let answer = try session.get("nodes/scene/traits?revision=100")
                #expect(answer.body == expected)
            }
        }
        #expect(service.service.store.past.count == 1)
    }

    @Test("A past that is too large gets 507, and older ones make room for new ones")
    func limited() throws {
        var limits = ServiceLimits()
        limits.pastBytesMax = 60_000
        let service = try InProcessService(limits: limits)
        let session = try Self.sample(service)
        for round in 0..<30 {
            try session.override("displayScale", at: "scene", .int(Int64(round + 1)))
        }
        for revision in 1...20 {
            #expect(try session.get("nodes?revision=\(revision)").status == 200)
        }
        #expect(service.service.store.past.count < 10)
        let large = try SessionClient.sample("large", on: service.url)
        for number in 0..<2_000 {
            try large.put("nodes/extra\(number)", ["kind": "view", "parent": "list"])
        }
        let problem = try expectProblem(large.get("nodes?revision=1990"), 507, "memory-full")
        #expect(problem["limit"]?.string == "pastBytesMax=60000")
    }
}
