// The golden exchanges, against the real binary.

import TestSupport
import Testing

@Suite("Golden exchanges over the wire")
struct GoldenExchangeTests {
    @Test("The binary answers as the golden file says", arguments: ExchangeScript.all)
    func exchange(_ script: ExchangeScript) throws {
        let server = try TraitdProcess()
        defer { server.child.stop() }
        try script.verify(on: server.url)
    }
}
