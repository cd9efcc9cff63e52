// What a write may cost on an event loop, about half a millisecond. An operation that would cost more
// is refused there before or while it is applied; nothing of the write stays, and a thread for writes
// carries it out at length.

import TraitEngine

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

enum ShortWrite {
    /// Watch nodes that a commit visits, with the notes that it makes.
    static let tellingStepsMax = 400
    /// Bytes of changes that the notes of a commit hold.
    static let heardBytesMax = 131_072
    /// Operations of a transaction.
    static let operationsMax = 256
    /// Operations of a commit whose undo entries are let go when the log has it.
    static let acknowledgedMax = 4_096
    /// Nodes and registrations that a deletion goes through.
    static let deletedMax = 500
    /// Links followed to measure what a move takes along.
    static let movedMax = 60
    /// Nodes, and registrations, of a session in which everything may be looked at.
    static let sessionMax = 1_000
    /// Feeds and listeners that hear of a commit.
    static let audienceMax = 2_000

    /// Looks at the clock while many operations are applied.
    struct Watch {
        private static let nanosecondsMax: UInt64 = 500_000
        private static let operationsAtATime = 8

        private let start = Watch.now()
        private var count = 0

        /// - Throws: when half a millisecond is over.
        mutating func check() throws(SessionError) {
            count += 1
            guard count % Self.operationsAtATime == 0 else { return }
            if Self.now() &- start > Self.nanosecondsMax { throw .takesLong }
        }

        private static func now() -> UInt64 {
            var time = timespec()
            clock_gettime(CLOCK_MONOTONIC, &time)
            return UInt64(time.tv_sec) &* 1_000_000_000 &+ UInt64(time.tv_nsec)
        }
    }

    /// What watches over the operations of a transaction; nil when it may take long.
    static func watch(
        _ transaction: Transaction, operations count: Int
    ) throws(SessionError) -> Watch? {
        if transaction.isAtLength { return nil }
        if count > operationsMax { throw .takesLong }
        return Watch()
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
        if isAtLength { return }
        if hierarchy.deletingTakes(moreThan: ShortWrite.deletedMax, node) { throw .takesLong }
    }

    func checkMoving(_ node: NodeIndex) throws(SessionError) {
        if isAtLength { return }
        if hierarchy.movingTakes(moreThan: ShortWrite.movedMax, node) { throw .takesLong }
    }

    /// A scope may cover every view inside.
    func checkCovering(_ node: NodeIndex) throws(SessionError) {
        if hierarchy.scopesCoverViews(inside: node) { try checkSearching() }
    }

    /// An update may visit every node.
    func checkUpdating() throws(SessionError) {
        if isAtLength || !hierarchy.needsUpdate { return }
        try checkSearching()
    }

    /// The operation may look at every node or registration.
    func checkSearching() throws(SessionError) {
        if isAtLength { return }
        if hierarchy.isLarger(than: ShortWrite.sessionMax) { throw .takesLong }
    }
}

extension Session {
    /// - Throws: when more listeners have to be woken than an event loop has time for.
    func checkAudience(_ notes: [RetainedCommit.Note]) throws(SessionError) {
        if feeds.count + feeds.listenerCount <= ShortWrite.audienceMax { return }
        if feeds.hasAudience(of: notes, largerThan: ShortWrite.audienceMax) { throw .takesLong }
    }
}
