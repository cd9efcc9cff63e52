// Overrides that end at a time: a table beside the engine, since resolving values needs to know nothing of it. It is
// part of the state: log entries and snapshots have the times, and the state's digest counts them. The end of
// an override is a commit of the server, which `Session.end` queues when the wall clock has reached the time.

import HeapModule
import TraitEngine

/// An override that ends at a time, in milliseconds since 1970.
package struct Expiry: Hashable, Sendable {
    let node: Int32
    let trait: UInt16
    let time: Int64
}

/// The table of one session.
struct ExpiryTable: Sendable {
    private struct Change {
        let node: Int32
        let trait: UInt16
        let old: Int64?
    }

    /// An override that is looked at when the clock shows `at`.
    private struct Due: Comparable {
        let at: Int64
        let expiry: Expiry

        static func < (one: Due, other: Due) -> Bool { one.at < other.at }
    }

    /// An override whose end was tried.
    private struct Trial {
        /// When its end is tried again.
        let again: Int64
        let count: Int
    }

    private var times: [Int32: [UInt16: Int64]] = [:]
    private(set) var count = 0
    private var changes = TableChanges<Change>()
    /// The earliest first. An override whose time has changed has older entries, too.
    private var queue = Heap<Due>()
    /// The overrides whose end was tried and is not acknowledged. Each is in the queue at the time of the next try.
    private var trials: [Expiry: Trial] = [:]
    /// The clock at the last look. A clock that was set back has every override looked at again.
    private var lookedAt: Int64 = .min

    /// An end that was not committed is tried again after this time.
    private static let retryMilliseconds: Int64 = 5_000

    var isEmpty: Bool { count == 0 }

    /// The table's part of the digests of the state and of the content.
    var digest: StateDigest { changes.digest }

    /// Bytes of the table, about.
    var heldBytes: Int {
        times.count &* 160 &+ count &* 24 &+ queue.count &* MemoryLayout<Due>.stride
            &+ trials.count &* 64
    }

    /// When the override ends, in milliseconds since 1970; nil for one that stays. O(1).
    func time(_ node: NodeIndex, _ trait: TraitIndex) -> Int64? {
        times[node.rawValue]?[trait.rawValue]
    }

    /// The overrides of a node that end, in the order of their traits' indices.
    func ends(at node: NodeIndex) -> [Expiry] {
        (times[node.rawValue] ?? [:]).sorted { $0.key < $1.key }.map {
            Expiry(node: node.rawValue, trait: $0.key, time: $0.value)
        }
    }

    /// The overrides of a trait that end, in no order. O(table).
    func ends(of trait: TraitIndex) -> [Expiry] {
        times.compactMap { node, times in
            times[trait.rawValue].map { Expiry(node: node, trait: trait.rawValue, time: $0) }
        }
    }

    // MARK: - Changes, inside of a transaction

    /// Sets the time at which an override ends; nil has it stay.
    mutating func set(
        _ node: NodeIndex, _ trait: TraitIndex, _ time: Int64?, in hierarchy: Hierarchy
    ) {
        if time == nil, count == 0 { return }
        let old = self.time(node, trait)
        if old == time { return }
        changes.add(Change(node: node.rawValue, trait: trait.rawValue, old: old))
        if let old { changes.digest.remove(Self.fact(node, trait, old, hierarchy)) }
        if let time { changes.digest.add(Self.fact(node, trait, time, hierarchy)) }
        put(node.rawValue, trait.rawValue, time)
    }

    /// Removes the times of a node that is deleted.
    mutating func forget(_ node: NodeIndex, in hierarchy: Hierarchy) {
        for expiry in ends(at: node) {
            set(node, TraitIndex(rawValue: expiry.trait), nil, in: hierarchy)
        }
    }

    private static func fact(
        _ node: NodeIndex, _ trait: TraitIndex, _ time: Int64, _ hierarchy: Hierarchy
    ) -> StateDigest {
        var hash = FactHash.mix(1_004, FactHash.hash(hierarchy.identifier(of: node)))
        hash = FactHash.mix(hash, FactHash.hash(hierarchy.definitions[trait].key))
        hash = FactHash.mix(hash, UInt64(bitPattern: time))
        return StateDigest(full: hash, content: hash)
    }

    private mutating func put(_ node: Int32, _ trait: UInt16, _ time: Int64?) {
        let before = times[node]?.count ?? 0
        times[node, default: [:]][trait] = time
        let after = times[node]?.count ?? 0
        if after == 0 { times[node] = nil }
        count += after - before
        if let time {
            queue.insert(
                Due(at: time, expiry: Expiry(node: node, trait: trait, time: time)))
        }
    }

    /// Drops entries of the queue for overrides that have ended or have another time. Only between transactions, as an
    /// open one may be rolled back. Amortized O(log n) for each entry.
    private mutating func compact() {
        if count == 0 {
            queue = Heap()
            trials = [:]
        } else if queue.count > 2 * count + 64 {
            trials = trials.filter { times[$0.key.node]?[$0.key.trait] == $0.key.time }
            fillQueue()
        }
    }

    /// Whether the open transaction changes a time in the end. O(changes).
    @inline(__always)
    var hasOpenChanges: Bool { !changes.open.isEmpty && hasOtherTimes }

    private var hasOtherTimes: Bool {
        var seen: Set<[Int32]> = []
        return changes.open.contains { change in
            seen.insert([change.node, Int32(change.trait)]).inserted
                && times[change.node]?[change.trait] != change.old
        }
    }

    // MARK: - Rolling back

    /// Rolls back the open transaction.
    mutating func rollback() {
        if changes.open.isEmpty { return }
        for change in changes.rollback() { put(change.node, change.trait, change.old) }
        compact()
    }

    /// Ends the open transaction, which became the commit of that revision.
    ///
    /// - Returns: whether it changed times.
    @inline(__always)
    mutating func seal(_ revision: Int64) -> Bool { changes.seal(revision) }

    /// Undoes the changes of commits after the revision.
    ///
    /// - Returns: whether they changed times.
    mutating func undo(after revision: Int64) -> Bool {
        let undone = changes.undo(after: revision)
        for change in undone { put(change.node, change.trait, change.old) }
        return !undone.isEmpty
    }

    /// Forgets how to undo commits up to the revision.
    @inline(__always)
    mutating func acknowledge(through revision: Int64) {
        if changes.acknowledge(through: revision), changes.open.isEmpty { compact() }
    }

    /// Adds the times of a document, outside of any transaction. O(times · log(times)).
    mutating func restore(_ found: [Expiry], in hierarchy: Hierarchy) {
        for expiry in found {
            set(
                NodeIndex(rawValue: expiry.node), TraitIndex(rawValue: expiry.trait), expiry.time,
                in: hierarchy)
        }
        changes.forgetOpen()
    }

    // MARK: - The earliest ends

    /// Overrides that one commit ends. The entry of such a commit has some hundred kilobytes.
    private static let endsAtATime = 2_000

    /// Overrides whose time has come and that one commit ends, the earliest first; empty when there are no more. Each
    /// is looked at again later, in case its end is not committed. Then fewer are taken at a time, since the commit may
    /// have been refused for its size. O(log n) for each; O(n) after the clock was set back.
    mutating func takeDue(at now: Int64) -> [Expiry] {
        if now < lookedAt {
            trials = [:]
            fillQueue()
        }
        lookedAt = now
        var taken: [Expiry] = []
        var limit = Self.endsAtATime
        while taken.count < limit, let first = queue.min, first.at <= now {
            queue.removeMin()
            let expiry = first.expiry
            guard times[expiry.node]?[expiry.trait] == expiry.time else {
                trials[expiry] = nil
                continue
            }
            let trial = trials[expiry]
            if let trial, trial.again > now { continue }
            taken.append(expiry)
            let tries = trial?.count ?? 0
            limit = min(limit, max(1, Self.endsAtATime >> (2 * tries)))
            let again = now + Self.retryMilliseconds
            trials[expiry] = Trial(again: again, count: min(tries + 1, Self.triesMax))
            queue.insert(Due(at: again, expiry: expiry))
        }
        return taken
    }

    /// From this number of tries on, each override ends by a commit of its own.
    private static let triesMax = 6

    private mutating func fillQueue() {
        queue = Heap(
            times.flatMap { node, times in
                times.map { trait, time in
                    let expiry = Expiry(node: node, trait: trait, time: time)
                    return Due(at: trials[expiry]?.again ?? time, expiry: expiry)
                }
            })
    }
}
