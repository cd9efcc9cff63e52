// Random scripts with snapshots taken anywhere. A few here; the command TraitOracle runs hundreds.

import Testing

@testable import TraitOracle

@Suite struct SnapshotScriptTests {
    @Test("A snapshot shows its moment after whatever script", arguments: 0..<2 as Range<UInt64>)
    func scripts(_ part: UInt64) throws {
        try SnapshotRun(first: part * 1_000, count: 6).run()
    }
}
