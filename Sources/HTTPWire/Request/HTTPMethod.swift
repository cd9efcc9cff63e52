// The methods that a router switches over. Other methods are distinguished only for the refusal.

/// A request method (RFC 9110 section 9, RFC 5789). Methods are compared case-sensitively.
@usableFromInline
package enum HTTPMethod: UInt8, CaseIterable, Sendable {
    case get, head, post, put, patch, delete, options, trace, connect
    /// A valid token that is none of these; `RequestHead.methodRange` has its bytes.
    case other

    /// As written in a request line; empty for `other`.
    package var name: StaticString {
        switch self {
        case .get: "GET"
        case .head: "HEAD"
        case .post: "POST"
        case .put: "PUT"
        case .patch: "PATCH"
        case .delete: "DELETE"
        case .options: "OPTIONS"
        case .trace: "TRACE"
        case .connect: "CONNECT"
        case .other: ""
        }
    }
}
