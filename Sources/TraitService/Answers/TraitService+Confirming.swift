// Linearizable answers where others write to the log, too. A read waits for a confirmation before it is handled. A
// write proves by its commit where the log was; only a write that appended nothing is confirmed, and decided again.

import HTTPServer
import SessionLog
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
        _ operation: OperationGate, _ match: Router.Match, _ context: RequestContext
    ) throws(Problem) -> Bool {
        if context.origin.confirmation.isDone { return false }
        if operation.endpoint.showsSessions, context.query.takesLocalState {
            context.origin.confirmation = .waived
            showStaleness(context)
            return false
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

    /// Says in an answer that was not confirmed how old it may be.
    func showStaleness(_ context: RequestContext) {
        guard case .waived = context.origin.confirmation else { return }
        context.field("Traitd-Consistency", "local")
        guard let age = store.log?.contact?.age else { return }
        context.field("Traitd-Staleness-Ms", Int64(age / .milliseconds(1)))
    }

    /// What an answer to the operation shows of the log; nil for nothing.
    private func question(
        _ operation: OperationGate, _ match: Router.Match, _ context: RequestContext
    ) throws(Problem) -> LogQuestion? {
        var question = LogQuestion()
        if router.gates[match.route].namesSession {
            question.names.insert(String(decoding: context.firstParameter, as: UTF8.self))
        }
        switch operation.endpoint {
        case .compareSessions:
            if let other = try context.query.string(.with) { question.names.insert(other) }
        case .createSession: question.wantsList = true
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
