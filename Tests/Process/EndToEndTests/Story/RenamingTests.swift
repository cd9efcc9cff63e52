// New names over the wire: the route and the operations, and the streams that go on under the new name.

import TestSupport
import Testing

@Suite("New names and copies in a session")
struct RenamingTests {
    @Test("PATCH gives a node another name, and a clash says which name is taken")
    func route() throws {
        let session = try sampleSession("names", cells: 2)
        try session.override("theme", at: "cell0", "bold")
        try session.send("PATCH", "nodes/cell0", ["id": "cell9", "label": "last"]).success()
        let node = try session.get("nodes/cell9").expecting(200).json
        #expect(node["label"] == "last" && node["overrides"]?["theme"] == "bold")
        try expectProblem(try session.get("nodes/cell0"), 404, "unknown-node")
        let taken = try expectProblem(
            try session.send("PATCH", "nodes/cell9", ["id": "cell1"]), 409, "exists")
        #expect(taken["pointer"] == "/id" && taken["names"] == ["cell1"])
        try expectProblem(
            try session.send("PATCH", "nodes/cell9", ["id": 5]), 400, "malformed-body")
        try expectProblem(
            try session.send("PATCH", "nodes/cell9", ["id": "a b"]), 400, "malformed-identifier")
        let same = try session.send("PATCH", "nodes/cell9", ["id": "cell9"]).success()
        #expect(try same.json["unchanged"] == true)
        let clash = try session.send(
            "POST", "transactions",
            ["operations": [["op": "copyNode", "node": "list", "prefix": ["list", "cell"]]]])
        let problem = try expectProblem(clash, 409, "exists")
        #expect(problem["names"] == ["cell9", "cell1"])
    }

    @Test("A stream that resumes behind a new name gets the state under that name")
    func resumed() throws {
        let session = try sampleSession("names", cells: 1)
        let first = try session.stream("events?watch=cell0:theme&initial=true")
        for type in ["begin", "state", "sync"] { #expect(try first.next().type == type) }
        try session.send("PATCH", "nodes/cell0", ["id": "cell7"]).success()
        let renamed = try first.next()
        #expect(renamed.type == "renamed")
        let token = HTTPField("Last-Event-ID", renamed.token)
        let second = try session.stream("events?watch=cell7:theme&initial=true", fields: [token])
        for type in ["begin", "reset", "state", "sync"] {
            #expect(try second.next().type == type)
        }
    }

    @Test("Streams of a node, of its registrations and of the session go on under the new name")
    func streams() throws {
        let session = try sampleSession("names", cells: 1)
        try session.put("registrations/r", ["node": "cell0", "traits": ["theme"]])
        let watch = try session.stream("events?watch=cell0:theme&initial=true")
        let plain = try session.stream("nodes/cell0/events?traits=theme")
        let named = try session.stream("registrations/r/events")
        let whole = try session.stream("events")
        let below = try session.stream("events?subtree=cell0")
        for stream in [watch, plain, named, whole, below] {
            #expect(try stream.next().type == "begin")
        }
        #expect(try watch.next().type == "state")
        #expect(try watch.next().type == "sync")
        let renamed = try session.transaction([
            .setOverride("theme", at: "cell0", "bold"),
            .renameNode("cell0", to: "cell7"),
        ]).json
        for stream in [whole, below] { #expect(try stream.next().type == "commit") }
        for stream in [watch, plain, named, whole, below] {
            let record = try stream.next()
            #expect(record.type == "renamed" && record.json["revision"] == renamed["revision"])
            #expect(record.json["node"] == "cell0" && record.json["to"] == "cell7")
            let change = try stream.next()
            #expect(change.type == "change" && change.json["node"] == "cell7")
            #expect(change.json["last"] == true)
        }
        // The cache of a stream that began with a state gets the new names.
        let reset = try watch.next()
        #expect(reset.type == "reset" && reset.json["reason"] == "setChanged")
        let state = try watch.next()
        #expect(state.type == "state" && state.json["node"] == "cell7")
        #expect(try watch.next().type == "sync")
        try session.transaction([
            .renameTrait("theme", to: "look"),
            .setOverride("look", at: "cell7", "pastel"),
        ])
        for stream in [whole, below] { #expect(try stream.next().type == "commit") }
        for stream in [watch, plain, named, whole, below] {
            let record = try stream.next()
            #expect(record.json["trait"] == "theme" && record.json["to"] == "look")
            let change = try stream.next()
            #expect(change.json["changes"]?.array?.first?["trait"] == "look")
        }
        // A new stream of the new name shares the watch that has followed it.
        let other = try session.stream("nodes/cell7/events?traits=look")
        #expect(try other.next().type == "begin")
        try session.override("look", at: "cell7", "bold")
        for stream in [plain, other] {
            #expect(try stream.next().json["node"] == "cell7")
        }
    }
}
