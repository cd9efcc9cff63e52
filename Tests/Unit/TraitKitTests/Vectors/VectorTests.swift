// All cases with steps, on the library; and that no case is without a test.

import ConformanceCases
import KitTestSupport
import Testing

@MainActor
@Suite(.ownHierarchy) struct VectorTests {
    @Test("the library does what the case says", arguments: VectorCase.scripts)
    func library(_ script: VectorCase) throws {
        try VectorRunner.run(script, on: KitWorld(script))
    }

    @Test("the cases of rules that the library alone has hold", arguments: VectorCase.ofLibrary)
    func ownRules(_ script: VectorCase) throws {
        try VectorRunner.run(script, on: KitWorld(script))
    }

    @Test("every case is a script or has a written test")
    func completeness() throws {
        let cases = try VectorCase.load("semantics")
        #expect(cases.count == 71)
        let more = try VectorCase.load("semantics-more")
        #expect(more.count == 132)
        let own = try VectorCase.load("semantics-kit")
        #expect(own.count == 11 && own.allSatisfy { $0.steps != nil })
        #expect(Set((cases + more + own).map(\.id)).count == cases.count + more.count + own.count)
        let statements = cases.filter { $0.steps == nil }.map(\.id)
        #expect(statements == WrittenCases.all)
        #expect(VectorCase.scripts.count + statements.count == cases.count + more.count)
    }
}

/// The cases in statement form; each is a test of the suites beside this one, by its number.
enum WrittenCases {
    static let all = [
        "A01", "A03", "A05", "A07", "B01", "B03", "C01", "C03", "C05", "D01", "D03", "D05", "D07",
        "D09", "D11",
    ]
}
