// Memory that a piece of work was admitted with and may not have taken yet.

import Synchronization

/// Counts against the ledger until it is settled or let go.
package final class MemoryReservation: Sendable {
    private let ledger: MemoryLedger
    private let caller: MemoryAccount?
    private let held: Atomic<Int>

    init(_ ledger: MemoryLedger, _ bytes: Int, _ caller: MemoryAccount?) {
        self.ledger = ledger
        self.caller = caller
        held = Atomic(bytes)
    }

    deinit { release() }

    package var bytes: Int { held.load(ordering: .relaxed) }

    /// Asks for so many bytes more; answers whether there is room for them. O(1).
    package func grow(by bytes: Int) -> Bool {
        guard bytes > 0 else { return true }
        guard ledger.take(bytes, caller) else { return false }
        held.add(bytes, ordering: .relaxed)
        return true
    }

    /// The memory has been taken: from now on measurements show it.
    package func settle() {
        let bytes = held.exchange(0, ordering: .relaxed)
        if bytes > 0 { ledger.settle(bytes, caller) }
    }

    /// Gives the rest of it up.
    package func release() {
        let bytes = held.exchange(0, ordering: .relaxed)
        if bytes > 0 { ledger.give(bytes, caller) }
    }
}
