// Which member a request goes to. Requests stay with one until it fails.

/// The members, and which of them failed lately.
import Background

struct Endpoints {
    private(set) var all: [String]
    private var rests: [Uptime]
    private var current: Int

    /// A member that failed is left alone for this long, while another one is there.
    private static let rest = Duration.seconds(5)

    /// - Parameter first: the index of the member to begin with.
    init(_ endpoints: [String], first: Int = 0) {
        all = endpoints.map { $0.last == "/" ? String($0.dropLast()) : $0 }
        rests = Array(repeating: .now, count: endpoints.count)
        current = endpoints.isEmpty ? 0 : first % endpoints.count
    }

    /// Nil when there is no member at all.
    var now: String? { all.isEmpty ? nil : all[current] }

    /// Goes on to the next member, unless another request has done so.
    ///
    /// - Returns: whether every member has failed lately.
    mutating func fail(_ endpoint: String) -> Bool {
        guard let index = all.firstIndex(of: endpoint) else { return true }
        let now = Uptime.now
        rests[index] = now + Self.rest
        if index == current {
            let others = (1..<max(2, all.count)).map { (current + $0) % all.count }
            current = others.first { rests[$0] <= now } ?? others[0]
        }
        return rests.allSatisfy { $0 > now }
    }
}
