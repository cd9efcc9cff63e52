// A write as a client requests it: operations, conditions, and the form of the answer. A value, so
// that the session can decide it again when another writer was first.

import JSONCodec
import Ledger
import TraitEngine
import TraitJSON

package struct Proposal {
    package enum Operations {
        case one(Operation)
        /// An array of operations. Each is decoded just before it is applied.
        case many(JSONValue)
        /// Those that lead from the state that the write meets to another one.
        case planned(any PlannedWrite)
        /// What the body assumes, for a read of the state after it.
        case assume(JSONValue, AssumedRead)
        /// Ends the registrations among these whose leases have expired.
        case expire([RegistrationKey])
        /// Removes the overrides among these whose time has come.
        case endValues([Expiry])
        /// Ends the session; see `init(ending:)`.
        case end
    }

    /// The form of the answer.
    package enum Answer: Sendable {
        /// `{"session","uid","revision","notified","changes"?}`.
        case commit
        case node(String)
        case registration(String)
        /// The values of the traits that the scope reads.
        case scope(node: String, method: String)
        /// That of a commit, and what the planned write adds.
        case planned(any PlannedAnswer)
        /// What a read of the assumed state writes: a text of JSON, or lines of it.
        case assumed(asLines: Bool)

        /// The name of the node or registration that is created. The server may have chosen it.
        var id: String? {
            switch self {
            case .node(let id), .registration(let id): id
            case .commit, .scope, .planned, .assumed: nil
            }
        }
    }

    package var operations: Operations
    package var options: CommitOptions
    package var answer: Answer
    // Stored, since asking the operations copies them.
    /// Whether the operations are the end of the session.
    let isEnd: Bool
    /// Whether they are not those of a write: the end of the session, or what a read assumes.
    let isApart: Bool
    /// The manager of the values and nodes that the write sets and creates; nil for none.
    let manager: String?

    package init(
        _ operations: Operations, _ options: CommitOptions = CommitOptions(),
        answer: Answer = .commit
    ) {
        self.operations = operations
        self.options = options
        self.answer = answer
        (isEnd, isApart) = (false, false)
        if case .planned(let write) = operations {
            manager = write.manager
        } else {
            manager = nil
        }
    }

    package init(_ operation: consuming Operation, answer: Answer) {
        operations = .one(operation)
        options = CommitOptions()
        self.answer = answer
        (isEnd, isApart) = (false, false)
        manager = nil
    }

    /// The end of the session.
    init(ending options: CommitOptions) {
        operations = .end
        self.options = options
        answer = .commit
        (isEnd, isApart) = (true, true)
        manager = nil
    }

    /// A read of the state that a body assumes.
    package init(assuming body: JSONValue, _ read: AssumedRead, _ options: CommitOptions) {
        operations = .assume(body, read)
        self.options = options
        self.options.dryRun = true
        answer = .assumed(asLines: read.asLines)
        (isEnd, isApart) = (false, true)
        manager = nil
    }

    /// Whether the write ends the session, if it is not refused.
    var endsSession: Bool { isEnd && !options.dryRun }

    /// A copy whose operations are views of bytes that the arena owns.
    func copied(into arena: OperationArena) -> Proposal {
        var copy = self
        switch operations {
        case .one(let operation): copy.operations = .one(operation.copied(into: arena))
        case .many(let list): copy.operations = .many(arena.copy(list))
        case .planned(let write): copy.operations = .planned(write.copied(into: arena))
        case .assume(let body, let read): copy.operations = .assume(arena.copy(body), read)
        case .expire, .endValues, .end: break
        }
        return copy
    }

    /// - Parameter shortage: why operations that take memory are refused; nil when there is room.
    /// - Throws: why an operation is refused, with a pointer to it in a list.
    func apply(
        to transaction: inout Transaction, shortage: MemoryShortage? = nil
    ) throws(SessionError) {
        switch operations {
        case .one(let operation):
            if let shortage, operation.grows { throw SessionError(shortage) }
            try transaction.apply(operation)
        case .planned(let write):
            if let shortage { throw SessionError(shortage) }
            try write.apply(to: &transaction)
        case .expire(let keys):
            try transaction.budget.begin(keys.count, transaction.session)
            let expired = transaction.session.expired(keys)
            transaction.session.streams.leases.ends = expired.unless
            for key in expired.keys {
                try transaction.apply(.unregister(key.id))
                try transaction.spend()
            }
        case .endValues(let values): try transaction.end(values)
        // No operations of a transaction: see `SessionState.decideApart`.
        case .end, .assume: break
        case .many(let list):
            try transaction.apply(list, at: "/operations", shortage) {
                json throws(SessionError) in try Operation(json)
            }
        }
    }
}

/// The options of a write.
package struct CommitOptions: Sendable {
    package var dryRun = false
    /// Whether the answer lists the changes.
    package var changes = false
    package var condition = CommitCondition()
    /// Whether the operation must create: it is refused when what it names is present. (`If-None-Match: *`)
    package var wantsNew = false
    /// The request's key, when its client may repeat it.
    package var idempotency: IdempotentRequest?
    /// `cause` of the stream records, as a JSON object; empty when there is none.
    package var cause: [UInt8] = []
    /// Bytes of the request, from which the memory that the write takes is estimated.
    package var requestBytes = 0
    /// The account of the caller of a write that makes a session, which counts in it, or that is queued. A short write
    /// does without.
    package var caller: MemoryAccount?

    package init() {}
}

/// The outcome of a write.
package struct CommitOutcome: Sendable {
    package let revision: Int64
    package let isUnchanged: Bool
    /// Whether an operation that creates or finds something has created it.
    package let isNew: Bool
    package let notified: Int
    /// Whether an earlier, identical request made the commit.
    package var isRepeated = false
    /// The name that the server chose for that request.
    package var recordedID: String?
    /// The notes of the commit, for answers with `changes`.
    package let notes: [RetainedCommit.Note]
    /// The parts that the commit deletes; nil for none.
    var ended: EndedParts?
}

/// The states that an `If-Match` or `If-None-Match` lists (RFC 9110, section 13.1). An object, because most
/// writes have none and their options are passed on several times.
package final class ListedStates: Sendable {
    /// `*`: every state.
    package let isAny: Bool
    /// `uid.revision` of each tag that can match.
    package let states: [String]
    /// Whether a tag cannot match because it is weak.
    package let hasWeak: Bool

    package init(_ states: [String], isAny: Bool = false, hasWeak: Bool = false) {
        self.states = states
        self.isAny = isAny
        self.hasWeak = hasWeak
    }

    package func contains(_ state: String) -> Bool { isAny || states.contains(state) }
}

/// The conditions of a write on the session's state.
package struct CommitCondition: Sendable {
    /// The revision that a transaction names.
    package var ifRevision: Int64?
    /// The states of which the session has to have one; nil for any.
    package var ifMatch: ListedStates?
    /// The states of which the session may have none; nil for any.
    package var ifNoneMatch: ListedStates?

    package init() {}

    /// Whether every state meets it.
    var isNone: Bool { ifRevision == nil && ifMatch == nil && ifNoneMatch == nil }

    func isMet(by session: SessionState) -> Bool {
        if let ifRevision, ifRevision != session.head { return false }
        if ifMatch == nil, ifNoneMatch == nil { return true }
        return allowsTags(uid: session.uid, revision: session.head)
    }

    /// Whether the conditions on entity tags are met.
    package func allowsTags(uid: String, revision: Int64) -> Bool {
        let state = "\(uid).\(revision)"
        if let ifMatch, !ifMatch.contains(state) { return false }
        if let ifNoneMatch, ifNoneMatch.contains(state) { return false }
        return true
    }
}

extension SessionError {
    /// The session's state is none that the conditions allow.
    static func movedOn(
        _ condition: CommitCondition, uid: String, revision: Int64
    ) -> SessionError {
        let detail: String
        if let listed = condition.ifMatch, listed.hasWeak, listed.states.isEmpty {
            detail =
                "A weak entity tag never matches If-Match, and a proxy that compresses answers makes tags weak. Send If-Match: \"uid.revision\", made of these two members of the answer that was read."
        } else if let listed = condition.ifMatch, !listed.isAny, listed.states.isEmpty {
            detail =
                "If-Match has no entity tag. A tag stands in quotes: If-Match: \"\(uid).\(revision)\" is for what there is now."
        } else if let listed = condition.ifNoneMatch, listed.contains("\(uid).\(revision)") {
            detail =
                listed.isAny
                ? "What the request changes is there, and If-None-Match: * refuses that. Only a PUT can create with it."
                : "The session is at revision \(revision), which If-None-Match lists."
        } else {
            detail =
                "The session is at revision \(revision). Read again, then repeat with this revision."
        }
        return SessionError(.revisionMismatch, detail).with("currentRevision", revision)
    }
}
