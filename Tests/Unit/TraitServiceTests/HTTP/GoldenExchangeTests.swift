// The golden exchanges, against the service in process.

import TestSupport
import Testing

@Suite("Golden exchanges")
struct GoldenExchangeTests {
    @Test("The service answers as the golden file says", arguments: ExchangeScript.all)
    func exchange(_ script: ExchangeScript) throws {
        let service = try InProcessService()
        try script.verify(on: service.url)
    }

    @Test("No golden file was lost in reading")
    func files() { #expect(ExchangeScript.all.count == 21) }
}
