// When the unfinished requests of all connections together hold too many bytes, those end that have
// held the most for the longest. Refusing new requests instead would let a few slow clients block
// all others.

extension Shard {
    /// One part in this many of the budget is freed as well, so that not every byte visits all connections.
    private static let slackDivisor = 16

    /// Refuses unfinished requests of this shard until the budget is kept: first those that hold at least
    /// as much as the mean, and of these first the ones whose bytes held times age is the largest. So a
    /// small request is safe as long as a larger one is unfinished. O(n log n) for n connections.
    ///
    /// Called between connections, since a refusal uses the shard's buffers.
    func makeRoom() {
        found.needsRoom = false
        guard collected.bytesHeld > collected.bytesMax else { return }
        let bytesKept = collected.bytesMax - collected.bytesMax / Self.slackDivisor
        for connection in unfinished() {
            if collected.bytesHeld <= bytesKept { return }
            connection.refuseIncomplete(.tooMuchInput(collected))
        }
    }

    /// The connections with an unfinished request, in the order in which they have to end.
    private func unfinished() -> [Connection] {
        var found = [(connection: Connection, bytes: Int, cost: Double)]()
        var sum = 0
        for connection in connections {
            guard let connection, let bytes = connection.unfinishedBytes else { continue }
            // One that has just begun has an age of a nanosecond, so that its size counts.
            let age = Double(now &- connection.awaitingSince &+ 1)
            found.append((connection, bytes, Double(bytes) * age))
            sum += bytes
        }
        let mean = sum / max(1, found.count)
        return found.sorted {
            ($0.bytes >= mean) == ($1.bytes >= mean) ? $0.cost > $1.cost : $0.bytes >= mean
        }.map(\.connection)
    }
}

extension Shard {
    /// Ends the streams with the most unsent bytes, until the shard holds half as many. Answers of known
    /// length are left alone: they were admitted, and end by themselves or by the stall timeout.
    /// O(n log n) for n connections.
    func endSlowest() {
        var found = [(connection: Connection, bytes: Int)]()
        var sum = 0
        for connection in connections {
            guard let connection, connection.phase == .streaming, connection.unsentCounted > 0,
                connection.stream?.isFinite == false
            else { continue }
            found.append((connection, connection.unsentCounted))
            sum += connection.unsentCounted
        }
        let kept = sum / 2
        for (connection, bytes) in found.sorted(by: { $0.bytes > $1.bytes }) {
            if sum <= kept { return }
            sum -= bytes
            counters.slowConsumers.add(1)
            connection.close()
        }
    }
}

extension Connection {
    /// The bytes of an unfinished request; `nil` when there is none.
    fileprivate var unfinishedBytes: Int? {
        guard phase == .reading, awaiting != .nothing else { return nil }
        return inbound?.bytesHeld
    }
}
