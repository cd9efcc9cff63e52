// The `cause` of a request's commits: who asked for them, and why.

import HTTPServer
import HTTPWire
import JSONCodec
import TraitSessions

extension Request {
    /// The request's id, its trace parent, its caller and its reason.
    ///
    /// - Parameter member: the member `reason` of the body; nil for none.
    /// - Throws: `malformedReason`; `malformedBody` for two reasons.
    func cause(_ member: JSONValue?) throws(SessionError) -> [UInt8] {
        if !context.hasReason { try take(reason: member) }
        let trace = exchange.header(.traceparent).flatMap { Self.isTraceparent($0) ? $0 : nil }
        context.cause.reset()
        context.cause.beginObject()
        context.cause.member("requestId", bytes: context.requestIDBytes)
        if let trace {
            context.cause.member("traceparent", bytes: trace)
        }
        if let reference = context.callerReference {
            reference._withUnsafeGuaranteedRef {
                context.cause.member("caller", raw: $0.causeText)
            }
        }
        if context.hasReason {
            context.reason.withUnsafeBytes { context.cause.member("reason", bytes: $0) }
        }
        context.cause.endObject()
        return context.cause.array()
    }

    /// Takes the reason that the request gives: for a body that is read before the write is made.
    ///
    /// - Throws: `malformedReason`; `malformedBody` for two reasons.
    func take(reason member: JSONValue?) throws(SessionError) {
        if exchange.header(.traitdReason) != nil || member != nil {
            context.reason = try reason(member)
        }
    }

    /// The text of `Traitd-Reason` or of the member; one of them is there.
    private func reason(_ member: JSONValue?) throws(SessionError) -> [UInt8] {
        guard let given = exchange.header(.traitdReason) else {
            guard let member else { return [] }
            guard let text = member.string else {
                throw .malformed("'reason' has to be a string", member, at: "/reason")
            }
            return try CommitReason.checked(Array(text.string.utf8), pointer: "/reason")
        }
        if member != nil {
            throw SessionError(
                .malformedBody,
                "The request has a reason in `Traitd-Reason` and another one in its body. Leave one of them out.",
                pointer: "/reason")
        }
        if exchange.isRepeated(.traitdReason) {
            throw SessionError(
                .malformedReason, "The request has `Traitd-Reason` twice. Send it once.")
        }
        return try CommitReason.checked(Array(given))
    }

    /// The shape of a W3C trace parent: hexadecimal fields of 2, 32, 16 and 2 digits.
    private static func isTraceparent(_ bytes: UnsafeRawBufferPointer) -> Bool {
        bytes.count == 55
            && bytes.enumerated().allSatisfy { position, byte in
                [2, 35, 52].contains(position)
                    ? byte == UInt8(ascii: "-")
                    : (0x30...0x39).contains(byte) || (0x61...0x66).contains(byte)
            }
    }
}
