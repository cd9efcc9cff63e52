// Registering for changes: called once for each change of a registered trait, never for others,
// never at first, wherever the change comes from.

import TestSupport
import Testing

@Suite("Registering for changes", .timeLimit(.minutes(10)))
struct RegistrationStoryTests {
    /// A sample session with registration `r` for the theme on the cell.
    private func registered() throws -> SessionClient {
        let session = try sampleSession("registered")
        try session.put("registrations/r", ["node": "cell0", "traits": ["theme"]])
        return session
    }

    @Test("The cell hears exactly once for each change, and not of other traits")
    func exactlyOnce() throws {
        let session = try registered()
        let stream = try session.stream("registrations/r/events")
        #expect(try stream.next().type == "begin")

        let first = try session.override("theme", at: "scene", "monochrome").json
        try session.override("userInterfaceStyle", at: "scene", "dark")
        try session.override("containedInSettings", at: "cell0", true)
        try session.override("theme", at: "scene", "monochrome")
        let second = try session.override("theme", at: "list", "bold").json
        // Shadowed by the list, so the cell's value stays.
        try session.override("theme", at: "scene", "pastel")
        let third = try session.removeOverride("theme", at: "list").json

        let expected: [(JSON, JSON)] = [
            (
                first,
                .change(
                    "theme", from: "standard", to: "monochrome",
                    source: .source(override: "scene", first["revision"]?.int))
            ),
            (
                second,
                .change(
                    "theme", from: "monochrome", to: "bold",
                    source: .source(override: "list", second["revision"]?.int))
            ),
            (
                third,
                .change(
                    "theme", from: "bold", to: "pastel",
                    source: .source(override: "scene", (third["revision"]?.int).map { $0 - 1 }))
            ),
        ]
        for (commit, change) in expected {
            let record = try stream.next()
            #expect(record.type == "change")
            #expect(record.json["registration"] == "r")
            #expect(record.json["node"] == "cell0")
            #expect(record.json["revision"] == commit["revision"])
            #expect(record.json["changes"] == [change])
            #expect(record.json["part"] == 0 && record.json["last"] == true)
        }
    }

    @Test("Several writes in one transaction are one call; set and restored is none")
    func transactions() throws {
        let session = try registered()
        let stream = try session.stream("registrations/r/events")
        _ = try stream.next()
        let none = try session.transaction([
            .setOverride("theme", at: "scene", "bold"), .removeOverride("theme", at: "scene"),
        ]).json
        #expect(none["unchanged"] == true)
        let one = try session.transaction([
            .setOverride("theme", at: "scene", "bold"), .setOverride("theme", at: "list", "pastel"),
            .setOverride("theme", at: "cell0", "monochrome"),
        ]).json
        #expect(one["notified"] == 1)
        let record = try stream.next()
        #expect(record.json["revision"] == one["revision"])
        #expect(record.json["changes"]?[0]?["previous"] == "standard")
        #expect(record.json["changes"]?[0]?["current"] == "monochrome")
    }

    @Test("Moving a subtree is heard when the value differs at the new place")
    func moving() throws {
        let session = try registered()
        try session.put("nodes/other", ["kind": "view", "parent": "window"])
        try session.override("theme", at: "other", "bold")
        let stream = try session.stream("registrations/r/events")
        _ = try stream.next()
        try session.send("PATCH", "nodes/list", ["parent": "other"]).success()
        let record = try stream.next()
        #expect(record.json["changes"]?[0]?["current"] == "bold")
        #expect(try session.value(of: "theme", at: "cell0") == "bold")
    }

    @Test("What the commit answers with changes=true is what the streams carry, in order")
    func commitChanges() throws {
        let session = try registered()
        try session.put("registrations/top", ["node": "scene", "traits": ["theme"]])
        try session.put("registrations/again", ["node": "cell0", "set": "all"])
        let stream = try session.stream("events")
        _ = try stream.next()
        let commit = try session.put(
            "nodes/scene/overrides/theme?changes=true", ["value": "bold"]
        ).json
        let changes = commit["changes"]?.array ?? []
        #expect(changes.map { $0["registration"] } == ["top", "r", "again"])
        #expect(commit["notified"] == 3)
        let records = try stream.collect(throughRevision: commit["revision"]?.int)
        #expect(records.map(\.type) == ["commit", "change", "change", "change"])
        for (record, change) in zip(records.dropFirst(), changes) {
            for member in ["registration", "node", "changes"] {
                #expect(record.json[member] == change[member])
            }
        }
    }

    @Test("A registration for a set hears of its members alone")
    func sets() throws {
        let session = try sampleSession("sets")
        try session.put(
            "registrations/colours",
            ["node": "cell0", "set": "systemTraitsAffectingColorAppearance"])
        try session.put(
            "registrations/custom", ["node": "cell0", "set": "affectingColorAppearance"])
        func heard(_ trait: String, _ value: JSON) throws -> [JSON?] {
            let commit = try session.put(
                "nodes/scene/overrides/\(trait)?changes=true", ["value": value]
            ).json
            return commit["changes"]?.array?.map { $0["registration"] } ?? []
        }
        #expect(try heard("userInterfaceStyle", "dark") == ["colours", "custom"])
        #expect(try heard("theme", "bold") == ["custom"])
        #expect(try heard("containedInSettings", true) == [])
        #expect(try heard("layoutDirection", "rightToLeft") == [])
    }

    @Test("A dry run answers like the commit it is not")
    func dryRun() throws {
        let session = try registered()
        let before = try session.state()
        let dry = try session.put(
            "nodes/scene/overrides/theme?dryRun=true", ["value": "bold"]
        ).json
        #expect(dry["dryRun"] == true)
        #expect(try session.state() == before)
        let real = try session.put(
            "nodes/scene/overrides/theme?changes=true", ["value": "bold"]
        ).json
        for member in ["session", "revision", "notified", "changes"] {
            #expect(dry[member] == real[member], "\(member)")
        }
        #expect(real["dryRun"] == nil)
    }
}
