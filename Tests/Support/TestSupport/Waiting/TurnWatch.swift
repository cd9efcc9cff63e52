// Waiting for what an event loop does: a condition is looked at when a turn of a shard is over.

import Dispatch
import HTTPServer
import HTTPWire
import Testing

/// Passes requests on to a handler, and knows when a turn ends.
package final class TurnWatch: RequestHandler {
    private let base: any RequestHandler
    private let turns = DispatchSemaphore(value: 0)

    package init(_ base: any RequestHandler) { self.base = base }

    package func handle(_ exchange: Exchange) { base.handle(exchange) }

    package func expectBody(_ exchange: Exchange) { base.expectBody(exchange) }

    package func refuse(_ refusal: WireError, _ exchange: Exchange) {
        base.refuse(refusal, exchange)
    }

    package func turnEnded(shard: Int, now: UInt64) {
        base.turnEnded(shard: shard, now: now)
        turns.signal()
    }

    package func turnWasSlow(shard: Int, _ turn: SlowTurn) {
        base.turnWasSlow(shard: shard, turn)
    }

    /// Waits until a condition holds that a turn of a shard can bring about. One thread at a time.
    package func wait(
        within seconds: Int = 30, sourceLocation: SourceLocation = #_sourceLocation,
        until holds: () -> Bool
    ) {
        let deadline = Deadline(within: .seconds(seconds))
        while !holds() {
            guard turns.wait(before: deadline) else {
                Issue.record("no turn made the condition hold", sourceLocation: sourceLocation)
                return
            }
        }
    }
}
