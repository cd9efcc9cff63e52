// The golden exchanges, against the service in process.

import TestSupport
import Testing

@Suite("Golden exchanges", .timeLimit(.minutes(1)))
struct GoldenExchangeTests {
    @Test("The service answers as the golden file says", arguments: ExchangeScript.all)
    func exchange(_ script: ExchangeScript) throws {
        let service = try InProcessService()
        try script.verify(on: service.url)
    }

    @Test("Every golden file belongs to a script, and no two scripts share one")
    func files() throws {
        let names = ExchangeScript.all.map(\.name)
        #expect(Set(names).count == names.count)
        #expect(try Set(GoldenFile.names()) == Set(names))
    }
}
