// Every limit of the server in one place: each has a name, its unit last.

/// What connections, requests and streams may cost the server.
///
/// The limits on one request's bytes are in `WireLimits`.
package struct ServerLimits: Hashable, Sendable {
    /// From the first byte of a request to the end of its head. Over it: 408.
    package var headerTimeoutSeconds = 10.0
    /// From the end of a head to the end of its body, for a body sent at no less than
    /// `bodyBytesPerSecondMin`; every byte received buys its share of a second. Over it: 408.
    package var bodyTimeoutSeconds = 30.0
    /// The slowest a large body may be sent once `bodyTimeoutSeconds` have passed.
    package var bodyBytesPerSecondMin = 16_384
    /// How long a connection may rest between requests; then it is closed without a word.
    package var idleTimeoutSeconds = 75.0
    /// How long a client may take no byte of what waits for it. Over it a connection is closed, a
    /// stream first ended with `StreamEnd.slowConsumer`.
    package var writeStallTimeoutSeconds = 10.0
    /// How long a connection that is over stays readable, so that the last answer is not lost to a
    /// reset (RFC 9112 section 9.6); also how long a stream's last record may take.
    package var lingerSeconds = 2.0
    /// How much input is thrown away while lingering.
    package var lingerBytesMax = 1_048_576
    /// Open connections of all shards together. Over it: 503.
    package var connectionsMax = 16_000
    /// Open connections from one IPv4 address, or from one /64 of IPv6. Over it: 429. Without effect
    /// unless it is below `connectionsMax`; behind a proxy all clients have its address.
    package var connectionsPerAddressMax = Int.max
    /// Requests of one connection; the answer to the last says that it closes.
    package var requestsPerConnectionMax = Int.max
    /// What a stream's source is asked for at a time.
    package var streamBufferBytesMax = 65_536
    /// Pipelined requests of one connection that are answered before others get their turn.
    package var pipelineDepthMax = 128
    /// Answers of one connection that are collected before they are sent.
    package var batchBytesMax = 65_536
    /// What is received from one connection, or sent to it, before others get their turn.
    package var turnBytesMax = 262_144
    /// What all connections together may hold of requests that are not complete, and of bodies that are
    /// worked on. A request that goes beyond is answered 503.
    package var collectedBytesMax = 268_435_456
    /// What all connections together may hold of answers that their clients have not taken yet. A
    /// connection that goes beyond is closed.
    package var unsentBytesMax = 268_435_456
    /// Bodies shorter than this are never compressed: it would cost more than it saves.
    package var gzipBytesMin = 1_024
    /// Bodies longer than this are compressed away from the shard, which goes on serving others.
    package var gzipInlineBytesMax = 65_536
    /// A request's body that becomes longer than this is decompressed away from the shard.
    package var gunzipInlineBytesMax = 65_536

    package init() {}
}

extension ServerLimits {
    /// A time in seconds as nanoseconds; what is negative, not a number or beyond 30 years is cut.
    static func nanoseconds(_ seconds: Double) -> UInt64 {
        guard seconds > 0 else { return 0 }
        return UInt64(min(seconds, 1_000_000_000) * 1_000_000_000)
    }
}
