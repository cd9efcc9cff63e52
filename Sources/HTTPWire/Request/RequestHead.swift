// The result of parsing: a fixed-size record of offsets, reused from request to request.

/// How the length of a request's body is known (RFC 9112 section 6.3).
package enum BodyFraming: Hashable, Sendable {
    case none
    case length(Int)
    case chunked
}

/// The four forms of a request target (RFC 9112 section 3.2).
package enum TargetForm: UInt8, Sendable {
    case origin, absolute, authority, asterisk
}

/// A parsed request line and its fields: offsets into the caller's buffer, which must stay as it is
/// for as long as they are used.
///
/// Its contents mean something only after `RequestParser.parse` answered `done`.
@usableFromInline
package struct RequestHead: Sendable {
    package internal(set) var method = HTTPMethod.other
    package internal(set) var targetForm = TargetForm.origin
    /// 1 for HTTP/1.1, 0 for HTTP/1.0.
    package internal(set) var minorVersion: UInt8 = 1
    /// Whether the client wants to use the connection for another request.
    package internal(set) var keepsAlive = true
    /// Whether the client waits for `100 Continue` before it sends its body.
    package internal(set) var expectsContinue = false
    /// The method's bytes; the only way to name a method that is `other`.
    package internal(set) var methodRange = ByteRange(start: 0, count: 0)
    /// The whole target as it was sent.
    package internal(set) var target = ByteRange(start: 0, count: 0)
    /// The target's path, percent-encoded as it was sent; never empty. `*` for the asterisk form,
    /// and the whole target for the authority form.
    package internal(set) var path = ByteRange(start: 0, count: 0)
    /// The query after the first `?`; nil without one.
    package internal(set) var query: ByteRange?
    /// Host and port that the request is for: the target's when it names one, else `Host`
    /// (RFC 9112 section 3.2.2). `nil` only for HTTP/1.0.
    package internal(set) var authority: ByteRange?
    package internal(set) var framing = BodyFraming.none
    /// The length of the whole head, from the buffer's first byte to where the body begins.
    package internal(set) var byteCount = 0
    /// All field lines, the empty line not included.
    var fieldLines = ByteRange(start: 0, count: 0)

    /// One bit for each `HeaderName` that is present, and one for each that is repeated.
    @usableFromInline package internal(set) var present: UInt64 = 0
    @usableFromInline package internal(set) var repeated: UInt64 = 0
    /// The first value of each field; stale where `present` has no bit.
    @usableFromInline package internal(set) var values = InlineArray<32, ByteRange>(
        repeating: ByteRange(start: 0, count: 0))

    package init() {}

    // Inlined in other modules too: a call would be made with a copy of all of this.

    /// The value of the first field line of that name, without the white space around it. O(1).
    @inlinable @inline(__always)
    package func first(_ name: HeaderName) -> ByteRange? {
        let index = name.index
        guard present & (1 << UInt64(index)) != 0 else { return nil }
        return values[index]
    }

    /// Whether more than one field line has that name. O(1).
    @inlinable @inline(__always)
    package func isRepeated(_ name: HeaderName) -> Bool {
        repeated & (1 << UInt64(name.index)) != 0
    }
}
