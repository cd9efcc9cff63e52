// Figures of all sessions together. They are counted when something changes, so that reading the figures costs
// the same for one session and for ten thousand.

import Synchronization

/// Counts over all sessions of a store. Each thread that commits counts in a stripe of its own, so that
/// shards do not contend for a cache line.
package final class SessionMeters: Sendable {
    package enum Figure: Int, CaseIterable, Sendable {
        /// Commits that the log has acknowledged, tombstones included.
        case commits
        /// Appends that found another writer's entry in the log.
        case conflicts
        /// Questions to a shared log for the newest heads.
        case confirmations
        /// Calls of the log that append, and the entries in them.
        case appends, appendedEntries
        /// The numbers at present, not totals since the start.
        case nodes, registrations
    }

    package static let stripes = 16
    /// The stripe of threads that belong to no shard.
    static let otherStripe = stripes - 1
    /// Two cache lines: processors fetch them in pairs.
    private static let stripeWords = 16

    /// Atomics, which never move.
    nonisolated(unsafe) private let words: UnsafeMutablePointer<Atomic<Int>>

    init() {
        let count = Self.stripes * Self.stripeWords
        words = .allocate(capacity: count)
        for index in 0..<count { (words + index).initialize(to: Atomic(0)) }
    }

    deinit {
        words.deinitialize(count: Self.stripes * Self.stripeWords)
        words.deallocate()
    }

    @inline(__always)
    func add(_ figure: Figure, _ difference: Int = 1, stripe: Int) {
        words[stripe % Self.stripes * Self.stripeWords + figure.rawValue].add(
            difference, ordering: .relaxed)
    }

    /// The sum over all stripes, each read at about the same time. O(1).
    package func total(_ figure: Figure) -> Int {
        (0..<Self.stripes).reduce(0) { sum, stripe in
            sum &+ words[stripe * Self.stripeWords + figure.rawValue].load(ordering: .relaxed)
        }
    }
}

/// The part of the meters that one session has reported.
struct ReportedSize {
    /// Nil for a session of no store.
    private(set) var meters: SessionMeters?
    private var nodes = 0
    private var registrations = 0

    init() {}

    init(to meters: SessionMeters) { self.meters = meters }

    /// Reports what has changed since the last report. O(1).
    @inline(__always)
    mutating func update(nodes: Int, registrations: Int, stripe: Int) {
        guard let meters else { return }
        if nodes != self.nodes {
            meters.add(.nodes, nodes &- self.nodes, stripe: stripe)
            self.nodes = nodes
        }
        if registrations != self.registrations {
            meters.add(.registrations, registrations &- self.registrations, stripe: stripe)
            self.registrations = registrations
        }
    }

    /// The session holds nothing any more.
    mutating func end() {
        update(nodes: 0, registrations: 0, stripe: SessionMeters.otherStripe)
        meters = nil
    }
}
