// Commits that thousands of notes tell of: each stream gets its own few, numbered as if there were
// no others.

import TestSupport
import Testing
import TraitService

@Suite("Streams of commits with many notes", .timeLimit(.minutes(10)))
struct ManyWatchesTests {
    private static let cells = 600

    /// A scene with cells that all inherit from it, and a registration on each.
    private static func session(_ service: InProcessService) throws -> SessionClient {
        let session = try sampleSession(service)
        for first in stride(from: 0, to: cells, by: 100) {
            try session.transaction(
                (first..<first + 100).map { .register("r\($0)", at: "cell\($0)", ["theme"]) })
        }
        return session
    }

    private static func sampleSession(_ service: InProcessService) throws -> SessionClient {
        let cells = (0..<cells).map { number -> JSON in
            ["id": .string("cell\(number)"), "kind": "environment", "parent": "scene"]
        }
        let scene: JSON = ["id": "scene", "kind": "environment", "parent": nil]
        let theme: JSON = ["type": "int", "default": 0]
        return try SessionClient.make(
            "many", on: service.url,
            ["traits": ["theme": theme], "nodes": .array([scene] + cells)])
    }

    /// More notes than a stream writes at a time.
    private static func change(_ session: SessionClient, to value: Int64) throws -> Int64? {
        try session.override("theme", at: "scene", .int(value)).json["revision"]?.int
    }

    /// What a stream tells up to the last record of that commit.
    private static func told(
        _ stream: EventStream, through revision: Int64?
    ) throws -> [StreamRecord] {
        try stream.collect { $0.revision == revision && $0.json["last"] == true }
    }

    @Test("Streams of one, of two far apart, of a watch and of all hear what they should")
    func each() throws {
        let service = try InProcessService()
        let session = try Self.session(service)
        let wanted: [(path: String, nodes: [String])] = [
            ("registrations/r0/events", ["cell0"]),
            ("registrations/r599/events", ["cell599"]),
            ("events?registrations=r3,r590", ["cell3", "cell590"]),
            ("events?registrations=r599,r300,r1", ["cell1", "cell300", "cell599"]),
            ("nodes/cell77/events?traits=theme", ["cell77"]),
            ("events", (0..<Self.cells).map { "cell\($0)" }),
        ]
        let streams = try wanted.map { try session.stream($0.path) }
        for stream in streams { _ = try stream.next() }
        for value in Int64(1)...3 {
            let revision = try Self.change(session, to: value)
            for (stream, wanted) in zip(streams, wanted) {
                let records = try Self.told(stream, through: revision)
                let changes = records.filter { $0.type == "change" }
                #expect(
                    changes.compactMap { $0.json["node"]?.string }.sorted() == wanted.nodes.sorted()
                )
                #expect(records.map { $0.json["part"] } == records.indices.map { .int(Int64($0)) })
                #expect(
                    records.map { $0.json["last"] == true }.firstIndex(of: true) == records.count
                        - 1)
            }
        }
    }

    @Test("A token from inside such a commit goes on with the next of its own notes")
    func resume() throws {
        let service = try InProcessService()
        let session = try Self.session(service)
        let path = "events?registrations=r3,r300,r590"
        let start = try session.revision()
        let revision = try Self.change(session, to: 7)
        let whole = try session.get("\(path)&wait=0&from=\(start)").json["records"]?.array ?? []
        #expect(whole.count == 3)
        for cut in 0..<3 {
            let token = whole[cut]["token"]?.string ?? ""
            let rest = try session.get("\(path)&wait=0&from=\(token)").json["records"]?.array
            #expect(rest == Array(whole[(cut + 1)...]))
            let stream = try session.stream("\(path)&from=\(token)")
            _ = try stream.next()
            if cut < 2 {
                let told = try Self.told(stream, through: revision).map(\.json)
                #expect(told == Array(whole[(cut + 1)...]))
            }
        }
    }

    @Test("A stream that begins behind the commit finds its notes in what is retained")
    func afterwards() throws {
        let service = try InProcessService()
        let session = try Self.session(service)
        let start = try session.revision()
        let first = try Self.change(session, to: 5)
        let second = try Self.change(session, to: 6)
        for id in ["r0", "r256", "r599"] {
            let stream = try session.stream("registrations/\(id)/events?from=\(start)")
            _ = try stream.next()
            let told = try Self.told(stream, through: second)
            #expect(told.map(\.revision) == [first, second])
            #expect(told.allSatisfy { $0.json["registration"]?.string == id })
        }
    }
}
