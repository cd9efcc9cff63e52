// One stream for many watches and registrations, for a subtree, with collections, and compressed.

import TestSupport
import Testing

@Suite("Streams of many")
struct ManyWatchesStreamTests {
    @Test("Watches and registrations come in one stream, in one order, alike by GET and by POST")
    func mixed() throws {
        let session = try sampleSession("mixed")
        try session.put("registrations/r", ["node": "list", "traits": ["theme"]])
        let url = "events?watch=cell0:theme&registrations=r&watch=scene:com.myapp.theme"
        let body: JSON = [
            "watches": [
                ["node": "cell0", "traits": ["theme"]], ["node": "scene", "traits": ["theme"]],
            ],
            "registrations": ["r"],
        ]
        let streams = [
            try session.stream(url),
            try EventStream(
                session.url("events"), method: "POST",
                fields: [HTTPField("Content-Type", "application/json")], body: body.bytes),
        ]
        let begins = try streams.map { try $0.next().json }
        for begin in begins {
            #expect(begin["registrations"] == ["r"])
            #expect(begin["watches"]?.array?.map { $0["node"] } == ["cell0", "scene"])
        }
        let revision = try session.override("theme", at: "scene", "bold").json["revision"]
        let records = try streams.map { try $0.next(3) }
        #expect(records[0].map(\.text) == records[1].map(\.text))
        // An ancestor comes before its descendants.
        #expect(records[0].map { $0.json["node"] } == ["scene", "list", "cell0"])
        #expect(records[0].map { $0.json["registration"] } == [nil, "r", nil])
        #expect(records[0].map { $0.json["part"] } == [0, 1, 2])
        #expect(records[0].allSatisfy { $0.json["revision"] == revision })
    }

    @Test("Parameters that contradict each other are refused with the code of the fault")
    func refused() throws {
        let session = try sampleSession("refused")
        func refuse(_ query: String, _ status: Int, _ code: String) throws {
            try expectProblem(try session.get("events?" + query), status, code)
        }
        try refuse("watch=cell0", 400, "malformed-parameter")
        try refuse("watch=cell0:", 422, "unknown-trait")
        try refuse("watch=cell0:theem", 422, "unknown-trait")
        try refuse("watch=lost:theme", 404, "unknown-node")
        try refuse("subtree=lost", 404, "unknown-node")
        try refuse("subtree=list&watch=cell0:theme", 400, "malformed-parameter")
        try refuse("subtree=list&subtree=cell0", 400, "repeated-parameter")
        try refuse("operations=true&watch=cell0:theme", 400, "malformed-parameter")
        try refuse("overflow=drop", 400, "malformed-parameter")
        try refuse("overflow=coalesce&wait=0", 400, "malformed-parameter")
        try refuse("compress=gzip&wait=0", 400, "malformed-parameter")
        try refuse("compress=br", 400, "malformed-parameter")
        let many = (0..<101).map { _ in "watch=cell0:theme" }.joined(separator: "&")
        try refuse(many, 400, "malformed-parameter")
        for (body, status, code) in [
            (JSON.object([:]), 400, "missing-member"),
            (["watches": [["node": "cell0"]]], 400, "missing-member"),
            (["watches": [["node": "cell0", "traits": []]]], 422, "empty-trait-list"),
            (["watches": [["node": "lost", "traits": ["theme"]]]], 422, "unknown-node"),
            (["watches": 1], 400, "malformed-body"),
            (["watch": []], 400, "unknown-member"),
            (["registrations": ["lost"]], 404, "unknown-registration"),
        ] as [(JSON, Int, String)] {
            let answer = try session.send(
                "POST", "events", body, fields: [HTTPField("Accept", "*/*")])
            try expectProblem(answer, status, code)
        }
        let wrong = try session.send(
            "POST", "events", ["watches": [["node": 1, "traits": ["theme"]]]],
            fields: [HTTPField("Accept", "*/*")])
        let problem = try expectProblem(wrong, 400, "malformed-body")
        #expect(problem["pointer"] == "/watches/0/node")
    }

    @Test("A watch or registration that is deleted and made again comes back to the stream")
    func returns() throws {
        let session = try sampleSession("returns", cells: 2)
        func define(_ trait: String, _ type: String, _ value: JSON) throws {
            try session.put("traits/\(trait)", ["type": .string(type), "default": value])
        }
        try define("one", "int", 1)
        try define("two", "int", 2)
        try session.put("registrations/r", ["node": "list", "traits": ["theme"]])
        let members = "watch=scene:theme&watch=cell0:one&watch=cell1:two&registrations=r"
        let stream = try session.stream("events?\(members)&initial=true")
        let plain = try session.stream("events?\(members)")
        _ = try plain.next()
        var cache = StreamCache()
        func takeState(because reason: String?) throws {
            let records = try stream.collect { $0.type == "sync" }
            #expect(records.first { $0.type == "reset" }?.json["reason"]?.string == reason)
            for record in records { try cache.take(record) }
        }
        func nodes() -> Set<String> { Set(cache.values.keys.map(\.node)) }
        try takeState(because: nil)
        #expect(nodes() == ["scene", "list", "cell0", "cell1"])

        try session.delete("traits/one")
        try takeState(because: "setChanged")
        try session.delete("traits/two")
        try takeState(because: "setChanged")
        try session.delete("registrations/r")
        try takeState(because: "setChanged")
        #expect(nodes() == ["scene"])
        // One comes back while others are absent, with values of its new type.
        try define("one", "string", "a")
        try takeState(because: "setChanged")
        #expect(nodes() == ["scene", "cell0"])
        try session.override("one", at: "cell0", "b")
        for stream in [stream, plain] { #expect(try stream.next().json["node"] == "cell0") }
        try session.put("registrations/r", ["node": "list", "traits": ["theme"]])
        try takeState(because: "setChanged")
        try define("two", "int", 2)
        try takeState(because: "setChanged")
        #expect(nodes() == ["scene", "list", "cell0", "cell1"])
        try session.override("two", at: "scene", 3)
        for stream in [stream, plain] { #expect(try stream.next().json["node"] == "cell1") }

        // In one transaction; nodes as well.
        try session.transaction([
            .removeOverride("two", at: "scene"),
            ["op": "deleteTrait", "trait": "two"],
            .defineTrait("two", ["type": "int", "default": 7]),
            .deleteNode("cell0"),
            .createNode("cell0", "view", in: "list"),
        ])
        try takeState(because: "setChanged")
        #expect(nodes() == ["scene", "list", "cell0", "cell1"])
        try session.transaction([
            .setOverride("one", at: "cell0", "c"), .setOverride("two", at: "cell1", 8),
        ])
        for stream in [stream, plain] {
            #expect(Set(try stream.next(2).map { $0.json["node"] }) == ["cell0", "cell1"])
        }

        // A stream that opens now shares the feed, and the deletion of the session ends all of them.
        let late = try session.stream("events?\(members)")
        _ = try late.next()
        try session.delete("registrations/r")
        try takeState(because: "setChanged")
        try session.delete("")
        for stream in [stream, plain, late] {
            #expect(try stream.next().reason == "sessionDeleted")
        }
    }

    @Test("Compressed, each record can be read as soon as it is sent")
    func compressed() throws {
        let session = try sampleSession("compressed")
        let plain = try session.stream("events?watch=cell0:theme&initial=true")
        let packed = try session.stream("events?watch=cell0:theme&initial=true&compress=gzip")
        #expect(packed.head["Content-Encoding"] == "gzip")
        #expect(plain.head["Content-Encoding"] == nil)
        let begun = try plain.collect { $0.type == "sync" }
        #expect(try packed.collect { $0.type == "sync" }.map(\.text) == begun.map(\.text))
        for theme in ["bold", "pastel", "monochrome"] {
            try session.override("theme", at: "scene", .string(theme))
            #expect(try packed.next().text == plain.next().text)
        }
        try session.delete("")
        let (records, ending) = try packed.rest()
        #expect(records.map(\.reason) == ["sessionDeleted"])
        #expect(ending == .complete)
    }
}
