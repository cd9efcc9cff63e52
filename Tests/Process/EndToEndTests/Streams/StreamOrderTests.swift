// Order and completeness: whatever writers do at the same time, a stream has one history, and
// every reader the same.

import TestSupport
import Testing

@Suite("Streams while writers race")
struct StreamOrderTests {
    /// Each writer sets overrides of its own cell, of the shared scene, and of both at once.
    private static func write(_ writer: Int, to session: SessionClient, rounds: Int) throws {
        let themes: [JSON] = ["standard", "pastel", "bold", "monochrome"]
        for round in 0..<rounds {
            let theme = themes[(round + writer) % 4]
            switch round % 3 {
            case 0: try session.override("theme", at: "cell\(writer)", theme)
            case 1: try session.override("theme", at: "scene", theme)
            default:
                try session.transaction([
                    .removeOverride("theme", at: "cell\(writer)"),
                    .setOverride("theme", at: "scene", theme),
                ])
            }
        }
    }

    /// Four cells, each with a registration, and one for the scene.
    private static func session() throws -> SessionClient {
        let session = try sampleSession("race", cells: 4)
        try session.transaction(
            [.register("scene", at: "scene", ["theme"])]
                + (0..<4).map { .register("cell\($0)", at: "cell\($0)", ["theme"]) })
        return session
    }

    @Test("Every commit is there once, in order, whole, and the same for every reader")
    func race() throws {
        let session = try Self.session()
        let paths = [
            "events", "events", "registrations/scene/events", "registrations/cell2/events",
            "events?registrations=scene,cell2", "nodes/cell1/events?traits=theme",
        ]
        let streams = try paths.map { try session.stream($0) }
        let start = try streams.map { try $0.next() }[0].revision
        _ = try concurrently(4) { writer in
            try Self.write(writer, to: try session.another(), rounds: 40)
        }
        // Reaches every registration and every watch, whatever the race left behind.
        let last = try session.transaction(
            (0..<4).map { .removeOverride("theme", at: "cell\($0)") }
                + [.setOverride("theme", at: "scene", "standard")])
        var final = try last.json["revision"]?.int
        for theme in ["bold", "pastel"] {
            final = try session.override("theme", at: "scene", .string(theme)).json["revision"]?.int
        }
        let told = try streams.map { try $0.collect(throughRevision: final) }

        try Self.expectWholeHistory(told[0], after: start, through: final)
        #expect(told[0].map(\.text) == told[1].map(\.text))
        Self.expectChains(told[0])
        for (path, records) in zip(paths, told).dropFirst(2) {
            Self.expectContiguousParts(records)
            Self.expectChains(records)
            // A watch keeps no history from before it was made.
            guard !path.hasPrefix("nodes") else { continue }
            let replayed = try session.stream(path + (path.contains("?") ? "&" : "?") + "from=0")
            let again = try replayed.collect(throughRevision: final)
                .filter { $0.type == "change" && $0.revision ?? 0 > start ?? 0 }
            #expect(again.map(\.text) == records.map(\.text), "\(path)")
        }
        let scene = told[0].filter { $0.json["registration"] == "scene" }.map { $0.json["changes"] }
        #expect(told[2].map { $0.json["changes"] } == scene)
    }

    /// Revisions follow one another without a gap, each opened by its commit record.
    private static func expectWholeHistory(
        _ records: [StreamRecord], after start: Int64?, through end: Int64?
    ) throws {
        expectContiguousParts(records)
        let commits = records.filter { $0.type == "commit" }.compactMap(\.revision)
        #expect(commits == revisions(after: start, through: end))
        for record in records where record.json["part"] == 0 {
            #expect(record.type == "commit")
        }
        for (commit, changes) in zip(commits, try split(records)) {
            #expect(changes[0].revision == commit)
            #expect(changes[0].json["notified"] == .int(Int64(changes.count - 1)))
        }
    }

    /// Records of one revision stand together: parts 0, 1, 2 … and `last` on the last alone.
    private static func expectContiguousParts(_ records: [StreamRecord]) {
        var revision: Int64 = 0
        var part: Int64 = 0
        var isOpen = false
        for record in records {
            if isOpen {
                part += 1
                #expect(record.revision == revision)
            } else {
                part = 0
                #expect(record.revision ?? 0 > revision)
                revision = record.revision ?? 0
            }
            #expect(record.json["part"] == .int(part))
            isOpen = record.json["last"] != true
        }
        #expect(!isOpen)
    }

    /// Each listener's `previous` is its last `current`, and they differ.
    private static func expectChains(_ records: [StreamRecord]) {
        var current: [JSON: JSON] = [:]
        for record in records where record.type == "change" {
            let listener = record.json["registration"] ?? "watch"
            let change = record.json["changes"]?[0]
            #expect(change?["previous"] != change?["current"])
            if let last = current[listener] { #expect(change?["previous"] == last) }
            current[listener] = change?["current"]
        }
    }

    private static func split(_ records: [StreamRecord]) throws -> [[StreamRecord]] {
        Dictionary(grouping: records) { $0.revision ?? 0 }.sorted { $0.key < $1.key }.map(\.value)
    }

    @Test("Within a revision an ancestor hears before its descendants, then by registration")
    func order() throws {
        let session = try sampleSession("order", cells: 2)
        try session.transaction([
            .register("lower", at: "cell1", ["theme"]), .register("upper", at: "scene", ["theme"]),
            .register("second", at: "cell0", ["theme"]), .register("middle", at: "list", ["theme"]),
            .register("twin", at: "scene", ["theme"]),
        ])
        let commit = try session.put(
            "nodes/scene/overrides/theme?changes=true", ["value": "bold"]
        ).json
        let told = commit["changes"]?.array?.map { $0["registration"] }
        #expect(told == ["upper", "twin", "middle", "lower", "second"])
    }
}
