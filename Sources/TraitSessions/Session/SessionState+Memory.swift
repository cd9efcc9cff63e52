// The memory of a session, and how writes reserve more. A write is admitted by an estimate before
// it is applied. Where it may have taken much more, the session is counted afterwards, and the
// write is undone when there is no room. Replay is not checked, since every entry of the log was
// admitted once.

import Background
import Ledger
import Synchronization
import TraitEngine
import TraitJSON

/// The memory of one session.
struct SessionHolding {
    /// Bytes that an empty session takes, about.
    static let emptyBytes = 10_240
    /// The part of `emptyBytes` that no arena counts: tables of definitions, names of traits, lists for commits.
    static let tablesBytes = 6_144
    /// Bytes that a commit takes beside its request, about.
    static let commitBytes = 512

    private let memory: MemoryLedger
    /// The account that the session counts in.
    var owner: MemoryAccount?
    /// The bytes of the last count.
    private(set) var bytes = 0
    /// Estimated bytes that were added since the last count.
    private var added = 0
    /// The bytes that the owner's account has of this session.
    private var counted = 0
    /// The hierarchy's, as counted last.
    fileprivate var hierarchyBytes = 0

    init(_ memory: MemoryLedger) { self.memory = memory }

    /// Adds to the estimate. Returns whether the session has to be counted anew.
    @inline(__always)
    fileprivate mutating func add(_ bytes: Int) -> Bool {
        added &+= bytes
        return self.bytes &+ added > memory.sessionBytesMax
    }

    fileprivate mutating func count(_ bytes: Int) {
        self.bytes = bytes
        added = 0
        owner?.stored.change(by: bytes &- counted)
        if owner != nil { counted = bytes }
    }

    /// The session has ended.
    mutating func end() { count(0) }
}

/// Bytes of a session by purpose.
package struct SessionBytes {
    package var hierarchy = HierarchyBytes()
    var retained = 0
    var feeds = 0
    package var rest = 0
    /// Bytes of snapshots that readers hold, about. They are no part of the session's total.
    var snapshots = 0

    package var total: Int { hierarchy.total &+ retained &+ feeds &+ rest }
}

extension SessionState {
    /// Counts the bytes that the session takes now, and reports them to its account. O(1).
    package func countBytes() -> SessionBytes {
        var bytes = SessionBytes()
        bytes.hierarchy = hierarchy.heldBytes
        bytes.retained = streams.retained.heldBytes
        bytes.feeds = streams.feeds.heldBytes
        bytes.rest =
            registrationNotes.count &* 224 &+ outcomes.heldBytes
            &+ annotations.managers.heldBytes &+ annotations.expiries.heldBytes
            &+ annotations.covered.heldBytes
            &+ streams.leases.heldBytes &+ SessionHolding.tablesBytes
        if let bases = upkeep.past.bases { bytes.rest &+= bases.byteCount }
        bytes.snapshots = snapshotsHeld &* bytes.hierarchy.total
        upkeep.holding.hierarchyBytes = bytes.hierarchy.total
        // Feeds count in the accounts of those that read, so that no reader takes the room of writers.
        upkeep.holding.count(bytes.total &- bytes.feeds)
        return bytes
    }

    /// Admits the memory that a write may take. Returns the limit that leaves no room; nil when
    /// there is room. O(1).
    @inline(__always)
    func shortage(forRequestOf bytes: Int) -> MemoryShortage? {
        let memory = environment.memory
        guard memory.isLimited else { return nil }
        let estimate = bytes &* 2 &+ SessionHolding.commitBytes
        guard memory.admit(estimate) else { return memory.shortage }
        if let owner = upkeep.holding.owner, !owner.stored.hasRoom(for: estimate) {
            return shareShortage(estimate)
        }
        return upkeep.holding.add(estimate) ? shareShortage(estimate) : nil
    }

    /// Counts before it refuses, since most of the added bytes may have replaced others.
    @inline(never)
    private func shareShortage(_ estimate: Int) -> MemoryShortage? {
        let memory = environment.memory
        _ = countBytes()
        if upkeep.holding.bytes &+ estimate > memory.sessionBytesMax { dropSurplusCommits() }
        if upkeep.holding.bytes &+ estimate > memory.sessionBytesMax {
            return MemoryShortage(
                .session, bytesMax: memory.sessionBytesMax, bytes: upkeep.holding.bytes)
        }
        if let owner = upkeep.holding.owner, !owner.stored.hasRoom(for: estimate) {
            return MemoryShortage(
                .caller, bytesMax: owner.stored.bytesMax, bytes: owner.stored.bytes)
        }
        return nil
    }

    /// Drops the retained commits beyond `retainedBytesMax` that only `retainedCommitsMin` or the past keeps, before a
    /// write is refused for want of memory.
    private func dropSurplusCommits() {
        let dropped = shrinkWindow(to: limits.retainedBytesMax, isLast: true)
        if dropped.isEmpty { return }
        Disposal.keepForAWhile(dropped)
        _ = countBytes()
    }

    /// Less growth than this is not checked: the next count includes it.
    static let growthBytesMin = 262_144

    /// Checks the memory that the open transaction has taken so far.
    ///
    /// - Parameter notified: bytes of the commit's notifications.
    /// - Throws: `memoryFull` when there is no room for it.
    func checkGrowth(notified: Int = 0) throws(SessionError) {
        let memory = environment.memory
        guard memory.isLimited else { return }
        let held = hierarchy.heldBytes.total
        let growth = held &- upkeep.holding.hierarchyBytes &+ notified
        guard growth >= Self.growthBytesMin else { return }
        if !memory.confirm(growth) { throw SessionError(memory.shortage) }
        _ = countBytes()
        if upkeep.holding.bytes &+ notified > memory.sessionBytesMax { dropSurplusCommits() }
        if upkeep.holding.bytes &+ notified > memory.sessionBytesMax {
            throw SessionError(
                MemoryShortage(
                    .session, bytesMax: memory.sessionBytesMax,
                    bytes: upkeep.holding.bytes &+ notified
                ))
        }
    }

    /// Checks the memory at the end of a transaction, unless it only set or removed one value and notified little.
    func checkGrowth(of transaction: Transaction, notified: Int) throws(SessionError) {
        if notified < Self.growthBytesMin, transaction.counts.isOneValue { return }
        try checkGrowth(notified: notified)
    }
}

extension Session {
    /// Lets go of the oldest retained commits until the window has at most so many bytes. Streams resume
    /// from the others.
    ///
    /// - Returns: the bytes of the commits let go.
    func shrinkWindow(to bytesMax: Int) -> Int {
        var bytes = 0
        while true {
            let dropped = withState { $0.shrinkWindow(to: bytesMax) }
            bytes += dropped.reduce(0) { $0 + $1.byteCount }
            if dropped.count < RetainedCommits.droppedMax { return bytes }
        }
    }
}

extension Operation {
    /// Whether the operation may add to the stored bytes.
    var grows: Bool {
        switch self {
        case .deleteNode, .removeValue, .deleteTrait, .unregister, .removeScope,
            .deleteEnvironmentKey, .removeEnvironment, .deleteDynamic, .clearOverrides:
            false
        default: true
        }
    }
}

extension OperationCounts {
    /// Whether there is one operation, which sets or removes a value.
    var isOneValue: Bool {
        switch sole {
        case .setOverride, .setSupplied, .removeOverride, .removeSupplied: true
        default: false
        }
    }
}

extension SessionError {
    /// A write that there is no room for.
    package init(_ shortage: MemoryShortage) {
        let max = shortage.bytesMax
        switch shortage.limit {
        case .process:
            self = .limit(
                .memoryFull,
                "The server holds \(shortage.bytes) of memoryBytesMax=\(max) bytes, and has no room "
                    + "for this. Delete something, or start it with a larger --max-memory.",
                name: "memoryBytesMax", value: max
            ).with(option: "--max-memory", max, held: shortage.bytes)
        case .session:
            self = .limit(
                .memoryFull,
                "The session holds \(shortage.bytes) of the \(max) bytes that one session may have "
                    + "of the server's memory. Delete something in it, or raise "
                    + "--limit session-memory-percent-max.",
                name: "sessionMemoryPercentMax", value: max
            ).with(option: "--limit session-memory-percent-max", max, held: shortage.bytes)
        case .caller:
            self = .limit(
                .memoryFull,
                "Your sessions hold \(shortage.bytes) of the \(max) bytes that one caller may have "
                    + "of the server's memory. Delete something, or raise "
                    + "--limit caller-memory-percent-max.",
                name: "callerMemoryPercentMax", value: max
            ).with(option: "--limit caller-memory-percent-max", max, held: shortage.bytes)
        case .space:
            self = SessionError.limit(
                .memoryFull, shortage.spaceText ?? "", name: shortage.spaceName ?? "", value: max
            ).with("value", Int64(max)).with("current", Int64(shortage.bytes))
        }
    }

    /// Adds the option that sets a limit of memory, the limit, and the bytes that are held.
    package func with(option: String, _ max: Int, held: Int) -> SessionError {
        with("option", option).with("value", Int64(max)).with("current", Int64(held))
    }

    /// The error for a stream whose caller has no room for another filter.
    static func noRoomToFollow(_ caller: MemoryAccount) -> SessionError {
        let (max, bytes) = (caller.streams.bytesMax, caller.streams.bytes)
        return SessionError(
            .outOfMemory,
            "Your streams, long polls and watches take \(bytes) of the \(max) "
                + "bytes that those of one caller may take, those included that linger after their last "
                + "reader. Name fewer registrations and watches, use fewer filters, or wait."
        ).with(option: "--max-memory", max, held: bytes)
    }

    /// The error for a read whose answer would take more memory than there is.
    package static func noRoomToRead(_ shortage: MemoryShortage) -> SessionError {
        if let text = shortage.spaceText, let name = shortage.spaceName {
            return .limit(.outOfMemory, text, name: name, value: shortage.bytesMax)
                .with("current", Int64(shortage.bytes))
        }
        return SessionError(
            .outOfMemory,
            "The server holds \(shortage.bytes) of memoryBytesMax=\(shortage.bytesMax) bytes, and "
                + "has no room for this answer now. Try again, or ask for less."
        ).with("limit", "memoryBytesMax=\(shortage.bytesMax)").with(
            option: "--max-memory", shortage.bytesMax, held: shortage.bytes)
    }
}

extension MemoryLedger {
    /// Reserves memory for a long read.
    ///
    /// - Throws: `outOfMemory`.
    package func reserving(
        _ bytes: Int, for caller: MemoryAccount? = nil
    ) throws(SessionError) -> MemoryReservation {
        guard let reservation = reserveForReading(bytes, for: caller) else {
            throw .noRoomToRead(shortage)
        }
        return reservation
    }
}

extension SessionState {
    @inline(__always)
    func reportSize(stripe: Int) {
        upkeep.reported.update(
            nodes: hierarchy.nodeCount, registrations: registrationNotes.count, stripe: stripe)
    }

    /// From here on the session counts.
    func report(to meters: SessionMeters) {
        upkeep.reported = ReportedSize(to: meters)
        reportSize(stripe: SessionMeters.otherStripe)
    }
}
