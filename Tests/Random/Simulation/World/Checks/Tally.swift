// Counts of what a run reached, by name. A run that never reaches a kind of fault or a branch of a decision shows nothing
// of it.

package struct Tally {
    package private(set) var counts: [String: Int] = [:]

    package init() {}

    package mutating func add(_ name: String, _ count: Int = 1) {
        counts[name, default: 0] += count
    }

    package mutating func add(_ other: Tally) {
        counts.merge(other.counts, uniquingKeysWith: +)
    }

    /// What 250 seeds have to reach: all but what damage brings about.
    package static let needed: [String] =
        FaultKind.allCases.map { "fault \($0)" }
        + RequestFate.allCases.map { "request \($0)" }
        + [
            "failure notSent", "failure unanswered", "failure busy", "failure full",
            "failure compacted", "failure closed", "failure unauthenticated", "failure denied",
            "failure leaseLost", "failure refused",
            "append appended", "append refused", "append conflict", "append full", "append unknown",
            "append denied", "append leaseRenewed",
            "writes kept", "writes torn", "writes dropped", "disk: the log is closed",
            "logs truncated", "forged entries", "local reads", "renewals",
            "older starts", "append beside an older replica",
            "etcd restored", "etcd in another cluster", "starts refused",
            "decision pending", "decision released", "decision refused", "decision readAgain",
        ]
}
