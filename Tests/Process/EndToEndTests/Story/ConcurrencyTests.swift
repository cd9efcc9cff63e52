// Many clients at once: each sees one history, and its own writes in it.

import Foundation
import TestSupport
import Testing

@Suite("Many clients at once")
struct ConcurrencyTests {
    @Test("A session that many create at once is made once")
    func creation() throws {
        let url = try sharedServer().url
        let name = "made-once-\(UUID().uuidString.prefix(8))"
        let answers = try concurrently(12) { _ in
            let session = try SessionClient(name, on: url)
            return try session.send("PUT", "", [:]).success()
        }
        #expect(answers.map(\.status).sorted() == Array(repeating: 200, count: 11) + [201])
        #expect(Set(try answers.map { try $0.json["uid"] }).count == 1)
    }

    @Test("A write is seen by every connection as soon as it is answered")
    func readYourWrites() throws {
        let session = try sampleSession("read", cells: 4)
        _ = try concurrently(4) { writer in
            let writing = try session.another()
            let reading = try session.another()
            for round in 0..<50 {
                let scale = JSON.int(Int64(round + 1))
                let written = try writing.override("displayScale", at: "cell\(writer)", scale)
                let read = try reading.get("nodes/cell\(writer)/traits/displayScale").json
                #expect(read["value"] == scale)
                #expect(read["revision"]?.int ?? 0 >= written.revision ?? .max)
            }
        }
        #expect(try session.revision() == 2 + 200)
    }

    @Test("A collection is read at one revision, whatever is written meanwhile")
    func consistentReads() throws {
        let session = try sampleSession("consistent")
        let torn = try concurrently(3) { role -> Int in
            let own = try session.another()
            if role == 0 {
                for round in 1...100 {
                    let value = JSON.int(Int64(round))
                    try own.transaction([
                        .setOverride("displayScale", at: "scene", value),
                        .setOverride("theme", at: "list", round % 2 == 0 ? "bold" : "pastel"),
                    ])
                }
                return 0
            }
            var torn = 0
            for _ in 0..<100 {
                let traits = try own.get("nodes/cell0/traits?traits=displayScale,theme").json
                let scale = traits["traits"]?["displayScale"]?.int ?? 0
                let theme = traits["traits"]?["theme"]
                let expected: JSON = scale == 0 ? "standard" : scale % 2 == 0 ? "bold" : "pastel"
                if theme != expected { torn += 1 }
            }
            return torn
        }
        #expect(torn == [0, 0, 0])
    }
}
