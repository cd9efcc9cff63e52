// Bodies that cannot be made whole: their connections are closed without the last chunk, so every wrapper of
// a producer has to pass that on.

import HTTPServer
import HTTPWire
import Ledger
import SessionViews
import Testing
import TraitSessions

@testable import TraitService

@Suite("Broken bodies")
struct BrokenBodyTests {
    @Test("A body that cannot be made whole is broken off behind every wrapper")
    func broken() throws {
        for part in [BodyPart.more, .last, .broken] {
            let inner = BodyProducer { _, _ in part }
            let out = OutputBuffer()
            let reservation = try MemoryLedger.unlimited.reserving(1)
            #expect(inner.holding(reservation).produce(into: out, budget: 9) == part)
            guard
                case .produced(let producer) = PrettyAnswer.laidOut(
                    .produced(inner), "application/json")
            else {
                Issue.record("a body in parts became another one")
                return
            }
            #expect(producer !== inner)
            #expect(producer.produce(into: out, budget: 9) == part)
        }
    }
}
