// The access checks in all combinations, of which the test takes some; .ci/checked AccessMatrix takes all.

import AccessMatrix
import Testing

@Suite("The matrix of access checks")
struct AccessMatrixTests {
    @Test("No foreign page writes, no caller reads beyond its sessions, and no name is told")
    func some() throws {
        let seed = UInt64.random(in: 0...999_999)
        // One in 200 to 400 of them changes something.
        let report = try Matrix.run(8_000, seed: seed)
        #expect(report.findings == [], "seed \(seed)")
        #expect(report.passed > 100 && report.changes > 10, "seed \(seed): \(report)")
    }
}
