// The kinds of rate limits, and the fields that report them: `RateLimit-Policy` and `RateLimit` of
// draft-ietf-httpapi-ratelimit-headers-10.

import Limits

enum RateKind: Int, CaseIterable {
    case requests, commits, received, sent

    /// The name in the fields.
    var name: StaticString {
        switch self {
        case .requests: "requests"
        case .commits: "commits"
        case .received: "received"
        case .sent: "sent"
        }
    }

    /// What the rate counts, for a sentence.
    var words: String {
        switch self {
        case .requests: "requests"
        case .commits: "requests that may change something"
        case .received: "bytes of requests"
        case .sent: "bytes of answers"
        }
    }

    var limit: KeyPath<CallerLimits, Int> & Sendable {
        switch self {
        case .requests: \.requestsPerSecondMax
        case .commits: \.commitsPerSecondMax
        case .received: \.receivedBytesPerSecondMax
        case .sent: \.sentBytesPerSecondMax
        }
    }

    /// The limit's place in the table.
    var entry: Limit<CallerLimits>? {
        let path: AnyKeyPath = limit
        return CallerLimits.all.first { $0.property == path }
    }

    /// `"requests";q=500;w=5`: 500 requests in a window of 5 seconds. Bytes have their own unit.
    private func policy(_ perSecond: Int, _ seconds: Int) -> String {
        let quota = perSecond.multipliedReportingOverflow(by: seconds)
        let unit = self == .received || self == .sent ? ";qu=\"content-bytes\"" : ""
        // The largest integer of a structured field (RFC 9651 section 3.3.1).
        let most = 999_999_999_999_999
        return "RateLimit-Policy: \"\(name)\""
            + ";q=\(quota.overflow ? most : min(most, quota.partialValue));w=\(seconds)\(unit)\r\n"
    }

    /// The header lines of the kind up to what is left: `RateLimit` continues with `42;t=3`.
    func opening(_ perSecond: Int, _ seconds: Int) -> [UInt8] {
        Array("\(policy(perSecond, seconds))RateLimit: \"\(name)\";r=".utf8)
    }
}

extension CallerQuota {
    /// Calls `body` with the meter of a kind.
    func with<Result>(_ kind: RateKind, _ body: (borrowing RateMeter) -> Result) -> Result {
        switch kind {
        case .requests: body(requests)
        case .commits: body(commits)
        case .received: body(received)
        case .sent: body(sent)
        }
    }
}
