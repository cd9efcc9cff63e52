// What a call throws, and why a watch has closed.

/// A refusal of the server, or a request that got no answer.
public struct TraitdError: Error, Sendable, Hashable {
    /// The problem's code, such as `revision-mismatch`. `unreachable` without an answer.
    ///
    /// The client's own codes: `redirected`, which is refused, `http-502` and the like for an answer that is no problem of traitd's,
    /// `malformed-answer`, `incomplete-answer` for one that lacks its end, `answer-too-large`, `state-too-large` for a watch that would hold too much, `timeout` for
    /// one that was not complete in time, `invalid-argument` for a request that cannot be written, and for ``code`` of a
    /// closed watch its reason.
    public let code: String
    /// The status of the answer, or nil without an answer.
    public let status: Int?
    /// The body of the answer, if it is JSON (RFC 9457).
    public let problem: TraitValue?
    /// What went wrong and what to do: the problem's `detail`.
    public let message: String

    /// Makes an error.
    public init(code: String, status: Int? = nil, problem: TraitValue? = nil, message: String) {
        (self.code, self.status, self.problem, self.message) = (code, status, problem, message)
    }

    /// The error that an answer means.
    package init(status: Int, body: some Collection<UInt8>) {
        if (300..<400).contains(status) {
            self.init(
                code: "redirected", status: status,
                message: "The server redirects. Use the URL that the server redirects to.")
            return
        }
        let problem = try? TraitValue(json: body)
        self.init(
            code: problem?["code"]?.string ?? "http-\(status)", status: status, problem: problem,
            message: problem?["detail"]?.string ?? "The server answered with status \(status).")
    }

    package static func unreachable(_ reason: String?) -> TraitdError {
        let reason = reason ?? "the connection was lost"
        return TraitdError(
            code: "unreachable", message: "The server gave no whole answer: \(reason).")
    }

    package static func invalidArgument(_ message: String) -> TraitdError {
        TraitdError(code: "invalid-argument", message: message)
    }
}

extension TraitdError: CustomStringConvertible {
    /// The code and the message.
    public var description: String { "\(code): \(message)" }
}
