// Why the wire refused a request: everything a person needs to send a better one.

/// A request that was refused before any handler saw it.
///
/// After one of these the connection cannot be used further: where the next request would begin
/// is unknown, or not to be trusted (RFC 9112 section 2.2 and 6.3).
package struct WireError: Error, Sendable {
    /// The status code of the answer.
    package var status: Int
    /// One of a closed list of kebab-case words; the files beside this one hold them all.
    package var code: StaticString
    /// A sentence or two: the fault, and the correct form.
    package var detail: String
    /// The limit that was exceeded, by its name in the table of limits.
    package var limit: (name: StaticString, value: Int)?
    /// Where the first offending byte is: from the request's first byte when the head is at fault,
    /// from the body's first byte as it was sent when the body's framing or coding is.
    package var offset: Int?
    /// The head was read to its end before the fault, so the answer may use its fields.
    package internal(set) var isHeadComplete = false
    /// Whether the only fault is the length that the head gives for the body.
    package internal(set) var isExcess = false

    package init(
        status: Int, code: StaticString, detail: String,
        limit: (name: StaticString, value: Int)? = nil, offset: Int? = nil
    ) {
        self.status = status
        self.code = code
        self.detail = detail
        self.limit = limit
        self.offset = offset
    }

    /// A fault of the bytes at an offset.
    static func bad(
        _ code: StaticString, _ offset: Int?, _ detail: String, status: Int = 400
    ) -> WireError {
        WireError(status: status, code: code, detail: detail, offset: offset)
    }
}

extension WireError: CustomStringConvertible {
    package var description: String {
        let place = offset.map { " at byte \($0)" } ?? ""
        let bound = limit.map { " (\($0.name) \($0.value))" } ?? ""
        return "\(status) \(code)\(place)\(bound): \(detail)"
    }
}
