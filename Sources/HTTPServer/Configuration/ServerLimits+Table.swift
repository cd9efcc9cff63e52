// The table of the server's limits: the quantity that each bounds, and the consequence beyond it.

import Limits

extension ServerLimits: LimitTable {
    package static let all: [Limit<ServerLimits>] = times + connections + memory + turns + gzip

    private static let times: [Limit<ServerLimits>] = [
        Limit(
            "headerTimeoutSeconds", seconds: \.headerTimeoutSeconds, 1...86_400,
            beyond: .refused(status: 408, code: "request-head-timeout"),
            help: "Seconds from a request's first byte to the end of its head."),
        // Counted from the end of the head; every byte received moves the end by its share of a second.
        Limit(
            "bodyTimeoutSeconds", seconds: \.bodyTimeoutSeconds, 1...86_400,
            beyond: .refused(status: 408, code: "request-body-timeout"),
            help: "Seconds that a body may be behind the slowest rate allowed."),
        Limit(
            "bodyBytesPerSecondMin", \.bodyBytesPerSecondMin, 1...1_000_000_000,
            beyond: .effect("nothing: the body timeout counts with it"),
            help: "The slowest rate at which a body may come."),
        Limit(
            "idleTimeoutSeconds", seconds: \.idleTimeoutSeconds, 1...86_400,
            beyond: .effect("the connection is closed without an answer"),
            help: "Seconds a connection may rest between requests."),
        Limit(
            "writeStallTimeoutSeconds", seconds: \.writeStallTimeoutSeconds, 1...86_400,
            beyond: .effect("the connection is closed; a stream gets `end` first"),
            help: "Seconds a client may take nothing of what waits for it."),
        // So that the last answer is not lost to a reset (RFC 9112 section 9.6).
        Limit(
            "lingerSeconds", seconds: \.lingerSeconds,
            beyond: .effect("the connection is closed"),
            help: "Seconds for which a closing connection still discards input."),
    ]

    private static let connections: [Limit<ServerLimits>] = [
        Limit(
            "connectionsMax", \.connectionsMax, 1...10_000_000,
            beyond: .refused(status: 503, code: "too-many-connections"),
            help: "Open connections; brought down to what the limit of open files allows."),
        // One address may hold a quarter of them.
        Limit(
            "reservedConnections", \.reservedConnections,
            beyond: .refused(status: 503, code: "too-many-connections"),
            help: "Open connections beyond the others on which only health is answered."),
        Limit(
            "reservedTimeoutSeconds", seconds: \.reservedTimeoutSeconds,
            beyond: .refused(status: 503, code: "too-many-connections"),
            help: "Seconds that a reserved connection has for its one request."),
        // Behind a proxy all clients have its address.
        Limit(
            "connectionsPerAddressMax", \.connectionsPerAddressMax, 1...10_000_000,
            beyond: .refused(status: 429, code: "too-many-connections-from-address"),
            help: "Open connections from one IPv4 address or one /64 of IPv6."),
    ]

    private static let memory: [Limit<ServerLimits>] = [
        Limit(
            "collectedBytesMax", \.collectedBytesMax, 65_536...1_099_511_627_776,
            beyond: .refused(status: 503, code: "too-much-input"),
            help: "Bytes that all connections together may hold of unfinished requests; "
                + "beyond it the largest and oldest are refused. At most an eighth of `--max-memory`."
        ),
        Limit(
            "unsentBytesMax", \.unsentBytesMax, 65_536...1_099_511_627_776,
            beyond: .refused(status: 503, code: "too-much-output"),
            help: "Bytes that all connections together may hold of answers not yet taken; "
                + "beyond it streams are closed, too. One caller may leave half of it. At most an "
                + "eighth of `--max-memory`."),
        Limit(
            "lingerBytesMax", \.lingerBytesMax,
            beyond: .effect("the connection is closed"),
            help: "Bytes of input that a closing connection discards."),
    ]

    private static let turns: [Limit<ServerLimits>] = [
        Limit(
            "pipelineDepthMax", \.pipelineDepthMax,
            beyond: .effect("nothing is refused: other connections get their turn"),
            help: "Pipelined requests that are answered before others get their turn."),
        // A request that has begun is finished, so a turn may take longer by one.
        Limit(
            "turnMicrosecondsMax", \.turnMicrosecondsMax,
            beyond: .effect("what is left waits for the next turn, behind new events"),
            help: "Microseconds after which a shard looks for new events."),
        Limit(
            "slowTurnMicrosecondsMin", \.slowTurnMicrosecondsMin, 1...3_600_000_000,
            beyond: .effect("shorter ones are not listed"),
            help: "Microseconds from which on GET /v1/server/slow lists a turn of a shard, without "
                + "the time in which the thread waited for a processor."),
        Limit(
            "streamBufferBytesMax", \.streamBufferBytesMax,
            beyond: .effect("the rest is asked for later"),
            help: "Bytes that a stream's source is asked for at a time."),
        Limit(
            "batchBytesMax", \.batchBytesMax,
            beyond: .effect("they are sent"),
            help: "Bytes of answers of one connection that are collected before they are sent."),
        Limit(
            "turnBytesMax", \.turnBytesMax,
            beyond: .effect("other connections get their turn"),
            help: "Bytes that one connection receives or sends before others get their turn."),
    ]

    private static let gzip: [Limit<ServerLimits>] = [
        Limit(
            "gzipBytesMin", \.gzipBytesMin,
            beyond: .effect("shorter answers are sent plain: compressing costs more than it saves"),
            help: "Bytes from which on an answer is compressed."),
        Limit(
            "gzipInlineBytesMax", \.gzipInlineBytesMax,
            beyond: .effect("a worker compresses it, and the shard serves others"),
            help: "Bytes up to which the shard compresses an answer itself."),
        Limit(
            "gunzipInlineBytesMax", \.gunzipInlineBytesMax,
            beyond: .effect("a worker decompresses it, and the shard serves others"),
            help: "Bytes up to which the shard decompresses a request's body itself."),
    ]
}
