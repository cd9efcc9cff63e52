// Reading from a session and writing to it: conditions, revisions and the fields of every answer.

import HTTPWire
import JSONCodec
import SessionViews
import TraitEngine
import TraitJSON
import TraitSessions

extension TraitService {
    /// The session that the path names, or that session as it was while an operation reads the past.
    func session(_ request: Request) throws(Problem) -> Session {
        try translated(try presentOrPast(request.context))
    }

    /// Runs `read` under the session's lock and gives the answer its revision and entity tag.
    func reading(
        _ request: Request, _ read: (SessionState) throws(SessionError) -> Void
    ) throws(Problem) {
        try reading(request, try session(request), read)
    }

    func reading(
        _ request: Request, _ session: Session,
        _ read: (SessionState) throws(SessionError) -> Void
    ) throws(Problem) {
        do throws(SessionError) {
            try request.withState(of: session, before: true) { state throws(SessionError) in
                let head = state.head
                try request.checkIsThere(state)
                if state.acknowledged < head {
                    request.context.response = state.pendingResponse(until: head)
                }
                try read(state)
                request.finishReading(uid: state.uid, revision: head)
            }
        } catch {
            throw Problem(error)
        }
    }

    /// Like `reading`, but without an entity tag: for answers that do not represent the session's state,
    /// or that change without a commit.
    ///
    /// - Parameter before: whether the state before a long write will do.
    func looking(
        _ request: Request, before: Bool = true,
        _ look: (SessionState) throws(SessionError) -> Void
    ) throws(Problem) {
        let session = try session(request)
        try translated(try looking(request, session, before: before, look))
    }

    func looking(
        _ request: Request, _ session: Session, before: Bool = true,
        _ look: (SessionState) throws(SessionError) -> Void
    ) throws(SessionError) {
        try request.withState(of: session, before: before) { state throws(SessionError) in
            try request.checkIsThere(state)
            request.context.response = state.pendingResponse(until: state.head)
            try look(state)
            request.context.field("Traitd-Revision", state.head)
        }
    }

    /// Commits one operation; `answer` is the form of the answer.
    func write(
        _ request: Request, _ operation: consuming Operation, answer: Proposal.Answer = .commit,
        creates: Bool = false
    ) throws(SessionError) {
        var proposal = Proposal(operation, answer: answer)
        try write(request, &proposal, creates: creates)
    }

    /// Commits operations; `answer` is the form of the answer.
    ///
    /// - Parameters:
    ///   - ifRevision: the revision that a transaction's body requires.
    ///   - state: the `uid.revision` that the session has to be at, in addition to `If-Match`.
    ///   - creates: whether the operation may create the request's own resource.
    ///   - reason: the member `reason` of the body; nil for none.
    func write(
        _ request: Request, _ operations: Proposal.Operations, ifRevision: Int64? = nil,
        answer: Proposal.Answer = .commit, creates: Bool = false, state: String? = nil,
        reason: JSONValue? = nil
    ) throws(SessionError) {
        var proposal = Proposal(operations, answer: answer)
        proposal.options.condition.ifRevision = ifRevision
        try write(
            request, &proposal, origin: operations.origin, creates: creates, state: state,
            reason: reason)
    }

    /// - Parameter origin: that of the operations; a single one has none.
    private func write(
        _ request: Request, _ proposal: inout Proposal, origin: [UInt8] = [], creates: Bool,
        state: String? = nil, reason: JSONValue? = nil
    ) throws(SessionError) {
        let context = request.context
        let session = try store.session(
            context.firstParameter, visibleTo: context.caller?.scope)
        try request.read(&proposal.options, reason: reason)
        if !origin.isEmpty { proposal.options.add(origin) }
        proposal.options.idempotency = try request.idempotency(store)
        if let state {
            // The session has to be at this state, and `If-Match` has to allow the state.
            let isAllowed = proposal.options.condition.ifMatch?.contains(state) ?? true
            proposal.options.condition.ifMatch = ListedStates(isAllowed ? [state] : [])
        }
        // Such a write may be decided again, which may take long.
        if store.isShared { proposal.options.caller = request.exchange.caller }
        try decide(request, &proposal, in: session, creates: creates)
    }

    /// Decides a proposal. The answer is written, or waits: for the log, for its turn, or for a thread.
    ///
    /// - Parameter creates: whether the operation may create the request's own resource.
    @inline(__always)
    func decide(
        _ request: Request, _ proposal: inout Proposal, in session: Session, creates: Bool = false
    ) throws(SessionError) {
        let context = request.context
        // A write with a long body takes long itself.
        let result =
            context.document == nil
            ? try session.commit(
                proposal, text: context.entryText, body: &context.body, wakes: &context.wakes)
            : .takesLong
        let write = WriteAnswer(answer: proposal.answer, session: session, creates: creates)
        switch consume result {
        case .done(let outcome, let head):
            return request.finishWriting(outcome, head: head, write)
        case .held(let outcome, let head, let response):
            request.finishWriting(outcome, head: head, write)
            context.response = response
        case .pending(let response): context.response = response
        case .mustWait:
            proposal.options.caller = request.exchange.caller
            context.response = session.queue(proposal, isLong: false)
        case .takesLong:
            context.body.reset()
            proposal.options.caller = request.exchange.caller
            context.response = session.queue(proposal, in: context.document, isLong: true)
        }
        context.write = write
    }
}

extension Request {
    func checkIsThere(_ session: SessionState) throws(SessionError) {
        if session.isDeleted {
            throw SessionError(
                .unknownSession, "The session '\(session.name)' was deleted just now.")
        }
        if exchange.header(.ifMatch) != nil { try checkIfMatch(session) }
    }

    /// The `If-Match` of a read (RFC 9110, section 13.1.1).
    private func checkIfMatch(_ session: SessionState) throws(SessionError) {
        var condition = CommitCondition()
        condition.ifMatch = ifMatch
        guard condition.allowsTags(uid: session.uid, revision: session.head) else {
            throw session.movedOn(condition)
        }
    }

    /// Runs `body` while the session's lock is held. While a thread owns the session, `body` gets the state of
    /// the revision before.
    ///
    /// - Parameter before: whether the state before a long write will do.
    /// - Throws: what `body` throws; and when the request has to be handled again later, for which
    ///   `mustRepeat` is set.
    @inline(__always)
    func withState<R>(
        of session: Session, before: Bool,
        _ body: (SessionState) throws(SessionError) -> sending R
    ) throws(SessionError) -> R {
        let isLocal = before && context.origin.confirmation.isWaived
        let shown = isLocal ? session.acknowledgedCopy ?? session : session
        return try shown.withState(
            standIn: { () throws(SessionError) in try standIn(for: shown, before: before) },
            { state throws(SessionError) in
                do throws(SessionError) {
                    return try body(state)
                } catch {
                    throw seen(error, at: state)
                }
            })
    }

    /// An error with the revision of the state that it is about, if the answer shows that session's revision.
    private func seen(_ error: SessionError, at state: SessionState) -> SessionError {
        state.name.utf8.elementsEqual(context.firstParameter) ? error.seen(at: state.head) : error
    }

    /// The session that is read in place of one that a thread owns; nil when no thread owns it any more.
    private func standIn(for session: Session, before: Bool) throws(SessionError) -> Session? {
        switch session.entryWhileOwned(before: before, for: exchange.caller) {
        case .free: return nil
        case .before(let session): return session
        case .wait(let response):
            context.response = response
            context.write = nil
            context.mustRepeat = true
            throw SessionError(.internalError, "The session is being written to.")
        }
    }

    /// A snapshot for an answer that is made at length.
    func snapshot(of session: Session) throws(SessionError) -> SessionSnapshot {
        try withState(of: session, before: true) { state throws(SessionError) in
            try checkIsThere(state)
            context.response = state.pendingResponse(until: state.head)
            return try state.snapshot()
        }
    }

    /// Reads a write's options from the query and the header.
    ///
    /// - Parameter reason: the member `reason` of the body; nil for none.
    /// - Throws: `malformedReason`, `malformedBody`.
    func read(
        _ options: inout CommitOptions, reason: JSONValue? = nil
    ) throws(SessionError) {
        options.dryRun = context.query.flag(.dryRun)
        options.changes = context.query.flag(.changes)
        options.condition.ifMatch = ifMatch
        readIfNoneMatch(&options)
        options.cause = try cause(reason)
        options.requestBytes = exchange.body.count
    }

    /// Whether the preference `return` is `minimal`. The first one counts (RFC 7240, section 2).
    private var prefersMinimal: Bool {
        var answer: Bool?
        exchange.forEachHeader(.prefer) { value in
            for preference in Self.elements(of: value) where answer == nil {
                let parts = preference.prefix { $0 != UInt8(ascii: ";") }
                    .split(separator: UInt8(ascii: "="), maxSplits: 1)
                    .map { String(decoding: $0, as: UTF8.self)[...].trimmed.lowercased() }
                guard parts.first == "return" else { continue }
                answer = parts.count == 2 && ["minimal", "\"minimal\""].contains(parts[1])
            }
        }
        return answer ?? false
    }

    /// The elements of a list. Commas within quotes do not end one.
    private static func elements(
        of value: UnsafeRawBufferPointer
    ) -> [Slice<UnsafeRawBufferPointer>] {
        var isQuoted = false
        return value.split { byte in
            if byte == UInt8(ascii: "\"") { isQuoted.toggle() }
            return byte == UInt8(ascii: ",") && !isQuoted
        }
    }

    /// `If-None-Match: *` has a PUT create, and refuses every other method, since the resource that these change
    /// exists (RFC 9110, section 13.1.2).
    private func readIfNoneMatch(_ options: inout CommitOptions) {
        guard let listed = ifNoneMatch else { return }
        options.wantsNew = listed.isAny
        options.condition.ifNoneMatch =
            exchange.method == .put ? ListedStates(listed.states) : listed
    }

    /// Adds the status and the header lines of a write whose body is already written.
    func finishWriting(_ outcome: CommitOutcome, head: Int64, _ write: WriteAnswer) {
        if outcome.isNew, write.creates { context.status = 201 }
        if outcome.isRepeated { markReplayed() }
        switch write.answer {
        case .node(let id):
            location(of: outcome.recordedID ?? id, among: "nodes", write)
        case .registration(let id):
            location(of: outcome.recordedID ?? id, among: "registrations", write)
        case .commit, .scope, .planned: break
        case .assumed(let asLines):
            context.contentType = asLines ? "application/x-ndjson" : "application/json"
            return context.field("Traitd-Revision", head)
        }
        finishCommit(outcome, uid: write.session.uid, head: head)
    }

    private func location(of id: String, among kind: String, _ write: WriteAnswer) {
        context.field("Location", "/v1/sessions/\(write.session.name)/\(kind)/\(id)")
    }

    /// Adds the fields that the answers to all commits have.
    @inline(__always)
    func finishCommit(_ outcome: CommitOutcome, uid: String, head: Int64) {
        context.field("Traitd-Revision", head)
        // The tag of the state that the body describes: with a newer one the client could overwrite what it
        // has not seen.
        stateTag(uid: uid, revision: outcome.isRepeated ? outcome.revision : head)
        if exchange.header(.prefer) != nil, prefersMinimal {
            context.body.reset()
            context.status = 204
            context.contentType = nil
            context.field("Preference-Applied", "return=minimal")
        }
    }
}

extension Request {
    /// The name in the path's second place.
    func secondName() throws(Problem) -> String { try Self.checked(context.secondParameter) }

    /// The name in the path's third place.
    func thirdName() throws(Problem) -> String { try Self.checked(context.thirdParameter) }

    static func checked(_ bytes: UnsafeRawBufferPointer) throws(Problem) -> String {
        try translated(try Identifier.checked(bytes))
    }
}

/// Runs code that throws a session's errors, and throws them as problems.
@inline(__always)
func translating<R>(_ body: () throws(SessionError) -> R) throws(Problem) -> R {
    do { return try body() } catch { throw Problem(error) }
}

/// The value of an expression that throws a session's errors.
@inline(__always)
func translated<R>(_ value: @autoclosure () throws(SessionError) -> R) throws(Problem) -> R {
    do { return try value() } catch { throw Problem(error) }
}
