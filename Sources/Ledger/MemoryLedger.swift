// The ledger of bytes for the whole process. Stored data and work under way are admitted here
// before they take memory, so that no request takes memory that others need.
//
//   measured     resident memory, read by a timer, and again before something is refused
//   charged      admitted since then, in small amounts; the next measurement shows it
//   reserved     admitted for work under way, which may not have taken it yet
//
// Their sum never exceeds the budget by what is admitted. Admitting is two or three atomic operations;
// only what would be refused costs a system call. Reading a session asks for nothing.

import Synchronization

package final class MemoryLedger: Sendable {
    /// Bytes that the process may take; `Int.max` when nothing bounds it.
    package let bytesMax: Int
    /// Bytes that one session may hold.
    package let sessionBytesMax: Int
    package let accounts: MemoryAccounts
    /// Nil where the address space is no concern.
    package let space: AddressSpace?

    private let measured = Atomic<Int>(0)
    private let charged = Atomic<Int>(0)
    private let reserved = Atomic<Int>(0)
    private let resident = Atomic<Int>(0)
    /// Bytes of the parts as they were counted last.
    private let parts = Mutex<[Int]>(Array(repeating: 0, count: MemoryPart.allCases.count))
    private let isMeasuring = Mutex<Void>(())
    private let measure: @Sendable () -> Int?

    /// No budget at all: for libraries and tests that have none.
    package static let unlimited = MemoryLedger(bytesMax: .max)

    /// - Parameters:
    ///   - bytesMax: the budget.
    ///   - sessionPercentMax: how much of it one session may hold.
    ///   - callerPercentMax: how much of it the sessions of one caller may hold.
    ///   - space: the process's address space. While it has less room than the budget, its room counts.
    ///   - measure: the process's memory now; nil when it is unknown.
    package init(
        bytesMax: Int, sessionPercentMax: Int = 100, callerPercentMax: Int = 100,
        space: AddressSpace? = nil,
        measure: @escaping @Sendable () -> Int? = ResidentMemory.bytes
    ) {
        self.space = space
        self.bytesMax = bytesMax
        self.measure = measure
        func share(_ percent: Int) -> Int {
            bytesMax == .max ? .max : bytesMax / 100 * max(1, min(100, percent))
        }
        sessionBytesMax = share(sessionPercentMax)
        let (stored, work) = (share(callerPercentMax), share(Self.workPercentMax))
        let streams = share(Self.streamPercentMax)
        accounts = MemoryAccounts {
            MemoryAccount(storedBytesMax: stored, workBytesMax: work, streamBytesMax: streams)
        }
        if bytesMax != .max { measureNow() }
    }

    /// How much of the budget may be reserved for the work of one caller.
    private static let workPercentMax = 25
    /// How much of the budget the streams of one caller may take beside their answers.
    private static let streamPercentMax = 25

    package var isLimited: Bool { bytesMax != .max }

    /// Bytes that count against the budget now.
    package var bytes: Int {
        measured.load(ordering: .relaxed) &+ charged.load(ordering: .relaxed)
            &+ reserved.load(ordering: .relaxed)
    }

    /// Resident memory, as it was measured last.
    package var residentBytes: Int { resident.load(ordering: .relaxed) }

    /// Why something was refused.
    package var shortage: MemoryShortage {
        if isSpaceShort.load(ordering: .relaxed),
            let shortage = space?.shortage(
                for: charged.load(ordering: .relaxed) &+ reserved.load(ordering: .relaxed) &+ 1)
        {
            return shortage
        }
        return MemoryShortage(.process, bytesMax: bytesMax, bytes: bytes)
    }

    // MARK: - Admitting

    /// Admits something small that is taken at once, such as a value or a node. O(1): one atomic
    /// addition; a system call where it would be refused.
    @inline(__always)
    package func admit(_ bytes: Int) -> Bool {
        let now = charged.wrappingAdd(bytes, ordering: .relaxed).newValue
        let others =
            measured.load(ordering: .relaxed) &+ reserved.load(ordering: .relaxed)
        if now &+ others <= bytesMax { return true }
        return admitAgain(bytes)
    }

    /// Measures before refusing, since most of what was charged may be freed again.
    @inline(never)
    private func admitAgain(_ bytes: Int) -> Bool {
        guard isLimited else { return true }
        if measureNow() { charged.add(bytes, ordering: .relaxed) }
        if self.bytes <= bytesMax { return true }
        charged.subtract(bytes, ordering: .relaxed)
        return false
    }

    /// Admits memory that is taken already: whether the process is still within its budget. O(1) like
    /// `admit`.
    package func confirm(_ bytes: Int) -> Bool {
        let now = charged.wrappingAdd(bytes, ordering: .relaxed).newValue
        let others =
            measured.load(ordering: .relaxed) &+ reserved.load(ordering: .relaxed)
        if now &+ others <= bytesMax { return true }
        measureNow()
        return self.bytes <= bytesMax
    }

    /// Reserves memory for work that takes it later, or in pieces; nil when there is no room. O(1).
    ///
    /// - Parameter caller: the account that the reservation counts in; one account reserves at most a
    ///   quarter of the budget.
    package func reserve(_ bytes: Int, for caller: MemoryAccount? = nil) -> MemoryReservation? {
        take(bytes, caller, .write) ? MemoryReservation(self, bytes, caller, .write) : nil
    }

    /// As `reserve`, for what a read needs.
    package func reserveForReading(
        _ bytes: Int, for caller: MemoryAccount? = nil
    ) -> MemoryReservation? {
        take(bytes, caller, .read) ? MemoryReservation(self, bytes, caller, .read) : nil
    }

    enum Purpose { case read, write }

    /// What a reservation leaves to others: small writes may take all of the budget, small reads leave a sixteenth of
    /// it to those, writes of more than a sixteenth half as much to small reads as well, and large reads leave an eighth.
    private func rest(beside bytes: Int, _ purpose: Purpose) -> Int {
        switch purpose {
        case .write: bytes > max(Self.smallBytesMax, bytesMax / 16) ? bytesMax / 32 * 3 : 0
        case .read: bytes > Self.smallBytesMax ? bytesMax / 8 : bytesMax / 16
        }
    }

    private static let smallBytesMax = 1_048_576

    /// - Parameter held: what the reservation has already.
    func take(
        _ bytes: Int, _ caller: MemoryAccount?, _ purpose: Purpose, beside held: Int = 0
    ) -> Bool {
        guard isLimited else { return true }
        let rest = rest(beside: held &+ bytes, purpose)
        if let caller {
            // One piece of work is always within the share.
            guard caller.work.bytes == 0 || caller.work.hasRoom(for: bytes) else { return false }
            caller.work.change(by: bytes)
        }
        reserved.add(bytes, ordering: .relaxed)
        if self.bytes <= bytesMax &- rest { return true }
        measureNow()
        if self.bytes <= bytesMax &- rest { return true }
        give(bytes, caller)
        return false
    }

    func give(_ bytes: Int, _ caller: MemoryAccount?) {
        guard isLimited else { return }
        reserved.subtract(bytes, ordering: .relaxed)
        caller?.work.change(by: -bytes)
    }

    func settle(_ bytes: Int, _ caller: MemoryAccount?) {
        guard isLimited else { return }
        charged.add(bytes, ordering: .relaxed)
        give(bytes, caller)
    }

    // MARK: - Measuring

    /// Measures the process's memory, unless another thread does so now. The measurement includes
    /// what was charged.
    ///
    /// - Returns: whether it was measured.
    @discardableResult
    package func measureNow() -> Bool {
        isMeasuring.withLockIfAvailable { _ in
            // The measurement may not include bytes that are charged from here on.
            let seen = charged.load(ordering: .relaxed)
            guard let bytes = measure() else { return false }
            resident.store(bytes, ordering: .relaxed)
            measured.store(withSpace(bytes &- reusable(of: bytes)), ordering: .relaxed)
            charged.subtract(seen, ordering: .relaxed)
            return true
        } ?? false
    }

    /// Whether there is less room in the address space than in the budget, as measured last.
    private let isSpaceShort = Atomic<Bool>(false)

    /// `bytes`, raised so that the budget has no more room than the address space. So admitting compares
    /// with one number.
    private func withSpace(_ bytes: Int) -> Int {
        guard let room = space?.room() else {
            if space != nil { isSpaceShort.store(false, ordering: .relaxed) }
            return bytes
        }
        let least = bytesMax &- room
        isSpaceShort.store(least > bytes, ordering: .relaxed)
        return max(bytes, least)
    }

    /// Memory that the allocator keeps for reuse counts as free, up to a quarter of the budget,
    /// since its pieces may be too small for later requests.
    private func reusable(of resident: Int) -> Int {
        min(kept.load(ordering: .relaxed), bytesMax / 4, resident)
    }

    private let kept = Atomic<Int>(0)

    /// Bytes that the allocator keeps for later, as a timer has found them.
    package func setKept(_ bytes: Int) { kept.store(max(0, bytes), ordering: .relaxed) }

    // MARK: - Parts

    package func setParts(_ bytes: [MemoryPart: Int]) {
        parts.withLock { parts in
            for (part, bytes) in bytes { parts[part.rawValue] = bytes }
        }
    }

    /// Bytes of each part, as they were counted last.
    package var partBytes: [(part: MemoryPart, bytes: Int)] {
        let bytes = parts.withLock { $0 }
        return MemoryPart.allCases.map { ($0, bytes[$0.rawValue]) }
    }
}

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

/// The bytes that are held on behalf of one caller: what its sessions store, what its requests under way reserve, and
/// what its streams take. Each has a limit of its own, so that a caller that has stored as much as it may can still
/// read.
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
