// The fields of a write beside its conditions: `Idempotency-Key` (draft-ietf-httpapi-idempotency-key-header) with its
// claim while the request is handled, and those of the `cause` of its commits: who asked for them, and why.

import HTTPServer
import HTTPWire
import JSONCodec
import SessionViews
import TraitJSON
import TraitSessions

extension Request {
    /// Claims the request's key until the answer is sent; nil when the request has no key.
    ///
    /// - Throws: `malformedIdempotencyKey`, `idempotencyInFlight`.
    func idempotency(
        _ store: SessionStore
    ) throws(SessionError) -> IdempotentRequest? {
        guard let given = exchange.header(.idempotencyKey) else { return nil }
        // A request that is handled again has its claim already.
        if let claimed = context.idempotent { return claimed }
        let key = try Self.key(
            given, isRepeated: exchange.isRepeated(.idempotencyKey),
            bytesMax: store.limits.idempotencyKeyBytesMax)
        let claimed = try store.idempotencyClaims.claim(
            key, of: context.caller?.accessor ?? "",
            session: String(decoding: context.firstParameter, as: UTF8.self), target: target)
        // The workers take the digest of a longer body when they read it.
        if let document = context.document {
            claimed.take(body: document.digest)
        } else if exchange.body.count <= store.limits.inlineBodyBytesMax {
            claimed.take(body: Fingerprint.wide(exchange.body))
        }
        context.idempotent = claimed
        return claimed
    }

    /// A digest of method, path and query.
    private var target: UInt64 {
        var hash = Fingerprint.wide(
            exchange.path, seed: UInt64(exchange.method.rawValue))
        if let query = exchange.query { hash = Fingerprint.wide(query, seed: hash) }
        return hash
    }

    /// The key: the text of a structured field's string (RFC 9651), or, as most clients send it, the
    /// field's value as it is.
    private static func key(
        _ given: UnsafeRawBufferPointer, isRepeated: Bool, bytesMax: Int
    ) throws(SessionError) -> String {
        var key: [UInt8]?
        if given.first == UInt8(ascii: "\"") {
            key = unquoted(given)
        } else if given.allSatisfy({ (0x21...0x7e).contains($0) && $0 != 0x22 && $0 != 0x2c }) {
            key = Array(given)
        }
        guard let key, !isRepeated, (1...bytesMax).contains(key.count) else {
            throw SessionError(
                .malformedIdempotencyKey,
                "An Idempotency-Key is one key of 1 to \(bytesMax) printable ASCII characters, such as a UUID, as it is or between quotes."
            )
        }
        return String(decoding: key, as: UTF8.self)
    }

    /// The text of a structured field's string; nil for a malformed string.
    private static func unquoted(_ given: UnsafeRawBufferPointer) -> [UInt8]? {
        guard given.count >= 2, given.last == UInt8(ascii: "\"") else { return nil }
        var text: [UInt8] = []
        var isEscaped = false
        for byte in given.dropFirst().dropLast() {
            guard (0x20...0x7e).contains(byte) else { return nil }
            let isSpecial = byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
            if isEscaped {
                if !isSpecial { return nil }
                isEscaped = false
            } else if byte == UInt8(ascii: "\\") {
                isEscaped = true
                continue
            } else if isSpecial {
                return nil
            }
            text.append(byte)
        }
        return isEscaped ? nil : text
    }

    /// Marks the answer as a replay of an earlier one.
    func markReplayed() { context.field("Idempotency-Replayed", "true") }
}

extension TraitService {
    /// Adds the newest acknowledged revision to an answer that must not wait for the log.
    func showAcknowledged(_ context: RequestContext) {
        let name = String(decoding: context.firstParameter, as: UTF8.self)
        guard mayKnow(name, context), let session = store.find(name) else { return }
        let revision = session.acknowledgedOrRecall()
        if revision > 0 { context.field("Traitd-Revision", revision) }
    }
}

// MARK: - Cause

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
        return context.causeCopy()
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
