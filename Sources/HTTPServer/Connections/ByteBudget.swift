// The bytes of one connection are bounded, but sixteen thousand connections can still hold too many.
// So the bytes of all connections together have a bound, too.

import Synchronization

/// Bytes that connections of all shards hold for the same reason.
final class ByteBudget: Sendable {
    let bytesMax: Int
    private let held = Atomic<Int>(0)

    init(bytesMax: Int) { self.bytesMax = bytesMax }

    /// Counts more bytes as held, or fewer. Returns whether the sum is within the bound, or has not grown.
    /// Bytes beyond the bound count too, since they are held already: the caller releases them and
    /// counts again. O(1).
    func change(by difference: Int) -> Bool {
        if difference == 0 { return true }
        let now = held.wrappingAdd(difference, ordering: .relaxed).newValue
        return difference < 0 || now <= bytesMax
    }

    /// Whether `bytes` more are within the bound now. O(1).
    @inline(__always)
    func hasRoom(for bytes: Int) -> Bool { bytesHeld &+ bytes <= bytesMax }

    /// The bytes that one caller may hold beside its last answer: half of the bound.
    var callerBytesMax: Int { bytesMax / 2 }

    /// Whether an answer of `bytes` leaves room for other callers, beside the `held` bytes that its caller
    /// has not taken yet. One answer alone always does.
    func leavesRoom(_ bytes: Int, besides held: Int) -> Bool {
        held == 0 || held &+ bytes <= callerBytesMax
    }

    var bytesHeld: Int { held.load(ordering: .relaxed) }
}
