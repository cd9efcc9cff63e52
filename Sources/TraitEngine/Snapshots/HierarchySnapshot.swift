// A hierarchy as it was, for reading it at length on another thread: exports, logs, long answers.
//
// With pages that are copied when they are written, every read would have to look up its page. So a
// snapshot copies everything, but later: taking it stores addresses and counts of the arenas, a few
// hundred nanoseconds each. `materialize()` makes the copy while the owner works on; the owner
// saves a few hundred bytes before it first overwrites them.

import Synchronization

/// Why a snapshot has no hierarchy to give.
public enum SnapshotError: Error, Hashable, Sendable {
    /// `cancel()` was called before the copy was complete.
    case cancelled
    /// It was given away, or is being made.
    case materialized
}

/// The state of a hierarchy at the moment when `Hierarchy.snapshot()` was called.
///
/// Costs the owner something as long as it is neither materialized nor cancelled: bytes that it is
/// about to overwrite are saved once, at the most the hierarchy's size.
public final class HierarchySnapshot: Sendable {
    private enum Stage {
        static let open: UInt8 = 0
        static let materializing: UInt8 = 1
        static let over: UInt8 = 2
    }

    public let revision: Int64
    /// Nodes that are not deleted.
    public let nodeCount: Int

    /// Unsafe: belongs to the thread that ends the stage `open`, which takes it out.
    private nonisolated(unsafe) var hierarchy: Hierarchy?
    private let copies: SnapshotCopies
    private let stage = Atomic<UInt8>(Stage.open)

    init(_ hierarchy: Hierarchy, _ copies: SnapshotCopies) {
        revision = hierarchy.revision
        nodeCount = hierarchy.nodeCount
        self.hierarchy = hierarchy
        self.copies = copies
    }

    deinit { cancel() }

    /// Copies what is still missing and answers a hierarchy with that state, to be read by the
    /// caller only; it refuses transactions and watches. To be called once, on any thread, without
    /// the lock that guards the snapshot's origin. O(bytes): about 50 ms for a million nodes.
    ///
    /// - Throws: `SnapshotError`.
    public func materialize() throws(SnapshotError) -> sending Hierarchy {
        if !advance(from: Stage.open, to: Stage.materializing) {
            throw isCancelled ? .cancelled : .materialized
        }
        let made = hierarchy
        hierarchy = nil
        let isComplete = copies.all.allSatisfy { $0.complete() }
        stage.store(Stage.over, ordering: .releasing)
        guard isComplete, !isCancelled, let made else {
            close()
            throw .cancelled
        }
        copies.state.isClosed.store(true, ordering: .releasing)
        return made
    }

    /// Lets the snapshot go: a copy under way ends soon. Letting go of the last reference does
    /// the same. O(1), and O(bytes copied / 4096) to give memory back.
    public func cancel() {
        if advance(from: Stage.open, to: Stage.over) {
            copies.state.isCancelled.store(true, ordering: .releasing)
            close()
            hierarchy = nil
        } else if stage.load(ordering: .acquiring) == Stage.materializing {
            // `materialize()` then throws, unless it has returned already.
            copies.state.isCancelled.store(true, ordering: .releasing)
        }
    }

    private func close() {
        copies.state.isClosed.store(true, ordering: .releasing)
        for copy in copies.all { copy.discard() }
    }

    private func advance(from old: UInt8, to new: UInt8) -> Bool {
        stage.compareExchange(expected: old, desired: new, ordering: .acquiringAndReleasing)
            .exchanged
    }

    private var isCancelled: Bool { copies.state.isCancelled.load(ordering: .acquiring) }
}
