// The rules of the cache one by one; RandomScriptTests has them together.

import Testing

@testable import TraitClientCore

/// A cache that is fed with lines, and what it reported.
struct Fed {
    var cache: StreamCache
    private(set) var changes: [TraitChange] = []
    private(set) var last = StreamStep()

    init(cache: StreamCache = StreamCache()) { self.cache = cache }

    /// Opens a connection and feeds a first state: a.x = 1 and b.y = 2 at revision 5.
    static func make() throws -> Fed {
        var fed = Fed()
        #expect(fed.cache.connect() == nil)
        try fed.feed(
            begin(5), state(5, "a", "{\"x\":1}"), state(5, "b", "{\"y\":2}"),
            sync(5, digest: digest(["a": ["x": 1], "b": ["y": 2]])))
        #expect(fed.cache.isCurrent)
        return fed
    }

    mutating func feed(_ lines: String...) throws {
        for line in lines {
            last = cache.receive(try StreamRecord(line: line.utf8))
            changes += last.changes
        }
    }

    mutating func takeChanges() -> [String] {
        defer { changes = [] }
        return changes.map {
            "\($0.node).\($0.trait) \($0.previous?.description ?? "-") \($0.current?.description ?? "-") \($0.revision)"
        }
    }

    var shown: TraitValue {
        .object(
            TraitObject(
                cache.values.snapshot.map { node, traits in
                    (node, .object(TraitObject(traits.map { ($0.key, $0.value) })))
                }))
    }

    var isFault: Bool { if case .fault = last.connection { true } else { false } }
}

func digest(_ values: [String: [String: TraitValue]]) -> String {
    var sum: UInt64 = 0
    for (node, traits) in values {
        for (trait, value) in traits { sum &+= pairHash(node: node, trait: trait, value: value) }
    }
    return sum.digestText
}

func begin(_ revision: Int) -> String {
    "{\"type\":\"begin\",\"revision\":\(revision),\"token\":\"u.\(revision)\",\"heartbeatMs\":15000}"
}
func state(_ revision: Int, _ node: String, _ traits: String) -> String {
    "{\"type\":\"state\",\"revision\":\(revision),\"token\":\"u.\(revision)\",\"node\":\"\(node)\",\"traits\":\(traits)}"
}
func change(_ revision: Int, _ node: String, _ trait: String, _ value: String, part: Int = 0)
    -> String
{
    "{\"type\":\"change\",\"revision\":\(revision),\"token\":\"u.\(revision).\(part)\",\"node\":\"\(node)\",\"part\":\(part),"
        + "\"changes\":[{\"trait\":\"\(trait)\",\"previous\":null,\"current\":\(value)}]}"
}
func sync(_ revision: Int, digest: String?) -> String { mark("sync", revision, digest) }
func bookmark(_ revision: Int, digest: String?) -> String { mark("bookmark", revision, digest) }
func mark(_ type: String, _ revision: Int, _ digest: String?) -> String {
    "{\"type\":\"\(type)\",\"revision\":\(revision),\"token\":\"u.\(revision)\""
        + (digest.map { ",\"digest\":\"\($0)\"}" } ?? "}")
}
func plain(_ type: String, _ revision: Int, _ more: String = "") -> String {
    "{\"type\":\"\(type)\",\"revision\":\(revision),\"token\":\"other\"\(more)}"
}

@Suite struct StreamCacheTests {
    @Test("a cache that would hold too much is given up, in a first state and by changes")
    func tooLarge() throws {
        let long = "\"\(String(repeating: "v", count: 300))\""
        var fed = Fed(cache: StreamCache(bytesMax: 1000))
        _ = fed.cache.connect()
        try fed.feed(begin(5), state(5, "a", "{\"x\":\(long)}"), state(5, "b", "{\"x\":\(long)}"))
        #expect(fed.last.connection == .goOn)
        // The same pairs once more are no more bytes.
        for _ in 0..<10 {
            try fed.feed(state(5, "b", "{\"x\":\(long)}"), state(5, "b", "{\"x\":1}"))
        }
        #expect(fed.last.connection == .goOn)
        try fed.feed(sync(5, digest: nil), change(6, "c", "x", long))
        #expect(fed.last.connection == .goOn)
        try fed.feed(change(7, "d", "x", long))
        #expect(fed.last.connection == .tooLarge)
        _ = fed.cache.connect()
        try fed.feed(begin(5), state(5, "a", "{\"x\":\(long),\"y\":\(long),\"z\":\(long)}"))
        #expect(fed.last.connection == .tooLarge)
    }

    @Test("nothing is shown before the first sync, and no change is reported for the first state")
    func firstState() throws {
        var fed = Fed()
        _ = fed.cache.connect()
        try fed.feed(begin(5), state(5, "a", "{\"x\":1}"), change(6, "a", "x", "2"))
        #expect(fed.shown == [:])
        #expect(!fed.cache.isComplete && fed.cache.token == nil)
        try fed.feed(sync(6, digest: digest(["a": ["x": 2]])))
        #expect(fed.shown == ["a": ["x": 2]])
        #expect(fed.cache.isCurrent && fed.cache.token == "u.6" && fed.changes.isEmpty)
    }

    @Test("a change is reported once, with the value shown before")
    func changes() throws {
        var fed = try Fed.make()
        try fed.feed(
            change(6, "a", "x", "3"), change(7, "a", "x", "3.0"), change(8, "c", "z", "null"))
        #expect(fed.takeChanges() == ["a.x 1 3 6", "c.z - null 8"])
        #expect(fed.cache.revision == 8 && fed.cache.token == "u.8.0")
        try fed.feed(bookmark(8, digest: digest(["a": ["x": 3], "b": ["y": 2], "c": ["z": nil]])))
        #expect(!fed.isFault)
    }

    @Test("a record with the revision and the part of the one before does nothing")
    func duplicates() throws {
        var fed = try Fed.make()
        try fed.feed(
            change(6, "a", "x", "3", part: 0), change(6, "b", "y", "4", part: 1),
            change(6, "b", "y", "5", part: 1))
        #expect(fed.takeChanges() == ["a.x 1 3 6", "b.y 2 4 6"])
        #expect(fed.last.isRepeated)
    }

    @Test("a wrong digest forgets the token and keeps what is shown")
    func wrongDigest() throws {
        for type in ["bookmark", "sync"] {
            var fed = try Fed.make()
            try fed.feed(change(6, "a", "x", "3"), mark(type, 6, String(repeating: "0", count: 16)))
            #expect(fed.isFault && fed.cache.token == nil)
            #expect(fed.shown == ["a": ["x": 3], "b": ["y": 2]])
            #expect(fed.cache.connect() == nil)
            #expect(fed.cache.isComplete && !fed.cache.isCurrent)
        }
    }

    @Test("a missing digest agrees")
    func missingDigest() throws {
        var fed = try Fed.make()
        try fed.feed(bookmark(9, digest: nil))
        #expect(!fed.isFault && fed.cache.token == "u.9")
    }

    @Test("a state with a wrong digest is never shown")
    func wrongState() throws {
        var fed = try Fed.make()
        try fed.feed(plain("gap", 6), state(6, "a", "{\"x\":9}"), sync(6, digest: digest([:])))
        #expect(fed.isFault && fed.changes.isEmpty)
        #expect(fed.shown == ["a": ["x": 1], "b": ["y": 2]])
    }

    @Test(
        "a state read again replaces the shown one in one step, and only differences are reported")
    func secondState() throws {
        for type in ["reset", "gap"] {
            var fed = try Fed.make()
            try fed.feed(plain(type, 6), state(6, "c", "{\"z\":7}"))
            #expect(fed.cache.token == nil && !fed.cache.isCurrent)
            #expect(fed.shown == ["a": ["x": 1], "b": ["y": 2]])
            try fed.feed(
                state(6, "a", "{\"x\":8}"),
                sync(6, digest: digest(["a": ["x": 8], "c": ["z": 7]])))
            #expect(fed.takeChanges() == ["c.z - 7 6", "a.x 1 8 6", "b.y 2 - 6"])
            #expect(fed.shown == ["a": ["x": 8], "c": ["z": 7]])
            #expect(fed.cache.isCurrent && fed.cache.token == "u.6")
        }
    }

    @Test("half a state is dropped with its connection")
    func halfState() throws {
        var fed = try Fed.make()
        try fed.feed(plain("reset", 6), state(6, "a", "{\"x\":9}"))
        #expect(fed.cache.connect() == nil)
        let values: [String: [String: TraitValue]] = ["b": ["y": 3]]
        try fed.feed(begin(7), state(7, "b", "{\"y\":3}"), sync(7, digest: digest(values)))
        #expect(fed.shown == ["b": ["y": 3]])
        #expect(fed.takeChanges() == ["b.y 2 3 7", "a.x 1 - 7"])
    }

    @Test("begin of a connection that resumes keeps the cache; one without a token collects")
    func begins() throws {
        var fed = try Fed.make()
        #expect(fed.cache.connect() == "u.5")
        try fed.feed(begin(5))
        #expect(fed.cache.isCurrent)
        fed.cache.forgetToken()
        #expect(fed.cache.connect() == nil)
        #expect(!fed.cache.isCurrent)
        try fed.feed(begin(5))
        #expect(!fed.cache.isCurrent && fed.cache.token == nil)
    }

    @Test("a lost sync is made good by the digest of a bookmark, but not by a bookmark without one")
    func lostSync() throws {
        var fed = Fed()
        _ = fed.cache.connect()
        try fed.feed(begin(5), state(5, "a", "{\"x\":1}"), bookmark(5, digest: nil))
        #expect(!fed.cache.isComplete && fed.cache.token == nil)
        try fed.feed(bookmark(5, digest: digest(["a": ["x": 1]])))
        #expect(fed.cache.isCurrent && fed.cache.token == "u.5")
    }

    @Test("a lower revision is a fault, but in begin and reset")
    func wentBack() throws {
        var fed = try Fed.make()
        try fed.feed(change(4, "a", "x", "9"))
        #expect(fed.isFault && fed.changes.isEmpty && fed.cache.token == nil)
        #expect(fed.cache.revision == 5)
        fed = try Fed.make()
        try fed.feed(plain("reset", 1), state(1, "a", "{\"x\":0}"))
        #expect(!fed.isFault && fed.cache.revision == 5)
        try fed.feed(sync(1, digest: digest(["a": ["x": 0]])))
        #expect(!fed.isFault && fed.cache.revision == 1)
        fed = try Fed.make()
        #expect(fed.cache.connect() == "u.5")
        try fed.feed(begin(2))
        #expect(!fed.isFault && !fed.cache.isCurrent && fed.cache.token == nil)
    }

    @Test("tokens of begin, state, reset, gap and end are never used; those of unknown records are")
    func tokens() throws {
        var fed = try Fed.make()
        try fed.feed(plain("commit", 6), plain("invalidate", 7), plain("novelty", 8))
        #expect(fed.cache.token == "other" && fed.cache.revision == 8)
        try fed.feed("{\"type\":\"unheard\",\"token\":\"u.9\",\"news\":[1]}")
        #expect(fed.cache.token == "u.9" && fed.cache.revision == 8)
        let drain = ",\"reason\":\"drain\",\"resume\":true,\"retryAfterMs\":100"
        try fed.feed(plain("end", 8, drain))
        #expect(fed.cache.token == "u.9")
        guard case .end(let end) = fed.last.connection else {
            Issue.record("no end")
            return
        }
        #expect(!end.isFinal && end.retryAfterMilliseconds == 100)
        try fed.feed(plain("end", 8, ",\"reason\":\"nodeDeleted\",\"resume\":false"))
        #expect(fed.cache.token == nil)
    }

    @Test("which ends are final")
    func ends() throws {
        for (reason, isFinal) in [
            ("drain", false), ("timeout", false), ("slowConsumer", false), ("limit", false),
            ("error", false), ("other", false), ("sessionDeleted", true), ("nodeDeleted", true),
            ("registrationRemoved", true), ("revoked", true),
        ] {
            let record = try StreamRecord(line: plain("end", 1, ",\"reason\":\"\(reason)\"").utf8)
            guard case .end(let end) = record.contents else {
                Issue.record("no end")
                continue
            }
            #expect(end.isFinal == isFinal)
        }
    }

    @Test("a state that nothing announced is collected, and forgets the token")
    func unannounced() throws {
        var fed = try Fed.make()
        #expect(fed.cache.connect() == "u.5")
        try fed.feed(begin(6), state(6, "a", "{\"x\":4}"))
        #expect(fed.shown == ["a": ["x": 1], "b": ["y": 2]])
        #expect(fed.cache.token == nil && !fed.cache.isCurrent && fed.cache.revision == 5)
        try fed.feed(sync(6, digest: digest(["a": ["x": 4]])))
        #expect(fed.takeChanges() == ["a.x 1 4 6", "b.y 2 - 6"])
        #expect(fed.cache.token == "u.6" && fed.cache.revision == 6)
        let error = #expect(throws: MalformedRecord.self) {
            try StreamRecord(line: plain("state", 6).utf8)
        }
        #expect(error?.type == "state")
    }

    @Test("an integer that a double cannot hold is replaced without a report")
    func equalDoubles() throws {
        var fed = try Fed.make()
        try fed.feed(
            change(6, "a", "x", "9007199254740992"), change(7, "a", "x", "9007199254740993"))
        #expect(fed.takeChanges() == ["a.x 1 9007199254740992 6"])
        #expect(fed.cache.values.value("x", at: "a")?.integer == 9_007_199_254_740_993)
    }

    @Test(
        "a line that is no record is refused",
        arguments: [
            "", "{", "[]", "{}", "{\"type\":1}", "{\"type\":\"change\"}",
            "{\"type\":\"sync\",\"token\":\"a\"}",
            "{\"type\":\"state\",\"revision\":1,\"node\":\"a\"}",
            "{\"type\":\"change\",\"revision\":1,\"node\":\"a\",\"changes\":[1]}",
            "{\"type\":\"change\",\"revision\":1,\"node\":\"a\",\"changes\":[{\"trait\":\"x\"}]}",
            "{\"type\":\"bookmark\",\"revision\":1,\"digest\":5}",
            "{\"type\":\"end\",\"revision\":1}",
            "{\"type\":\"begin\",\"revision\":\"1\"}",
        ])
    func malformed(_ line: String) {
        #expect(throws: MalformedRecord.self) { try StreamRecord(line: line.utf8) }
    }

    @Test(
        "a stream of records resumes from begin, reports a record once, and forgets a token that cannot resume"
    )
    func records() throws {
        var position = RecordPosition()
        #expect(position.connect() == nil)
        _ = position.receive(try StreamRecord(line: begin(5).utf8))
        #expect(position.connect() == "u.5")
        let commit = try StreamRecord(line: plain("commit", 6, ",\"part\":0").utf8)
        #expect(!position.receive(commit).isRepeated)
        #expect(position.receive(commit).isRepeated)
        #expect(position.token == "other" && position.revision == 6)
        let lower = position.receive(try StreamRecord(line: plain("commit", 3).utf8))
        guard case .fault = lower.connection else {
            Issue.record("no fault")
            return
        }
        #expect(position.token == nil)
    }
}
