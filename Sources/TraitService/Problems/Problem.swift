// The errors of the service. Handlers throw problems, and `ProblemWriter.swift` renders them.

import TraitJSON
import TraitSessions

/// An error for the client, in the form of RFC 9457. An error means that nothing changed, except for
/// `logUnavailable`: after it, the commit may be in the log when the server starts again; and for `outcomeUnknown`.
package struct Problem: Error, Sendable {
    package let code: ProblemCode
    package var status: Int
    /// A sentence that says what to do.
    package var detail: String
    /// JSON pointer (RFC 6901) into the body.
    package var pointer: String?
    package var didYouMean: String?
    /// Further members of the problem document.
    package var members: [(name: StaticString, value: SessionError.Fact)] = []
    /// The other faults of the same body.
    package var others: [Problem] = []
    /// The revision of the session's state that the problem is about; 0 when it is about none.
    package var seenAt: Int64 = 0
    package var mediaType: StaticString = "application/problem+json"
    /// Complete header lines, without line ends.
    package var headers: [String] = []
    /// Seconds after which the request may be sent again; nil where that does not help.
    package var retryAfter: Int64?

    package init(
        _ code: ProblemCode, _ detail: String, pointer: String? = nil, didYouMean: String? = nil
    ) {
        self.code = code
        self.status = code.status
        retryAfter = code.retryAfterSeconds
        self.detail = detail
        self.pointer = pointer
        self.didYouMean = didYouMean
    }

    package func with(_ name: StaticString, _ value: Int64) -> Problem {
        var problem = self
        problem.members.append((name, .integer(value)))
        return problem
    }

    package func with(_ name: StaticString, _ value: String) -> Problem {
        var problem = self
        problem.members.append((name, .string(value)))
        return problem
    }

    package func withHeader(_ line: String) -> Problem {
        var problem = self
        problem.headers.append(line)
        return problem
    }

    /// A limit that was reached: named, with its value.
    package static func limit(_ code: ProblemCode, _ detail: String, name: String, value: Int)
        -> Problem
    {
        var problem = Problem(code, detail)
        problem.members.append(("limit", .string("\(name)=\(value)")))
        return problem
    }
}
