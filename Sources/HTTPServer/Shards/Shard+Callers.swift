// Callers take turns where more is ready than a turn can serve: one connection of each caller, then the
// next one of each. So a caller with a thousand connections gets no more than one with a single one.

/// The events of one turn in lines, one for each caller. Reused from turn to turn; confined to its shard.
struct CallerLines {
    private struct Line {
        let caller: ObjectIdentifier
        var first: Int32
        var last: Int32
    }

    /// Connections of the shard by caller; with a single caller no lines are made.
    private var connections: [ObjectIdentifier: Int] = [:]
    private var places: [ObjectIdentifier: Int] = [:]
    private var lines: [Line] = []
    /// The event behind each, in its line; -1 for none.
    private var next: [Int32] = []
    private(set) var ordered: [(event: Int32, caller: ObjectIdentifier)] = []
    /// Whether the last turn ended before all ready events were handled.
    var isCrowded = false
    /// The caller that was served last. The next one comes first in the next turn, since one request may take
    /// a whole turn.
    var servedLast: ObjectIdentifier?

    var hasSeveralCallers: Bool { connections.count > 1 }

    mutating func join(_ caller: ObjectIdentifier) { connections[caller, default: 0] += 1 }

    mutating func leave(_ caller: ObjectIdentifier) {
        guard let count = connections[caller] else { return }
        connections[caller] = count > 1 ? count - 1 : nil
    }

    // MARK: - A turn

    mutating func begin(events count: Int) {
        places.removeAll(keepingCapacity: true)
        lines.removeAll(keepingCapacity: true)
        if next.count < count { next = Array(repeating: -1, count: count) }
    }

    /// Puts an event at the end of its caller's line. O(1).
    mutating func add(_ event: Int, of caller: ObjectIdentifier) {
        let event = Int32(truncatingIfNeeded: event)
        next[Int(event)] = -1
        guard let place = places[caller] else {
            places[caller] = lines.count
            return lines.append(Line(caller: caller, first: event, last: event))
        }
        next[Int(lines[place].last)] = event
        lines[place].last = event
    }

    /// Takes the first event out of each line, then the second, and so on, beginning behind the caller that was
    /// served last. O(events + callers × log callers).
    mutating func order() {
        ordered.removeAll(keepingCapacity: true)
        if let servedLast {
            lines.sort {
                ($0.caller <= servedLast ? 1 : 0, $0.caller) < (
                    $1.caller <= servedLast ? 1 : 0, $1.caller
                )
            }
        }
        while !lines.isEmpty {
            var kept = 0
            for place in lines.indices {
                var line = lines[place]
                ordered.append((line.first, line.caller))
                line.first = next[Int(line.first)]
                guard line.first >= 0 else { continue }
                lines[kept] = line
                kept += 1
            }
            lines.removeLast(lines.count - kept)
        }
    }
}

extension Shard {
    /// Looks at everything that is ready, and serves the callers in turn until the turn is over.
    /// Events that are not handled stay ready: the poller is level-triggered, and reports them again
    /// in the order of their arrival.
    func serveCallersInTurn() {
        let count = poller.waitForMany()
        callerLines.begin(events: count)
        for index in 0..<count {
            if let connection = connection(poller.event(index).token) {
                callerLines.add(index, of: ObjectIdentifier(connection.account))
            } else {
                handle(event: index)
            }
        }
        // Handling an event may close and open connections, so the order is made before.
        callerLines.order()
        callerLines.isCrowded = false
        for (position, next) in callerLines.ordered.enumerated() {
            if position > 0, isTurnOver {
                callerLines.isCrowded = true
                break
            }
            callerLines.servedLast = next.caller
            handle(event: Int(next.event))
        }
    }
}
