// The memory of one caller: what its sessions store, what its requests under way reserve, and what
// its streams take. Each has a limit of its own, so that a caller that has stored as much as it may
// can still read.

import Synchronization

/// The bytes of one kind that one caller holds, and their limit.
package struct MemoryShare: ~Copyable, Sendable {
    package let bytesMax: Int
    private let held = Atomic<Int>(0)

    init(_ bytesMax: Int) { self.bytesMax = bytesMax }

    package var bytes: Int { held.load(ordering: .relaxed) }

    /// Counts `bytes` more, or fewer if negative. O(1).
    package func change(by bytes: Int) {
        if bytes != 0 { held.add(bytes, ordering: .relaxed) }
    }

    /// Whether `bytes` more are within the share. O(1).
    package func hasRoom(for bytes: Int) -> Bool { self.bytes &+ bytes <= bytesMax }
}

/// The bytes that are held on behalf of one caller.
package final class MemoryAccount: Sendable {
    /// The sessions that the caller has created.
    package let stored: MemoryShare
    /// The reservations for the caller's work. A single piece of work may exceed the limit.
    package let work: MemoryShare
    /// The filters of the caller's streams, long polls and watches.
    package let streams: MemoryShare
    /// Answers and streams that the caller has not taken. Shards bound them.
    package let unsent = MemoryShare(.max)
    private let openStreams = Atomic<Int>(0)

    package init(storedBytesMax: Int, workBytesMax: Int, streamBytesMax: Int) {
        stored = MemoryShare(storedBytesMax)
        work = MemoryShare(workBytesMax)
        streams = MemoryShare(streamBytesMax)
    }

    /// Counts one open stream more, unless there are `max`. O(1).
    package func takeStream(of max: Int) -> Bool {
        if openStreams.add(1, ordering: .relaxed).newValue <= max { return true }
        giveBackStream()
        return false
    }

    /// Counts one open stream fewer. O(1).
    package func giveBackStream() { openStreams.subtract(1, ordering: .relaxed) }
}

/// Names a caller: a token, or where there are none the address of the client.
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
    /// Accounts that nothing else refers to stay until there are many. Weak references would make each
    /// retain of an account slower, and writes do that.
    private struct State {
        var accounts: [CallerKey: MemoryAccount] = [:]
        var countMax = State.countMin
        static let countMin = 1_024

        /// Removes the accounts of callers that are gone. O(accounts), amortised O(1).
        mutating func sweep() {
            for caller in Array(accounts.keys) {
                guard var account = accounts.removeValue(forKey: caller) else { continue }
                if !isKnownUniquelyReferenced(&account) { accounts[caller] = account }
            }
            countMax = max(Self.countMin, accounts.count * 2)
        }
    }

    private let state = Mutex(State())
    private let make: @Sendable () -> MemoryAccount

    init(_ make: @escaping @Sendable () -> MemoryAccount) { self.make = make }

    /// The account of a caller. O(1) amortised.
    package func account(of caller: CallerKey) -> MemoryAccount {
        state.withLock { state in
            if let known = state.accounts[caller] { return known }
            if state.accounts.count >= state.countMax { state.sweep() }
            let account = make()
            state.accounts[caller] = account
            return account
        }
    }
}
