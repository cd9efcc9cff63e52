// The bounds of a write on an event loop, where it may take about half a millisecond. An operation
// that would take longer is refused before or while it is applied. The write is undone then, and a
// thread for writes carries it out.

import Glibc
import TraitEngine

enum ShortWrite {
    /// Watch nodes that a commit visits and notes that it makes.
    static let notifyingStepsMax = 400
    /// Bytes of the notes of a commit.
    static let notificationBytesMax = 131_072
    /// Operations of a transaction.
    static let operationsMax = 256
    /// Operations of a commit whose undo entries are released when the log has acknowledged it.
    static let acknowledgedMax = 4_096
    /// Nodes and registrations that a deletion visits.
    static let deletedMax = 500
    /// Links that are followed to measure the subtree of a move.
    static let movedMax = 60
    /// Nodes, and registrations, of a session that may be visited as a whole.
    static let sessionMax = 1_000
    /// Traits of a scope whose values are answered; each may have 16 KiB.
    static let scopeReadsMax = 64
    /// Feeds that a commit visits, each once for each of its members, and listeners.
    static let audienceMax = 2_000

    /// Checks the time while many operations are applied.
    struct Watch {
        private static let nanosecondsMax: UInt64 = 500_000
        private static let operationsAtATime = 8

        private let ticks: @Sendable () -> UInt64
        private let start: UInt64
        private var count = 0

        fileprivate init(_ environment: SessionEnvironment) {
            ticks = environment.ticks
            start = ticks()
        }

        /// - Throws: when half a millisecond is over.
        mutating func check() throws(SessionError) {
            count += 1
            guard count % Self.operationsAtATime == 0 else { return }
            if ticks() &- start > Self.nanosecondsMax { throw .takesLong }
        }
    }

    /// The watch of a transaction's operations; nil when the transaction may take long.
    static func watch(
        _ transaction: Transaction, operations count: Int
    ) throws(SessionError) -> Watch? {
        if transaction.mayTakeLong { return nil }
        if count > operationsMax { throw .takesLong }
        return Watch(transaction.session.environment)
    }
}

extension SessionError {
    /// A write that was not carried out, as it takes long. Never seen by a client.
    static var takesLong: SessionError {
        var error = SessionError(.internalError, "The write takes long.")
        error.takesLong = true
        return error
    }
}

extension Transaction {
    func checkDeleting(_ node: NodeIndex) throws(SessionError) {
        if mayTakeLong { return }
        if hierarchy.deletingTakes(moreThan: ShortWrite.deletedMax, node) { throw .takesLong }
    }

    func checkMoving(_ node: NodeIndex) throws(SessionError) {
        if mayTakeLong { return }
        if hierarchy.movingTakes(moreThan: ShortWrite.movedMax, node) { throw .takesLong }
    }

    /// A scope may cover every view inside.
    func checkCovering(_ node: NodeIndex) throws(SessionError) {
        if hierarchy.scopesCoverViews(inside: node) { try checkSearching() }
    }

    /// The answer has the values of all traits that the scope reads.
    func checkAnswering(reads: TraitSet) throws(SessionError) {
        if mayTakeLong { return }
        if reads.count > ShortWrite.scopeReadsMax { throw .takesLong }
    }

    /// An update may visit every node.
    func checkUpdating() throws(SessionError) {
        if mayTakeLong || !hierarchy.needsUpdate { return }
        try checkSearching()
    }

    /// The operation may look at every node or registration.
    func checkSearching() throws(SessionError) {
        if mayTakeLong { return }
        if hierarchy.isLarger(than: ShortWrite.sessionMax) { throw .takesLong }
    }
}

extension SessionState {
    /// - Throws: when more listeners have to be woken than an event loop has time for.
    func checkAudience(_ made: CommitNotes) throws(SessionError) {
        // A feed is visited for each of its members that has a note.
        let visitsMax =
            streams.feeds.count + streams.feeds.memberCount + streams.feeds.listenerCount
        if visitsMax <= ShortWrite.audienceMax { return }
        if streams.feeds.hasAudience(of: made, largerThan: ShortWrite.audienceMax) {
            throw .takesLong
        }
    }
}
