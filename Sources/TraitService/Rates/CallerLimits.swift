// What one caller may take of the server. A caller is a token, or where there are none an address.

import Limits

/// Off by default: a server for one team needs none of them.
package struct CallerLimits: Sendable, Hashable {
    package var requestsPerSecondMax = Int.max
    package var commitsPerSecondMax = Int.max
    package var receivedBytesPerSecondMax = Int.max
    package var sentBytesPerSecondMax = Int.max
    package var burstSeconds = 5
    package var streamsPerCallerMax = Int.max
    package var callersMax = 100_000

    package init() {}
}

extension CallerLimits: LimitTable {
    package static let all: [Limit<CallerLimits>] = [
        Limit(
            "requestsPerSecondMax", \.requestsPerSecondMax, 1...1_000_000_000,
            beyond: .refused(status: 429, code: "rate"),
            help: "Requests a second of one token or, without tokens, of one address."),
        Limit(
            "commitsPerSecondMax", \.commitsPerSecondMax, 1...1_000_000_000,
            beyond: .refused(status: 429, code: "rate"),
            help: "Requests a second that may change something, of one token or address."),
        Limit(
            "receivedBytesPerSecondMax", \.receivedBytesPerSecondMax, 1_024...1_000_000_000_000,
            beyond: .refused(status: 429, code: "rate"),
            help: "Bytes a second of requests, heads and bodies, of one token or address."),
        Limit(
            "sentBytesPerSecondMax", \.sentBytesPerSecondMax, 1_024...1_000_000_000_000,
            beyond: .refused(status: 429, code: "rate"),
            help: "Bytes a second of answers and streams to one token or address."),
        Limit(
            "burstSeconds", \.burstSeconds, 1...3_600,
            beyond: .refused(status: 429, code: "rate"),
            help: "Seconds of its rates that a caller may use at once after a pause."),
        Limit(
            "streamsPerCallerMax", \.streamsPerCallerMax, 1...10_000_000,
            beyond: .refused(status: 429, code: "too-many-streams"),
            help: "Open streams and waiting long polls of one token or address."),
        Limit(
            "callersMax", \.callersMax, 16...10_000_000, isOption: false,
            beyond: .effect("addresses without requests are forgotten"),
            help: "Addresses whose rates are remembered."),
    ]
}
