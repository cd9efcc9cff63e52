// Callers take turns where more is ready than a turn can serve: the next one is whose requests have taken least of the
// shard's time. So a caller with a thousand connections gets no more than one with a single one, and a short request
// waits for one long request of others at most, not for one of each caller.

import Background

/// The callers of a shard's connections, and the events of a turn in their lines. Confined to its shard.
struct CallerLines {
    /// Connections of the shard by caller; with a single caller no lines are made.
    private var connections: [ObjectIdentifier: Int] = [:]
    var turns = CallerTurns<Int>()
    /// Whether the last turn ended before all ready events were handled.
    var isCrowded = false

    var hasSeveralCallers: Bool { connections.count > 1 }

    mutating func join(_ caller: ObjectIdentifier) { connections[caller, default: 0] += 1 }

    mutating func leave(_ caller: ObjectIdentifier) {
        guard let count = connections[caller] else { return }
        connections[caller] = count > 1 ? count - 1 : nil
    }
}

extension Shard {
    /// Looks at everything that is ready, and serves the callers in turn until the turn is over.
    /// Events that are not handled stay ready: the poller is level-triggered, and reports them again
    /// in the order of their arrival. A caller that was not served comes before the others then.
    func serveCallersInTurn() {
        for index in 0..<poller.waitForMany() {
            if let connection = connection(poller.event(index).token) {
                callerLines.turns.add(index, of: ObjectIdentifier(connection.account))
            } else {
                handle(event: index)
            }
        }
        callerLines.isCrowded = false
        while let next = callerLines.turns.next(charging: 0) {
            let begun = turnClock.elapsed
            handle(event: next.item)
            let ticks = turnClock.elapsed.subtractingReportingOverflow(begun)
            callerLines.turns.charge(
                ticks.overflow ? 1 : Int64(clamping: ticks.partialValue), to: next.caller)
            guard isTurnOver, !callerLines.turns.isEmpty else { continue }
            callerLines.isCrowded = true
            callerLines.turns.removeItems()
        }
    }
}
