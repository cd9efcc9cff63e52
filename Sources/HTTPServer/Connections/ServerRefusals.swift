// What the server itself refuses, beyond what the wire does; every cause in one place.

import HTTPWire

extension WireError {
    static func headTimedOut(_ limits: ServerLimits) -> WireError {
        WireError(
            status: 408, code: "request-head-timeout",
            detail: "The request's head did not arrive in time; send it at once.",
            limit: ("headerTimeoutSeconds", whole(limits.headerTimeoutSeconds)))
    }

    static func bodyTimedOut(_ limits: ServerLimits) -> WireError {
        WireError(
            status: 408, code: "request-body-timeout",
            detail: "The request's body did not arrive in time; send it faster, or in parts.",
            limit: ("bodyTimeoutSeconds", whole(limits.bodyTimeoutSeconds)))
    }

    static func tooManyConnections(_ limits: ServerLimits) -> WireError {
        WireError(
            status: 503, code: "too-many-connections",
            detail: "The server holds as many connections as it may; try again later.",
            limit: ("connectionsMax", limits.connectionsMax))
    }

    static func tooManyConnectionsFromAddress(_ limits: ServerLimits) -> WireError {
        WireError(
            status: 429, code: "too-many-connections-from-address",
            detail: "Your address holds as many connections as one address may; close some, or "
                + "send several requests over one.",
            limit: ("connectionsPerAddressMax", limits.connectionsPerAddressMax))
    }

    static func tooMuchInput(_ budget: ByteBudget) -> WireError {
        WireError(
            status: 503, code: "too-much-input",
            detail: "The server holds as many bytes of unfinished requests as it may; "
                + "try again later.",
            limit: ("collectedBytesMax", budget.bytesMax))
    }

    static let unsupportedContentCoding = WireError(
        status: 415, code: "unsupported-content-coding",
        detail: "The body's Content-Encoding is not understood; send it plain or as gzip.")

    private static func whole(_ seconds: Double) -> Int {
        Int(min(max(seconds.rounded(.up), 0), 1_000_000_000))
    }
}
