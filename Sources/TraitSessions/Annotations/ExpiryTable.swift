// Overrides that end at a time: a table beside the engine, since resolving values needs to know nothing of it. It is
// part of the state: log entries and snapshots have the times, and the state's digest counts them. The end of
// an override is a commit of the server, which `Session.end` queues when the wall clock has reached the time.

import HeapModule
import TraitEngine

/// An override that ends at a time, in milliseconds since 1970.
package struct Expiry: Hashable, Sendable {
    let node: NodeIndex
    let trait: TraitIndex
    let time: Int64
}

/// The table of one session. `Annotations` changes it, and takes changes back.
package struct ExpiryTable: Sendable {
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

    private var times: [NodeIndex: [TraitIndex: Int64]] = [:]
    private(set) var count = 0
    /// The earliest first. An override whose time has changed has older entries, too.
    private var queue = Heap<Due>()
    /// The overrides whose end was tried and is not acknowledged. Each is in the queue at the time of the next try.
    private var trials: [Expiry: Trial] = [:]
    /// The clock at the last look. A clock that was set back has every override looked at again.
    private var lookedAt: Int64 = .min

    /// An end that was not committed is tried again after this time.
    private static let retryMilliseconds: Int64 = 5_000

    package var isEmpty: Bool { count == 0 }

    /// Bytes of the table, about.
    var heldBytes: Int {
        times.count &* 160 &+ count &* 24 &+ queue.count &* MemoryLayout<Due>.stride
            &+ trials.count &* 64
    }

    /// When the override ends, in milliseconds since 1970; nil for one that stays. O(1).
    func time(_ node: NodeIndex, _ trait: TraitIndex) -> Int64? {
        times[node]?[trait]
    }

    /// The overrides of a node that end, in the order of their traits' indices.
    func ends(at node: NodeIndex) -> [Expiry] {
        (times[node] ?? [:]).sorted { $0.key < $1.key }.map {
            Expiry(node: node, trait: $0.key, time: $0.value)
        }
    }

    /// The overrides of a trait that end, in no order. O(table).
    func ends(of trait: TraitIndex) -> [Expiry] {
        times.compactMap { node, times in
            times[trait].map { Expiry(node: node, trait: trait, time: $0) }
        }
    }

    // MARK: - Changes

    /// Sets the time at which an override ends; nil has it stay. O(log n).
    mutating func put(_ node: NodeIndex, _ trait: TraitIndex, _ time: Int64?) {
        let before = times[node]?.count ?? 0
        times[node, default: [:]][trait] = time
        let after = times[node]?.count ?? 0
        if after == 0 { times[node] = nil }
        count += after - before
        if let time {
            queue.insert(Due(at: time, expiry: Expiry(node: node, trait: trait, time: time)))
        }
    }

    /// Drops entries of the queue for overrides that have ended or have another time. Only between transactions, as an
    /// open one may be rolled back. Amortized O(log n) for each entry.
    mutating func compact() {
        if count == 0 {
            queue = Heap()
            trials = [:]
        } else if queue.count > 2 * count + 64 {
            trials = trials.filter { times[$0.key.node]?[$0.key.trait] == $0.key.time }
            fillQueue()
        }
    }

    /// The fact that an override ends, for the digests of the state and of the content.
    static func fact(
        _ node: NodeIndex, _ trait: TraitIndex, _ time: Int64, _ hierarchy: Hierarchy
    ) -> StateDigest {
        var hash = FactHash.mix(1_004, FactHash.hash(hierarchy.identifier(of: node)))
        hash = FactHash.mix(hash, FactHash.hash(hierarchy.definitions[trait].key))
        hash = FactHash.mix(hash, UInt64(bitPattern: time))
        return StateDigest(full: hash, content: hash)
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
