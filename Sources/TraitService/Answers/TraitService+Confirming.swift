// Linearizable answers where others write to the log, too. A read waits for a confirmation before it is handled. A
// write proves by its commit where the log was; only a write that appended nothing is confirmed, and decided again.

import HTTPServer
import SessionLog
import SessionViews
import TraitJSON
import TraitSessions

/// Whether an answer has to be confirmed before it goes out.
enum ConfirmationNeed {
    /// No session is shown, or no one else writes to the log.
    case none
    /// If the request appends nothing.
    case ifUnchanged(LogQuestion)
    case done
    /// The caller takes what this server knows.
    case waived

    var isDone: Bool {
        if case .done = self { true } else { false }
    }

    var isWaived: Bool {
        if case .waived = self { true } else { false }
    }

    /// Whether the request may append something.
    var isForWrite: Bool {
        if case .ifUnchanged = self { true } else { false }
    }
}

extension SessionError {
    /// The error of a read that has waited as long as it may for the log.
    static var newestUnknown: SessionError {
        SessionError(
            .logUnavailable, "The log does not say which revision is the newest. Try again.")
    }
}

extension TraitService {
    /// Whether the request waits for a confirmation; then it is handled again.
    func waitsForConfirmation(
        _ operation: Route.Operation, _ match: Router.Match, _ request: Request
    ) throws(Problem) -> Bool {
        let context = request.context
        let isConfirmed = context.origin.confirmation.isDone
        context.origin.showsSessions = operation.showsSessions
        let revision = max(
            try minRevision(operation, context), try resumedRevision(operation, request))
        if isConfirmed {
            showConsistency(context)
            if !has(revision, context, orIsAbsent: true) { throw aheadOf(revision) }
            return false
        }
        if operation.showsSessions, context.query.takesLocalState ?? readsLocally {
            if has(revision, context) {
                context.origin.confirmation = .waived
                showConsistency(context)
                return false
            }
            // The log is asked once for what this server does not have yet.
            context.origin.minRevision = revision
        }
        guard let confirmations = store.confirmations,
            let question = try question(operation, match, context)
        else { return false }
        if operation.access == .write {
            context.origin.confirmation = .ifUnchanged(question)
            return false
        }
        context.response = confirmations.response(to: question)
        return true
    }

    /// Says how new an answer is that shows sessions.
    func showConsistency(_ context: RequestContext) {
        guard context.origin.showsSessions else { return }
        switch context.origin.confirmation {
        case .done: context.field("Traitd-Consistency", "strong")
        case .waived:
            context.field("Traitd-Consistency", "local")
            let name = context.firstParameter
            let isOne = !name.isEmpty && !context.query.given.contains(.with)
            guard let age = store.age(of: isOne ? String(decoding: name, as: UTF8.self) : nil)
            else { return }
            context.field("Traitd-Staleness-Ms", Int64((age / .milliseconds(1)).rounded(.up)))
        case .none, .ifUnchanged: break
        }
    }

    /// The least revision that the answer may show; 0 for any.
    private func minRevision(
        _ operation: Route.Operation, _ context: RequestContext
    ) throws(Problem) -> Int64 {
        guard operation.showsSessions else { return 0 }
        return Int64(try context.query.integer(.minRevision, in: 1...Self.revisionMax) ?? 0)
    }

    /// Revisions are whole numbers of JSON.
    private static let revisionMax = 1 << 53 - 1

    /// The revision of the token with which a stream or a long poll resumes: another server may have given it, which has
    /// what this one lacks. 0 for other requests, and for a token of another session.
    private func resumedRevision(
        _ operation: Route.Operation, _ request: Request
    ) throws(Problem) -> Int64 {
        guard operation.parameters.contains(.resync), let start = try request.streamStart(),
            let token = StreamToken(start)
        else { return 0 }
        let name = String(decoding: request.context.firstParameter, as: UTF8.self)
        return store.find(name).map { token.names($0) } ?? true ? token.revision : 0
    }

    /// Whether the session of the request has a revision here.
    private func has(
        _ revision: Int64, _ context: RequestContext, orIsAbsent: Bool = false
    ) -> Bool {
        if revision == 0 { return true }
        let name = String(decoding: context.firstParameter, as: UTF8.self)
        return store.find(name).map { $0.acknowledgedOrRecall() >= revision } ?? orIsAbsent
    }

    /// For a server that alone writes to its log: refuses a read of a revision that has not happened.
    func checkMinRevision(
        _ operation: Route.Operation, _ context: RequestContext
    ) throws(Problem) {
        let revision = try minRevision(operation, context)
        let name = String(decoding: context.firstParameter, as: UTF8.self)
        if let session = store.find(name), session.headOrRecall() < revision {
            throw aheadOf(revision)
        }
    }

    /// The problem of a read that wants a revision which this server does not have.
    func aheadOf(_ revision: Int64) -> Problem {
        var problem = Problem(
            .revisionAhead,
            "This server does not have revision \(revision) of the session yet. Try again, or ask another server."
        ).with("minRevision", revision)
        problem.status = 503
        problem.retryAfter = 1
        return problem
    }

    /// The question to the log before an answer to the operation goes out; nil for none.
    private func question(
        _ operation: Route.Operation, _ match: Router.Match, _ context: RequestContext
    ) throws(Problem) -> LogQuestion? {
        var question = LogQuestion()
        if router.gates[match.route].namesSession {
            question.names.insert(String(decoding: context.firstParameter, as: UTF8.self))
        }
        switch operation.endpoint {
        case .compareSessions:
            if let other = try context.query.string(.with) { question.names.insert(other) }
        case .createSession: question.wantsList = true
        case .putRegistration: question.isRenewal = true
        // The revisions of all that the page may have.
        case .listSessions, .getBackup: question.wantsAllHeads = true
        // The body of an import is read as it comes, and is gone when the import is decided.
        case .importSession: return nil
        default: break
        }
        return question.isEmpty ? nil : question
    }

    /// At the exit of a write: has the answer wait for a confirmation unless it waits for a commit.
    func confirmIfUnchanged(_ context: RequestContext) {
        guard context.response == nil, Self.showsState(context.status) else { return }
        context.response = confirmation(of: context.origin)
    }

    /// A confirmation for a request that has appended nothing; nil if none is needed.
    func confirmation(of origin: RequestOrigin) -> PendingResponse? {
        guard case .ifUnchanged(let question) = origin.confirmation else { return nil }
        return store.confirmations?.response(to: question)
    }

    /// Whether an answer of that status may depend on a session's state.
    private static func showsState(_ status: Int) -> Bool {
        switch status {
        case 401, 403, 405, 406, 413, 414, 415, 429, 431, 500...: false
        default: true
        }
    }
}
