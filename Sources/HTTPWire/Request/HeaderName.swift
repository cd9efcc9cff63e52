// The request fields that this server understands. All others are validated and ignored.

/// A request field by its name. Names are compared without regard to case (RFC 9110 section 5.1).
@usableFromInline
package enum HeaderName: UInt8, CaseIterable, Sendable {
    // The first five decide where a request ends and what becomes of the connection; the parser
    // knows them by their being first.
    case host, contentLength, transferEncoding, connection, expect
    case te, upgrade
    case contentType, contentEncoding
    case accept, acceptEncoding, range
    case ifMatch, ifNoneMatch, authorization, idempotencyKey, lastEventID, prefer
    case traceparent, tracestate, traitdRequestID, traitdReason, userAgent
    case origin, secFetchSite, accessControlRequestMethod, accessControlRequestHeaders
    case xAPIKey
    case forwarded, xForwardedFor, xForwardedProto, xForwardedHost

    /// Equals `rawValue`, whose getter is a call in other modules.
    @inlinable @inline(__always)
    package var index: Int { Int(unsafeBitCast(self, to: UInt8.self)) }

    /// The name in its usual capitals.
    package var name: StaticString {
        switch self {
        case .host: "Host"
        case .contentLength: "Content-Length"
        case .transferEncoding: "Transfer-Encoding"
        case .connection: "Connection"
        case .expect: "Expect"
        case .te: "TE"
        case .upgrade: "Upgrade"
        case .contentType: "Content-Type"
        case .contentEncoding: "Content-Encoding"
        case .accept: "Accept"
        case .acceptEncoding: "Accept-Encoding"
        case .range: "Range"
        case .ifMatch: "If-Match"
        case .ifNoneMatch: "If-None-Match"
        case .authorization: "Authorization"
        case .idempotencyKey: "Idempotency-Key"
        case .lastEventID: "Last-Event-ID"
        case .prefer: "Prefer"
        case .traceparent: "traceparent"
        case .tracestate: "tracestate"
        case .traitdRequestID: "Traitd-Request-Id"
        case .traitdReason: "Traitd-Reason"
        case .userAgent: "User-Agent"
        case .origin: "Origin"
        case .secFetchSite: "Sec-Fetch-Site"
        case .accessControlRequestMethod: "Access-Control-Request-Method"
        case .accessControlRequestHeaders: "Access-Control-Request-Headers"
        case .xAPIKey: "X-API-Key"
        case .forwarded: "Forwarded"
        case .xForwardedFor: "X-Forwarded-For"
        case .xForwardedProto: "X-Forwarded-Proto"
        case .xForwardedHost: "X-Forwarded-Host"
        }
    }
}
