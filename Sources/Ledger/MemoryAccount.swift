// What one caller has of the memory that all share.

import Synchronization

/// The bytes that are held on behalf of one caller.
package final class MemoryAccount: Sendable {
    /// As much as one caller may hold.
    package let bytesMax: Int
    private let held = Atomic<Int>(0)

    package init(bytesMax: Int) { self.bytesMax = bytesMax }

    package var bytes: Int { held.load(ordering: .relaxed) }

    /// Counts so many bytes more, or fewer. O(1).
    package func change(by bytes: Int) { held.add(bytes, ordering: .relaxed) }

    /// Whether so many more bytes are within the share. O(1).
    package func hasRoom(for bytes: Int) -> Bool { self.bytes &+ bytes <= bytesMax }
}

/// Names a caller. Today that is the address a connection comes from.
package struct CallerKey: Hashable, Sendable {
    private let high: UInt64
    private let low: UInt64

    package init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }
}

/// The accounts of all callers that hold something or are connected.
package final class MemoryAccounts: Sendable {
    /// An account is here as long as something refers to it.
    private struct Entry {
        weak var account: MemoryAccount?
    }

    private let entries = Mutex<[CallerKey: Entry]>([:])
    private let bytesMax: Int

    init(bytesMax: Int) { self.bytesMax = bytesMax }

    /// The account of a caller. O(1) amortised; called once for each connection.
    package func account(of caller: CallerKey) -> MemoryAccount {
        entries.withLock { entries in
            if let known = entries[caller]?.account { return known }
            if entries.count >= 1_024, entries.count.nonzeroBitCount == 1 {
                entries = entries.filter { $0.value.account != nil }
            }
            let account = MemoryAccount(bytesMax: bytesMax)
            entries[caller] = Entry(account: account)
            return account
        }
    }
}
