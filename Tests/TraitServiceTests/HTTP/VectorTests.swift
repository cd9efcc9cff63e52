// The conformance cases over HTTP, in sessions that update as UIKit does.

import TestSupport
import Testing

@Suite("Conformance cases over HTTP", .timeLimit(.minutes(5)))
struct VectorTests {
    private static let families = ["V", "O", "H", "R", "N"]

    @Test("Every case that needs no library passes, and none has an unknown step")
    func cases() throws {
        let service = try InProcessService()
        var counts: [String: (run: Int, left: Int)] = [:]
        for test in try VectorCase.all() {
            guard Self.families.contains(test.family) else {
                Issue.record("\(test.id) has steps, and is of no family that is run")
                continue
            }
            if test.needsLibrary {
                counts[test.family, default: (0, 0)].left += 1
                continue
            }
            try VectorRunner(test, on: service.url).run()
            counts[test.family, default: (0, 0)].run += 1
        }
        for family in Self.families {
            let count = counts[family] ?? (0, 0)
            print("conformance \(family): \(count.run) cases, \(count.left) left to the library")
            #expect(count.run > 0)
        }
    }

    @Test("An unknown step fails its case")
    func unknown() throws {
        let service = try InProcessService()
        let known = try #require(try VectorCase.all().first { $0.id == "O01" })
        for step: [JSON] in [
            ["jump", "a"], ["?jumps", "a"], ["set", "a"], ["!", ["jump"], "x"],
        ] {
            let runner = try VectorRunner(known, on: service.url)
            #expect(throws: UnknownStep.self) { try runner.run(only: step) }
        }
    }

    @Test("A case with another outcome fails")
    func wrong() throws {
        let service = try InProcessService()
        let test = try #require(try VectorCase.all().first { $0.id == "R03" })
        let runner = try VectorRunner(test, on: service.url)
        withKnownIssue { try runner.run(only: ["?traits", "theme", ["m": 9]]) }
        withKnownIssue { try runner.run(only: ["?calls", [["r", 0, 1]]]) }
        withKnownIssue { try runner.run(only: ["?has", "m", "theme", true]) }
    }
}
