// The long poll: the same records, a page at a time.

import TestSupport
import Testing

@Suite("Long polls")
struct LongPollTests {
    @Test(
        "A poll that waits returns as soon as there is a commit",
        arguments: [
            "events", "registrations/cell/events", "nodes/cell0/events?traits=theme",
            "events?registrations=top,cell",
        ])
    func waiting(path: String) throws {
        let story = try StreamStory("waiting")
        let head = story.head
        // Makes the watch, which knows nothing from before it was made.
        let live = try story.session.stream(path)
        _ = try live.next()
        let answers = try concurrently(2) { role -> JSON in
            let session = try story.session.another()
            guard role == 0 else {
                return try session.override("theme", at: "scene", "bold").json
            }
            return try session.get(
                path + (path.contains("?") ? "&" : "?") + "wait=30s&from=\(head)"
            ).expecting(200).json
        }
        let records = try #require(answers[0]["records"]?.array)
        #expect(records.last?["revision"] == answers[1]["revision"])
        #expect(answers[0]["revision"] == answers[1]["revision"])
    }

    @Test("A poll does not return for what it does not follow")
    func filtered() throws {
        let story = try StreamStory("filtered")
        let answers = try concurrently(2) { role -> JSON in
            let session = try story.session.another()
            guard role == 0 else {
                try session.override("displayScale", at: "scene", 2)
                try session.override("containedInSettings", at: "scene", true)
                return try session.override("theme", at: "scene", "bold").json
            }
            return try session.get("registrations/cell/events?wait=30s&from=\(story.head)").json
        }
        let records = try #require(answers[0]["records"]?.array)
        try #require(records.count == 1)
        #expect(records[0]["revision"] == answers[1]["revision"])
    }

    @Test("When the time is up the page is empty and next still counts")
    func timeUp() throws {
        let story = try StreamStory("time")
        let page = try story.session.get("events?wait=1s&from=\(story.head)").expecting(200).json
        #expect(page["records"] == [])
        let commit = try story.session.override("theme", at: "scene", "bold").json
        let next = page["next"]?.string ?? ""
        let after = try story.session.get("events?wait=0&from=\(next)").expecting(200).json
        #expect(after["records"]?[0]?["revision"] == commit["revision"])
    }

    @Test("A page's revision is the last one wholly in it")
    func wholeRevisions() throws {
        let story = try StreamStory("whole")
        let records = try story.polled("events", from: "0", limit: 1_000)
        for limit in 1...max(1, records.count) {
            let page = try story.session.get("events?wait=0&from=0&limit=\(limit)").json
            let told = try #require(page["records"]?.array)
            #expect(told == Array(records.prefix(limit)))
            let whole = told.last { $0["last"] == true }?["revision"]
            if limit < records.count { #expect(page["revision"] == whole) }
        }
    }

    @Test("wait and limit that make no sense are refused")
    func malformed() throws {
        let session = try sampleSession("poll")
        for query in ["wait=-1", "wait=soon", "wait=99999999999s", "wait=0&limit=0", "wait="] {
            try expectProblem(try session.get("events?" + query), 400, "malformed-parameter")
        }
    }
}
