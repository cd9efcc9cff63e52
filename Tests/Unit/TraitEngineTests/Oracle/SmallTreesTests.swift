// Every tree of up to three nodes. The command TraitOracle tries those of five.

import Testing

@testable import TraitOracle

@Suite struct SmallTreesTests {
    @Test(
        "In every small tree an override reaches exactly what inherits it",
        arguments: SmallTreesRun.starts)
    func reach(_ start: SmallTreesRun.Start) throws {
        _ = try SmallTreesRun.run(start, countMax: 3)
    }
}
