// Bodies that cannot be made whole: their connections are closed without the last chunk, so every wrapper of
// a producer has to pass that on.

import HTTPServer
import HTTPWire
import Ledger
import Testing
import TraitSessions

@testable import TraitService

@Suite("Broken bodies")
struct BrokenBodyTests {
    @Test("A body that cannot be made whole is broken off behind every wrapper")
    func broken() throws {
        final class Broken: BodyProducer {
            let isBroken: Bool
            init(_ isBroken: Bool) { self.isBroken = isBroken }
            func produce(into out: OutputBuffer, budget: Int) -> Bool { true }
        }
        for isBroken in [false, true] {
            let reservation = try MemoryLedger.unlimited.reserving(1)
            #expect(ReservedProducer(Broken(isBroken), reservation).isBroken == isBroken)
            guard
                case .produced(let producer) = PrettyAnswer.laidOut(
                    .produced(Broken(isBroken)), "application/json")
            else {
                Issue.record("a body in parts became another one")
                return
            }
            #expect(producer.isBroken == isBroken)
            #expect(!(producer is Broken))
        }
    }
}
