// The refusals of the server itself, in addition to those of the wire format.

import HTTPWire

extension WireError {
    static func headTimedOut(_ limits: ServerLimits) -> WireError {
        WireError(beyond: \.headerTimeoutSeconds, of: limits) { _ in
            "The request's head did not arrive in time; send it at once."
        }
    }

    static func bodyTimedOut(_ limits: ServerLimits) -> WireError {
        WireError(beyond: \.bodyTimeoutSeconds, of: limits) { _ in
            "The request's body did not arrive in time; send it faster, or in parts."
        }
    }

    static func tooManyConnections(_ limits: ServerLimits) -> WireError {
        WireError(beyond: \.connectionsMax, of: limits) { _ in
            "The server has reached its limit of connections; try again later."
        }
    }

    static func tooManyConnectionsFromAddress(_ limits: ServerLimits) -> WireError {
        WireError(beyond: \.connectionsPerAddressMax, of: limits) { _ in
            "Your address holds as many connections as one address may; close some, or "
                + "send several requests over one."
        }
    }

    static func tooMuchInput(_ budget: ByteBudget) -> WireError {
        WireError(beyond: \ServerLimits.collectedBytesMax, value: budget.bytesMax) { _ in
            "The server has reached its limit of bytes of unfinished requests; try again later."
        }
    }

    static func tooMuchOutput(_ budget: ByteBudget) -> WireError {
        WireError(
            status: 503, code: "too-much-output",
            detail: "The server has reached its limit of bytes of unsent answers; try again later.",
            limit: ("unsentBytesMax", budget.bytesMax))
    }

    /// The system refuses memory: a limit of addresses or data, or too many mappings.
    static let noMemoryToReceive = WireError(
        status: 503, code: "out-of-memory",
        detail: "There is no memory to receive the request; try again later.")

    static let bodyForHealth = WireError(
        status: 413, code: "body-too-large",
        detail: "This address serves health alone, which is asked for without a body.")

    static let unsupportedContentCoding = WireError(
        status: 415, code: "unsupported-content-coding",
        detail: "The body's Content-Encoding is not understood; send it plain or as gzip.")
}
