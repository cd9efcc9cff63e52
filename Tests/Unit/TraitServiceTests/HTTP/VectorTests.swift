// The conformance cases over HTTP.

import ConformanceCases
import TestSupport
import Testing

@MainActor
@Suite("Conformance cases over HTTP")
struct VectorTests {
    private static let families = ["V", "O", "H", "R", "N", "S"]

    /// Whether a handler acts while an update runs, or a collection is printed, which is impossible
    /// over HTTP.
    private static func needsLibrary(_ script: VectorCase) -> Bool {
        (script.steps ?? []).contains { step in
            [.string("on"), .string("?printed")].contains(step.array?.first)
        }
    }

    @Test("Every case that needs no library passes, and none has an unknown step")
    func cases() throws {
        let service = try InProcessService()
        var counts: [String: Int] = [:]
        for script in VectorCase.scripts {
            #expect(Self.families.contains(script.family), "\(script.id) is not run")
            if Self.needsLibrary(script) { continue }
            try VectorRunner.run(script, on: HTTPWorld(script, on: service))
            counts[script.family, default: 0] += 1
        }
        for family in Self.families { #expect(counts[family] ?? 0 > 0) }
    }
}
