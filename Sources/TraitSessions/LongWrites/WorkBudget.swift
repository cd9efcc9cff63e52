// What one transaction may do. On an event loop a write may take about half a millisecond: an operation that would
// take longer is refused before or while it is applied, the write is undone, and a thread for writes carries it out.
// There it may visit so many nodes, may write as much as there is memory for, lets others go first, and ends when
// nothing waits for it.

import Background
import Ledger
import TraitEngine
import TraitJSON

/// What is left of a transaction's work.
package struct WorkBudget {
    /// The bounds of a write on an event loop.
    enum Short {
        /// Watch nodes that a commit visits and notes that it makes.
        static let notifyingStepsMax = 400
        /// Bytes of the notes of a commit.
        static let notificationBytesMax = 131_072
        /// Operations of a transaction, and nodes and registrations of a copy.
        static let operationsMax = 256
        /// Bytes of the operations as they are written down.
        static let textBytesMax = 262_144
        /// Operations of a commit whose undo entries are released when the log has acknowledged it.
        static let acknowledgedMax = 4_096
        /// Nodes and registrations that a deletion visits, and registrations of a node that gets another name.
        static let deletedMax = 500
        /// Links that are followed to measure the subtree of a move.
        static let movedMax = 60
        /// Nodes, and registrations, of a session that may be visited as a whole.
        static let sessionMax = 1_000
        /// Traits of a scope whose values are answered, and values of a copied node; each may have 16 KiB.
        static let scopeReadsMax = 64
        /// Feeds that a commit visits, each once for each of its members, and listeners.
        static let audienceMax = 2_000
        /// Bytes of memory that an operation takes which no request has brought: more is asked for first.
        static let takenBytesMax = SessionState.growthBytesMin
        static let nanosecondsMax: UInt64 = 500_000
        /// The clock is read after so many operations.
        static let operationsAtATime = 8
    }

    /// Whether the transaction has to be short.
    let isShort: Bool
    /// Nil for a short write and for a replay.
    private let long: LongWrite?

    private var steps = 0
    private var begunAt: UInt64 = 0
    /// What the hierarchy had counted at the beginning, and after the last operation.
    private var visited: (start: Int, last: Int) = (0, 0)
    /// How long the text may become before more is asked for.
    private var textEnd = Int.max

    /// Of a replay, which nothing bounds: every entry of the log was admitted once.
    static var unbounded: WorkBudget { WorkBudget(isShort: false, nil) }
    static var short: WorkBudget { WorkBudget(isShort: true, nil) }

    static func long(_ write: LongWrite) -> WorkBudget { WorkBudget(isShort: false, write) }

    @inline(__always)
    private init(isShort: Bool, _ long: LongWrite?) {
        self.isShort = isShort
        self.long = long
    }

    /// What the request has brought may be written down; the ledger has admitted it.
    @inline(__always)
    mutating func admit(requestBytes: Int, text: Int) {
        textEnd = text &+ 2 &* requestBytes &+ (isShort ? Short.textBytesMax : Self.textPiece)
    }

    /// Watch nodes and notes of the commit.
    var notifyingStepsMax: Int { isShort ? Short.notifyingStepsMax : .max }

    /// - Throws: `takesLong` where the transaction has to be short and that does not hold.
    package func allow(_ isShortEnough: @autoclosure () -> Bool) throws(SessionError) {
        if isShort, !isShortEnough() { throw .takesLong }
    }

    // MARK: - Spending

    /// Before many operations.
    package mutating func begin(_ count: Int, _ session: SessionState) throws(SessionError) {
        try allow(count <= Short.operationsMax)
        if isShort { begunAt = session.environment.ticks() }
        visited.start = session.hierarchy.visitedNodeCount
        visited.last = visited.start
    }

    /// After each of many operations.
    ///
    /// - Throws: `transactionTooLarge` when all of them have visited too much beyond what they change: the first
    ///   one that visits any may visit all. `takesLong`; `memoryFull`; that the write has to end.
    mutating func spend(text: Int, _ session: SessionState) throws(SessionError) {
        let now = session.hierarchy.visitedNodeCount
        let count = now - visited.last
        let before = visited.last - visited.start
        visited.last = now
        let limit = session.limits.updatedNodesMax
        if count > 0, before > 0, now - visited.start > limit { throw .visitsTooMuch(limit) }
        if isShort {
            try allow(now - visited.start <= Short.sessionMax)
        } else if count > Self.stepsAtATime {
            steps |= Self.stepsAtATime - 1
        }
        try goOn(text: text, session)
    }

    /// After each part of an operation that has many.
    ///
    /// - Throws: `takesLong`, `memoryFull`, that the write has to end.
    mutating func goOn(text: Int, _ session: SessionState) throws(SessionError) {
        steps += 1
        try take(text: text, session)
        if isShort {
            guard steps % Short.operationsAtATime == 0 else { return }
            let now = session.environment.ticks()
            if begunAt == 0 { begunAt = now }
            try allow(now &- begunAt <= Short.nanosecondsMax)
        } else {
            if steps % Self.stepsAtATime == 0 { try session.checkGrowth() }
            try long?.goOn()
        }
    }

    /// After so many parts the session checks how much memory they took.
    private static let stepsAtATime = 256
    /// Memory for the text is asked for in pieces.
    private static let textPiece = 1_048_576
    /// The text while it grows, and its copy in the log entry.
    private static let copiesOfText = 3

    /// While something is written down that a few bytes may stand for.
    ///
    /// - Parameter text: bytes of the text so far.
    /// - Throws: `takesLong`, `memoryFull`.
    @inline(__always)
    mutating func take(text: Int, _ session: SessionState) throws(SessionError) {
        if text > textEnd { try askForRoom(text, session) }
    }

    @inline(never)
    private mutating func askForRoom(
        _ text: Int, _ session: SessionState
    ) throws(SessionError) {
        try allow(false)
        let piece = text - textEnd + Self.textPiece
        textEnd += piece
        try take(piece * Self.copiesOfText, session)
    }

    /// Before memory is taken that no request has brought. A replay asks for none.
    ///
    /// - Throws: `takesLong`, `memoryFull`.
    func take(_ bytes: Int, _ session: SessionState) throws(SessionError) {
        try allow(bytes < Short.takenBytesMax)
        try long?.take(bytes, session.environment.memory)
    }
}

/// What a write that may take long has beside its bounds: its turn, and the memory that it takes. Used by the thread
/// that carries it out.
package final class LongWrite {
    private let turn: BackgroundThreads.Turn?
    private let queued: QueuedWrite?
    private let caller: MemoryAccount?
    /// Nil as long as none was taken.
    private var room: MemoryReservation?

    init(_ queued: QueuedWrite, turn: BackgroundThreads.Turn) {
        self.queued = queued
        self.turn = turn
        caller = queued.caller
    }

    /// A write that is decided again, which no other one waits for.
    init(of caller: MemoryAccount?) {
        self.caller = caller
        queued = nil
        turn = nil
    }

    /// Lets others go first.
    ///
    /// - Throws: when nothing waits for the write any more, or the session is to end.
    fileprivate func goOn() throws(SessionError) {
        if let turn, turn.offer(), queued?.hasToEnd == true { throw .interrupted }
    }

    /// - Throws: `memoryFull`.
    fileprivate func take(_ bytes: Int, _ memory: MemoryLedger) throws(SessionError) {
        guard memory.isLimited, bytes > 0 else { return }
        if let room {
            if room.grow(by: bytes) { return }
        } else if let taken = memory.reserve(bytes, for: caller) {
            room = taken
            return
        }
        throw SessionError(memory.shortage, of: caller)
    }
}

extension SessionError {
    /// A write that was not carried out, as it takes long. Never seen by a client.
    package static var takesLong: SessionError { inside(.takesLong, "The write takes long.") }

    /// A write that was ended. Never seen by a client.
    static var interrupted: SessionError { inside(.interrupted, "The write was ended.") }

    private static func inside(_ signal: Signal, _ text: String) -> SessionError {
        var error = SessionError(.internalError, text)
        error.signal = signal
        return error
    }

    fileprivate static func visitsTooMuch(_ limit: Int) -> SessionError {
        .limit(
            .transactionTooLarge,
            "The operations of this transaction have touched more than updatedNodesMax=\(limit) nodes, values and registrations beyond those that they name, of which eight that are only counted are one. Use fewer of them, or several transactions.",
            name: "updatedNodesMax", value: limit)
    }

    /// A write that there is no room for, or that takes more than its caller may have.
    fileprivate init(_ shortage: MemoryShortage, of caller: MemoryAccount?) {
        self.init(shortage)
        guard let caller, shortage.limit == .process, shortage.bytes <= shortage.bytesMax else {
            return
        }
        detail =
            "The operations write down more than one caller may have of the server's memory for its work, \(caller.work.bytesMax) bytes. Copy or change less at once."
    }
}

extension Transaction {
    /// After each of many operations; see `WorkBudget.spend`.
    package mutating func spend() throws(SessionError) {
        try budget.spend(text: text.json.count, session)
    }

    /// After each part of a long operation.
    mutating func goOn() throws(SessionError) {
        try budget.goOn(text: text.json.count, session)
    }

    /// While something long is written down; see `WorkBudget.take`.
    @inline(__always)
    mutating func takeText() throws(SessionError) {
        try budget.take(text: text.json.count, session)
    }

    package func checkDeleting(_ node: NodeIndex) throws(SessionError) {
        try budget.allow(!hierarchy.deletingTakes(moreThan: WorkBudget.Short.deletedMax, node))
    }

    func checkMoving(_ node: NodeIndex) throws(SessionError) {
        try budget.allow(!hierarchy.movingTakes(moreThan: WorkBudget.Short.movedMax, node))
    }

    func checkRenaming(_ node: NodeIndex) throws(SessionError) {
        if hierarchy.updates == .layout { try checkSearching() }
        try budget.allow(!hierarchy.renamingTakes(moreThan: WorkBudget.Short.deletedMax, node))
    }

    /// A scope may cover every view inside.
    func checkCovering(_ node: NodeIndex) throws(SessionError) {
        if hierarchy.scopesCoverViews(inside: node) { try checkSearching() }
    }

    /// A view is covered by every scope of the controller that it comes into.
    @inline(__always)
    func checkJoining(_ parent: NodeIndex?) throws(SessionError) {
        guard let parent, hierarchy.scopesCoverViews(inside: parent) else { return }
        try budget.allow(hierarchy.hasScopes(atMost: WorkBudget.Short.operationsMax, parent))
    }

    /// The answer has the values of all traits that the scope reads.
    func checkAnswering(reads: TraitSet) throws(SessionError) {
        try budget.allow(reads.count <= WorkBudget.Short.scopeReadsMax)
    }

    /// An update may visit every node.
    func checkUpdating() throws(SessionError) {
        if hierarchy.needsUpdate { try checkSearching() }
    }

    /// The operation may look at every node or registration.
    func checkSearching() throws(SessionError) {
        try budget.allow(!hierarchy.isLarger(than: WorkBudget.Short.sessionMax))
    }
}

extension SessionState {
    /// - Throws: when more listeners have to be woken than an event loop has time for.
    func checkAudience(_ made: CommitNotes) throws(SessionError) {
        // A feed is visited for each of its members that has a note.
        let visitsMax =
            streams.feeds.count + streams.feeds.memberCount + streams.feeds.listenerCount
        if visitsMax <= WorkBudget.Short.audienceMax { return }
        if streams.feeds.hasAudience(of: made, largerThan: WorkBudget.Short.audienceMax) {
            throw .takesLong
        }
    }
}
