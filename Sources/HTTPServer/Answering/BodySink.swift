// Bodies that are read piece by piece, since they may be too long for memory: the document of a
// session.

import HTTPWire

/// Takes a body piece by piece. A handler gives a sink to its exchange in `expectBody`.
package protocol BodySink: AnyObject, Sendable {
    /// Takes the next bytes, transfer and content codings undone, at most some 64 KiB. Called on a
    /// worker, never twice at once; the connection receives nothing during a call. The bytes are valid
    /// during the call only.
    ///
    /// - Returns: whether the body is still wanted. After false the rest is not read, and the connection ends
    ///   with the answer.
    func take(_ bytes: UnsafeRawBufferPointer) -> Bool
}

extension Exchange {
    /// In `expectBody` alone: passes the body, of any length, to the sink while it arrives. `handle` is called
    /// with an empty `body` and this `sink` when the sink has all of it, or wants no more. A body whose content
    /// coding is not understood does not reach the sink: that request is refused.
    package func feedBody(to sink: any BodySink) { connection.feedBody(to: sink) }

    /// In `expectBody` alone: whether the whole body, still coded, has arrived. No sink can take it then.
    package var isBodyWhole: Bool { connection.isBodyWhole }

    /// In `expectBody` alone: the request is handled without its body. `handle` is called at once with an empty
    /// `body`. If the body is incomplete, the rest is not read and the connection ends with the answer.
    package func leaveBody() { connection.leavesBody = true }

    /// Whether the body has a content coding.
    package var isBodyCoded: Bool { connection.intake.first(.contentEncoding) != nil }

    /// The sink that has taken the request's body; nil for a body that was received whole.
    package var sink: (any BodySink)? { connection.feed?.sink }

    /// The length of the body that the request's head gives; nil for a chunked body.
    package var declaredBodyLength: Int? {
        if case .length(let length) = connection.intake.head.framing { length } else { nil }
    }

    /// The limit in bytes on a body that no sink takes.
    package var bodyBytesMax: Int { shardState.wireLimits.bodyBytesMax }
}
