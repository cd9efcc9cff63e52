// Every limit of the server in one place. Names say the unit: `headerBytesMax`, `idleTimeoutSeconds`.

import Limits

/// Limits on the connections, requests and streams of a server.
///
/// The limits on one request's bytes are in `WireLimits`; the table (`ServerLimits+Table.swift`) explains
/// each limit.
package struct ServerLimits: Hashable, Sendable {
    package var headerTimeoutSeconds = 10.0
    package var bodyTimeoutSeconds = 30.0
    package var bodyBytesPerSecondMin = 16_384
    package var idleTimeoutSeconds = 75.0
    package var writeStallTimeoutSeconds = 10.0
    package var lingerSeconds = 2.0
    package var lingerBytesMax = 1_048_576
    package var connectionsMax = 16_000
    package var reservedConnections = 32
    package var reservedTimeoutSeconds = 2.0
    package var connectionsPerAddressMax = Int.max
    package var streamBufferBytesMax = 65_536
    package var pipelineDepthMax = 128
    package var turnMicrosecondsMax = 1_000
    package var slowTurnMicrosecondsMin = 5_000
    package var batchBytesMax = 65_536
    package var turnBytesMax = 262_144
    package var collectedBytesMax = 268_435_456
    package var unsentBytesMax = 268_435_456
    package var gzipBytesMin = 1_024
    package var gzipInlineBytesMax = 65_536
    package var gunzipInlineBytesMax = 65_536

    package init() {}
}

extension ServerLimits {
    /// A time in seconds as nanoseconds: 0 if it is negative or NaN, and at most 10⁹ seconds (30 years).
    static func nanoseconds(_ seconds: Double) -> UInt64 {
        guard seconds > 0 else { return 0 }
        return UInt64(min(seconds, 1_000_000_000) * 1_000_000_000)
    }
}
