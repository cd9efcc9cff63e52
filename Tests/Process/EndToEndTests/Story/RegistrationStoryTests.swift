// Registering for changes: what a commit answers, what a dry run answers, and what streams carry.

import TestSupport
import Testing

@Suite("Registering for changes")
struct RegistrationStoryTests {
    /// A sample session with registration `r` for the theme on the cell.
    private func registered() throws -> SessionClient {
        let session = try sampleSession("registered")
        try session.put("registrations/r", ["node": "cell0", "traits": ["theme"]])
        return session
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
