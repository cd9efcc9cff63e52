// Errors of flag evaluations in two shapes at once: the members of the protocol, which its providers read, beside
// those of a problem, which clients of this interface read.

import HTTPServer
import SessionViews
import TraitJSON
import TraitSessions

/// The error codes of the protocol.
enum FlagErrorCode: String {
    case parseError = "PARSE_ERROR"
    case targetingKeyMissing = "TARGETING_KEY_MISSING"
    case invalidContext = "INVALID_CONTEXT"
    case flagNotFound = "FLAG_NOT_FOUND"
    case general = "GENERAL"

    fileprivate var status: Int {
        switch self {
        case .parseError, .targetingKeyMissing, .invalidContext: 400
        case .flagNotFound, .general: 404
        }
    }
}

extension SessionError {
    private static let codeMember: StaticString = "errorCode"

    /// The same error with the protocol's code.
    func evaluating(_ code: FlagErrorCode) -> SessionError {
        with(Self.codeMember, code.rawValue)
    }

    fileprivate static func code(in facts: [(name: StaticString, value: Fact)]) -> FlagErrorCode? {
        for fact in facts where fact.name.description == codeMember.description {
            if case .string(let text) = fact.value { return FlagErrorCode(rawValue: text) }
        }
        return nil
    }
}

extension TraitService {
    /// The problem in the shape of the request's route.
    func shaped(_ problem: Problem, _ exchange: Exchange, _ context: RequestContext) -> Problem {
        guard context.origin.route >= 0, router.gates[context.origin.route].isOfFlags,
            exchange.method == .post
        else { return problem }
        // The second parameter is there only for one flag.
        let key =
            context.parameterCount > 1
            ? String(decoding: context.secondParameter, as: UTF8.self) : nil
        return problem.forProviders(of: key)
    }
}

extension Problem {
    /// The problem with the members `key`, `errorCode` and `errorDetails`, as `application/json`; unchanged for
    /// statuses of which the protocol says nothing, and for those whose body providers do not read.
    ///
    /// - Parameter key: the flag that was asked for; nil for all flags.
    fileprivate func forProviders(of key: String?) -> Problem {
        var problem = self
        let known = SessionError.code(in: members)
        guard let code = known ?? presumedCode else { return self }
        if let status = known?.status ?? (code == .general ? nil : code.status) {
            problem.status = status
        }
        problem.mediaType = "application/json"
        if known == nil { problem = problem.with("errorCode", code.rawValue) }
        if let key { problem = problem.with("key", key) }
        return problem.with("errorDetails", detail)
    }

    /// The code of a problem that was not found while the context was read.
    private var presumedCode: FlagErrorCode? {
        switch (code, status) {
        case (.malformedJSON, _): .parseError
        case (.unknownTrait, _), (.privateTrait, _): .flagNotFound
        case (_, 400), (_, 404): .general
        default: nil
        }
    }
}
