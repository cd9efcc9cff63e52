// Deep trees: the shortcuts must never show. Small ones here; the command TraitOracle makes deeper
// ones and changes them more often.

import Testing

@testable import TraitOracle

@Suite struct DeepTreeTests {
    @Test("Shortcuts agree with walking, whatever is set and moved")
    func random() throws {
        try DeepTreeRun(seed: 1, levelCount: 800, stepCount: 120).run()
    }

    @Test("A thousand levels work from end to end")
    func bottom() throws {
        try DeepTreeRun.bottom(levelCount: 1_000)
    }
}
