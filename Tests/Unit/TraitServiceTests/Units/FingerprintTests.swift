// The published values of FNV-1a: tokens that were given out must stay valid.

import Testing

@testable import TraitJSON
@testable import TraitService
@testable import TraitSessions

@Suite("Fingerprints")
struct FingerprintTests {
    @Test(
        "are those of FNV-1a",
        arguments: [("", 0x811C_9DC5), ("a", 0xE40C_292C), ("foobar", 0xBF9C_F968)])
    func values(_ text: String, _ expected: UInt32) {
        #expect(Fingerprint.of(text) == expected)
    }
}
