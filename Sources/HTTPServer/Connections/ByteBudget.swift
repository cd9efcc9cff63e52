// What one connection holds is bounded, but sixteen thousand connections can still hold too much.
// So the bytes of all connections together have a bound, too.

import Synchronization

/// Bytes that connections of all shards hold for the same reason.
final class ByteBudget: Sendable {
    let bytesMax: Int
    private let held = Atomic<Int>(0)

    init(bytesMax: Int) { self.bytesMax = bytesMax }

    /// Counts so many more bytes as held, or fewer; answers whether all of it is within the bound.
    /// It counts even beyond, since the bytes are there already: the caller lets go of them and says
    /// so. O(1).
    func change(by difference: Int) -> Bool {
        if difference == 0 { return true }
        let now = held.wrappingAdd(difference, ordering: .relaxed).newValue
        return difference < 0 || now <= bytesMax
    }

    /// Whether so many more bytes are within the bound now. O(1).
    @inline(__always)
    func hasRoom(for bytes: Int) -> Bool { bytesHeld &+ bytes <= bytesMax }

    /// As much as may be held for one caller beside its last answer: half of it.
    var callerBytesMax: Int { bytesMax / 2 }

    /// Whether an answer of so many bytes leaves room for other callers, given what this one has not
    /// taken yet. One answer alone always does.
    func leavesRoom(_ bytes: Int, besides held: Int) -> Bool {
        held == 0 || held &+ bytes <= callerBytesMax
    }

    var bytesHeld: Int { held.load(ordering: .relaxed) }
}
