// Memory that a piece of work was admitted with and may not have taken yet.

import Synchronization

/// Bytes that count against the ledger until they are settled or released.
package final class MemoryReservation: Sendable {
    private let ledger: MemoryLedger
    private let caller: MemoryAccount?
    private let purpose: MemoryLedger.Purpose
    private let held: Atomic<Int>
    /// What was reserved in all, which counts in the caller's share until the work is over.
    private let all: Atomic<Int>

    init(
        _ ledger: MemoryLedger, _ bytes: Int, _ caller: MemoryAccount?,
        _ purpose: MemoryLedger.Purpose
    ) {
        self.ledger = ledger
        self.caller = caller
        self.purpose = purpose
        held = Atomic(bytes)
        all = Atomic(bytes)
    }

    deinit { release() }

    package var bytes: Int { held.load(ordering: .relaxed) }

    /// Reserves `bytes` more. Returns whether there is room for them. O(1).
    package func grow(by bytes: Int) -> Bool {
        guard bytes > 0 else { return true }
        let held = all.load(ordering: .relaxed)
        guard ledger.take(bytes, caller, purpose, beside: held) else { return false }
        self.held.add(bytes, ordering: .relaxed)
        all.add(bytes, ordering: .relaxed)
        return true
    }

    /// The memory has been taken: from now on measurements show it.
    package func settle() {
        let bytes = held.exchange(0, ordering: .relaxed)
        if bytes > 0 { ledger.settle(bytes, nil) }
        giveShareBack()
    }

    /// Of the memory, so much has been taken so far: measurements show it, so it would count twice. Called by one thread
    /// at a time.
    package func settle(through taken: Int) {
        let rest = max(0, all.load(ordering: .relaxed) - taken)
        let before = bytes
        guard rest < before else { return }
        held.store(rest, ordering: .relaxed)
        ledger.settle(before - rest, nil)
    }

    /// As `settle(through:)`, with what has been taken since.
    package func settle(another bytes: Int) {
        settle(through: all.load(ordering: .relaxed) - self.bytes + bytes)
    }

    /// Gives back the reservation, unless it is settled.
    package func release() {
        let bytes = held.exchange(0, ordering: .relaxed)
        if bytes > 0 { ledger.give(bytes, nil) }
        giveShareBack()
    }

    private func giveShareBack() {
        let bytes = all.exchange(0, ordering: .relaxed)
        if bytes > 0, ledger.isLimited { caller?.work.change(by: -bytes) }
    }
}
