// An incremental parser that owns nothing: it sees bytes and answers need-more, done or malformed.

/// What came of looking at the bytes so far.
package enum ParseResult: Sendable {
    case needMore
    case done
    case malformed(WireError)
}

/// Parses the heads of requests, one after the other, strictly (RFC 9112).
package struct RequestParser: Sendable {
    package let limits: WireLimits

    package init(limits: WireLimits = .init()) {
        self.limits = limits
    }

    /// Forgets the request in progress; the next bytes are the first of another one.
    package mutating func reset() {}

    /// Looks at all bytes of a request that are there so far.
    package mutating func parse(
        _ bytes: UnsafeRawBufferPointer, into head: inout RequestHead
    ) -> ParseResult { .needMore }
}
