// Where a stream starts, and the positions that are refused before the first byte of the body.

import TestSupport
import Testing

@Suite("Where a stream starts")
struct StreamStartTests {
    @Test("0 and start are before the first commit, a revision is after it, now is the head")
    func positions() throws {
        let story = try StreamStory("positions")
        func commits(_ from: String) throws -> [Int64] {
            try story.records("events", from: from).filter { $0.type == "commit" }
                .compactMap(\.revision)
        }
        #expect(try commits("0") == revisions(after: 0, through: story.head))
        #expect(try commits("start") == revisions(after: 0, through: story.head))
        #expect(try commits("\(story.start)") == revisions(after: story.start, through: story.head))
        #expect(try commits("\(story.head - 1)") == [story.head])

        for path in ["events", "events?from=now"] {
            let head = try story.session.revision()
            let stream = try story.session.stream(path)
            #expect(try stream.next().revision == head)
            let revision = try story.session.override("theme", at: "scene", "bold").json["revision"]
            #expect(try stream.next().json["revision"] == revision)
            try story.session.removeOverride("theme", at: "scene")
        }
    }

    @Test("Values and changes join without a gap while a writer writes")
    func initialJoins() throws {
        let session = try sampleSession("joins")
        let themes: [JSON] = ["pastel", "bold", "monochrome", "standard"]
        let rounds = 60
        let told = try concurrently(2) { role -> [JSON] in
            let own = try session.another()
            guard role == 1 else {
                for round in 0..<rounds {
                    try own.override("theme", at: "scene", themes[round % 4])
                }
                return []
            }
            var seen: [JSON] = []
            for _ in 0..<10 {
                let stream = try own.stream("nodes/cell0/events?traits=theme&initial=true")
                let records = try stream.collect { $0.type == "sync" }
                if let state = records.first(where: { $0.type == "state" }) {
                    seen.append(state.json)
                }
                stream.close()
            }
            return seen
        }
        // What a state record says is what the history says of its revision.
        let history = try session.get("events?from=0&wait=0&limit=1000&operations=true").json
        let revisions = (history["records"]?.array ?? []).compactMap { $0["revision"]?.int }
        let first = try #require(revisions.dropLast(rounds).last)
        #expect(told[1].count == 10)
        for state in told[1] {
            let revision = try #require(state["revision"]?.int)
            let count = Int(revision - first)
            let expected = count == 0 ? "standard" : themes[(count - 1) % 4]
            #expect(state["traits"]?["theme"] == expected)
        }
    }

    @Test("Positions that cannot be are refused by name")
    func refused() throws {
        let story = try StreamStory("refused")
        let session = story.session
        func refusal(_ path: String) throws -> HTTPResponse { try session.get(path) }

        let ahead = try refusal("events?from=\(story.head + 1)")
        try expectProblem(ahead, 409, "revision-ahead")
        let uid = try session.get("").json["uid"]?.string ?? ""
        try expectProblem(
            refusal("events?from=\(uid).\(story.head + 7)"), 409, "revision-ahead")
        let other = uid == "aaaaaaaaaaaa" ? "bbbbbbbbbbbb" : "aaaaaaaaaaaa"
        try expectProblem(refusal("events?from=\(other).1"), 410, "session-replaced")
        for token in ["-1", "x", "\(uid)", "\(uid).", "\(uid).1.", "\(uid).1.2", "1.5", "", "%00"] {
            try expectProblem(refusal("events?from=\(token)"), 400, "malformed-token")
        }
        try expectProblem(
            refusal("events?from=99999999999999999999"), 400, "malformed-token")
    }

    @Test("A token from inside a revision belongs to its filter")
    func otherFilter() throws {
        let story = try StreamStory("filter")
        let inside = try #require(
            story.records("events", from: "0").first { $0.json["last"] == false })
        for path in ["events?registrations=top", "registrations/top/events"] {
            let query = path + (path.contains("?") ? "&" : "?") + "from=\(inside.token)"
            try expectProblem(try story.session.get(query), 400, "token-mismatch")
        }
        // A token at the end of a revision is a position of the session, whatever the filter.
        let end = try #require(
            story.records("events", from: "0").first { $0.json["last"] == true })
        _ = try story.session.stream("registrations/top/events?from=\(end.token)").next()
    }
}
