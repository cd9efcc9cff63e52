// Reverting a session to an earlier state, or one commit alone, as one commit. What has got another name since gets its
// name back; the other operations are those of a comparison of that state with the present one. Both are made when the
// commit is decided: no write comes in between.

import JSONCodec
import Ledger
import SessionLog
import TraitEngine
import TraitJSON
import TraitSessions

/// A revert as a client asks for it. Shared with the copies of its proposal.
package final class Revert: PlannedWrite, Sendable {
    /// What is reverted.
    package enum Goal: Sendable {
        /// All that came after this revision.
        case revision(Int64)
        /// The commit of this revision alone.
        case commit(Int64)
    }

    /// The states that it is made from, which nothing changes any more.
    package enum Past: Sendable {
        case state(Session)
        case commit(PastCommit)
    }

    package let goal: Goal
    private let past: Past?
    /// The nodes to whose subtrees the revert is limited; nil for the whole session.
    let nodes: [String]?
    /// Whether it moves nodes into these subtrees, and out of them.
    let moves: Bool

    /// - Parameter past: the session at that revision, or the states around the commit; nil where the session has the
    ///   answer to the request already.
    package init(_ goal: Goal, _ past: Past?, nodes: [String]? = nil, moves: Bool = false) {
        self.goal = goal
        self.past = past
        self.nodes = nodes
        self.moves = moves
    }

    package convenience init(
        to revision: Int64, _ earlier: Session, nodes: [String]? = nil, moves: Bool = false
    ) {
        self.init(.revision(revision), .state(earlier), nodes: nodes, moves: moves)
    }

    package var manager: String? { nil }

    package var origin: [UInt8] {
        CommitOrigin.revert.text { writer in
            switch goal {
            case .revision(let revision): writer.member("revision", revision)
            case .commit(let revision): writer.member("commit", revision)
            }
        }
    }

    package func copied(into arena: OperationArena) -> any PlannedWrite { self }

    /// Bytes of operations that are written while the lock of the earlier state is held.
    private static let bytesAtATime = 16_384

    /// Applies the operations, and gives back the managers. O(nodes, and changed values).
    ///
    /// - Throws: why an operation is refused, with the operation as the fact `operation`; `takesLong` where the write
    ///   has to be short.
    package func apply(to transaction: inout Transaction) throws(SessionError) {
        let session = transaction.session
        try transaction.budget.allow(false)
        transaction.takesAnyEnd = true
        switch (past, goal) {
        case (.state(let earlier)?, _): try apply(earlier, to: &transaction)
        case (.commit(let change)?, .commit(let revision)):
            try apply(inverseOf: change, revision, to: &transaction)
        // The answer to the request was there a moment ago, and is no longer kept.
        default: throw session.pastGone
        }
    }

    private func apply(
        _ earlier: Session, to transaction: inout Transaction
    ) throws(SessionError) {
        let session = transaction.session
        let nodes = try transaction.giveBackNames(of: earlier, roots: nodes)
        let comparison = try SessionComparison(
            revertTo: earlier, from: session, nodes: nodes, moves: moves)
        let states = earlier.withState { $0.hierarchy.heldBytes.total }
        try withText(
            of: comparison, states: states + session.hierarchy.heldBytes.total, in: session
        ) { operations throws(SessionError) in
            try apply(operations.elements, count: operations.count, to: &transaction)
        }
        try giveBackManagers(of: earlier, comparison, &transaction)
    }

    /// Lends the operations of the comparison to `body`, as a JSON array.
    ///
    /// - Parameter states: bytes of both states. The text has at most about as many.
    func withText(
        of comparison: SessionComparison, states: Int, in session: SessionState,
        _ body: (JSONValue) throws(SessionError) -> Void
    ) throws(SessionError) {
        let memory = session.environment.memory
        guard let reservation = memory.reserve(states) else {
            throw SessionError(memory.shortage)
        }
        let text = operations(of: comparison, taking: reservation)
        let tapeBytes = text.withUnsafeBytes { JSONTape.bytesMax(for: $0) }
        guard reservation.grow(by: tapeBytes) else { throw SessionError(memory.shortage) }
        let tape = JSONTape(limits: .logEntry)
        try withExtendedLifetime(reservation) { () throws(SessionError) in
            try text.withBytes { bytes throws(SessionError) in
                try tape.withDocument(bytes, refusal: SessionError.init) {
                    json throws(SessionError) in
                    reservation.settle(another: tapeBytes)
                    if let operations = json.member("operations") { try body(operations) }
                }
            }
        }
    }

    private func operations(
        of comparison: SessionComparison, taking memory: MemoryReservation
    ) -> [UInt8] {
        while !comparison.prepare() {}
        var writer = JSONWriter()
        var text: [UInt8] = []
        var isOver = false
        while !isOver {
            isOver = comparison.write(budget: Self.bytesAtATime, into: &writer)
            text += writer.array()
            memory.settle(through: text.count)
            writer.drain()
        }
        return text
    }

    func apply(
        _ operations: some Sequence<JSONValue>, count: Int, to transaction: inout Transaction
    ) throws(SessionError) {
        try transaction.budget.begin(count, transaction.session)
        for json in operations {
            do throws(SessionError) {
                try transaction.apply(try Operation(json))
            } catch {
                throw error.with("operation", .json(Array(json.rawBytes)))
            }
            try transaction.spend()
        }
    }

    // MARK: - Managers

    /// Gives values, nodes and definitions the managers that they had. Registrations and scopes keep theirs.
    private func giveBackManagers(
        of earlier: Session, _ comparison: SessionComparison, _ transaction: inout Transaction
    ) throws(SessionError) {
        let session = transaction.session
        let wanted = earlier.withState { earlier in
            earlier.annotations.managers.isEmpty && session.annotations.managers.isEmpty
                ? []
                : Self.managed(earlier, at: comparison.now).filter { $0.isIn(comparison.part) }
        }
        if wanted.isEmpty, session.annotations.managers.isEmpty { return }
        let places = Set(wanted.map(\.place))
        let gone = Self.managed(session).filter {
            $0.isIn(comparison.part) && !places.contains($0.place)
        }
        let changes =
            wanted.filter { session.manager(of: $0.place) != $0.manager }
            + gone.map { NamedManager(place: $0.place, manager: nil) }
        if changes.isEmpty { return }
        transaction.needs(format: 2)
        for change in changes {
            if let manager = change.manager {
                try session.annotations.managers.checkRoom(
                    for: manager, max: session.limits.managersMax)
            }
            try transaction.setManager(change)
        }
    }

    /// The managers of a session, but for those of registrations and scopes.
    ///
    /// - Parameter time: overrides that end by then are left out; nil leaves none out.
    static func managed(
        _ session: SessionState, at time: Int64? = nil
    ) -> [NamedManager] {
        var found: [NamedManager] = []
        session.annotations.managers.forEachPlace { place, manager in
            if place.kind == .registration || place.kind == .scope { return }
            if place.kind == .overrides, let time, let node = place.node,
                let end = session.end(of: place.trait, at: node), end <= time,
                session.annotations.covered[node, place.trait]?.isThere(at: time) != true
            {
                return
            }
            found.append(
                NamedManager(place: NamedPlace(place, in: session), manager: manager))
        }
        return found
    }
}

extension NamedManager {
    /// Whether a revert of that part gives the place its manager back.
    func isIn(_ part: ComparedPart?) -> Bool {
        guard let part else { return true }
        return place.node.map(part.names.contains) ?? false
    }
}

/// The answer to a revert. A dry run shows counts and operations.
///
///     {"session","uid","revision","unchanged"?,"dryRun"?,
///      "revertedTo" or "revertedCommit",
///      "counts"?,"operations"?,"operationsTruncated"?,"notified","ended"?,"changes"?}
private final class RevertAnswer: PlannedAnswer {
    private let goal: Revert.Goal

    init(_ goal: Revert.Goal) { self.goal = goal }

    func write(
        _ opened: SessionState.OpenCommit, _ outcome: CommitOutcome, _ options: CommitOptions,
        of session: SessionState, into body: inout JSONWriter
    ) {
        session.write(
            outcome, isDryRun: options.dryRun, showsChanges: options.changes, into: &body
        ) {
            switch goal {
            case .revision(let revision): $0.member("revertedTo", revision)
            case .commit(let revision): $0.member("revertedCommit", revision)
            }
            if options.dryRun { session.writeOperations(of: opened, outcome, into: &$0) }
        }
    }
}

extension Proposal.Operations {
    /// Those that lead back to an earlier state.
    package static func revert(_ revert: Revert) -> Self { .planned(revert) }
}

extension Proposal.Answer {
    /// That of a commit, with what it reverts and, in a dry run, its operations.
    package static func revert(_ goal: Revert.Goal) -> Self { .planned(RevertAnswer(goal)) }
}
