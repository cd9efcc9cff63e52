// The memory of one caller: what its sessions store, what its requests under way reserve, and what
// its streams take. Each has a limit of its own, so that a caller that has stored as much as it may
// can still read.

import Synchronization

/// The bytes that are held on behalf of one caller.
package final class MemoryAccount: Sendable {
    /// As much as the sessions of one caller may hold.
    package let storedBytesMax: Int
    /// As much as may be reserved for one caller's work at a time, beside one piece of it.
    package let workBytesMax: Int
    /// As much as the filters of one caller's streams, long polls and watches may take.
    package let streamBytesMax: Int
    private let stored = Atomic<Int>(0)
    private let work = Atomic<Int>(0)
    private let unsent = Atomic<Int>(0)
    private let streams = Atomic<Int>(0)
    private let openStreams = Atomic<Int>(0)

    package init(storedBytesMax: Int, workBytesMax: Int, streamBytesMax: Int) {
        self.storedBytesMax = storedBytesMax
        self.streamBytesMax = streamBytesMax
        self.workBytesMax = workBytesMax
    }

    /// Bytes of the sessions that the caller has created.
    package var storedBytes: Int { stored.load(ordering: .relaxed) }
    /// Bytes that are reserved for the caller's work.
    package var workBytes: Int { work.load(ordering: .relaxed) }
    /// Bytes of answers and streams that the caller has not taken.
    package var unsentBytes: Int { unsent.load(ordering: .relaxed) }

    /// Bytes of the filters that the caller's streams, long polls and watches have made.
    package var streamBytes: Int { streams.load(ordering: .relaxed) }

    /// Counts so many bytes of filters more, or fewer. O(1).
    package func changeStreams(by bytes: Int) { streams.add(bytes, ordering: .relaxed) }

    /// Whether so many more bytes of filters are within the share. O(1).
    package func hasRoom(toStream bytes: Int) -> Bool { streamBytes &+ bytes <= streamBytesMax }

    /// Counts one open stream more, unless there are `max`. O(1).
    package func takeStream(of max: Int) -> Bool {
        if openStreams.add(1, ordering: .relaxed).newValue <= max { return true }
        giveBackStream()
        return false
    }

    /// Counts one open stream fewer. O(1).
    package func giveBackStream() { openStreams.subtract(1, ordering: .relaxed) }

    /// Counts so many stored bytes more, or fewer. O(1).
    package func changeStored(by bytes: Int) { stored.add(bytes, ordering: .relaxed) }

    /// Counts so many bytes of work more, or fewer. O(1).
    package func changeWork(by bytes: Int) { work.add(bytes, ordering: .relaxed) }

    /// Counts so many bytes more, or fewer, that the caller has not taken. O(1).
    package func changeUnsent(by bytes: Int) {
        if bytes != 0 { unsent.add(bytes, ordering: .relaxed) }
    }

    /// Whether so many more stored bytes are within the share. O(1).
    package func hasRoom(toStore bytes: Int) -> Bool { storedBytes &+ bytes <= storedBytesMax }

    /// Whether so many more bytes of work are within the share. A single piece of work always is.
    /// O(1).
    package func hasRoom(toWork bytes: Int) -> Bool {
        let held = workBytes
        return held == 0 || held &+ bytes <= workBytesMax
    }
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
    private let storedBytesMax: Int
    private let workBytesMax: Int
    private let streamBytesMax: Int

    init(storedBytesMax: Int, workBytesMax: Int, streamBytesMax: Int) {
        self.storedBytesMax = storedBytesMax
        self.workBytesMax = workBytesMax
        self.streamBytesMax = streamBytesMax
    }

    /// The account of a caller. O(1) amortised.
    package func account(of caller: CallerKey) -> MemoryAccount {
        state.withLock { state in
            if let known = state.accounts[caller] { return known }
            if state.accounts.count >= state.countMax { state.sweep() }
            let account = MemoryAccount(
                storedBytesMax: storedBytesMax, workBytesMax: workBytesMax,
                streamBytesMax: streamBytesMax)
            state.accounts[caller] = account
            return account
        }
    }
}
