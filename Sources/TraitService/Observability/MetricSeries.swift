// The labels by which requests are counted: the template of their route, their method, their status and their
// duration. All of them are closed lists, so no input of a client makes a series.

import HTTPWire

/// A route template, or none, with a method: a small integer.
struct RequestSeries: Hashable {
    static let count = (Route.all.count + 1) * methodCount
    private static let methodCount = HTTPMethod.allCases.count

    let index: Int

    init(index: Int) { self.index = index }

    /// - Parameter route: the position in the table; below 0 where no route was found.
    @inline(__always)
    init(route: Int, method: UInt8) {
        index = (max(-1, route) &+ 1) &* Self.methodCount &+ Int(method)
    }

    /// The template as openapi.yaml has it; nil where no route was found.
    var route: Route? {
        let position = index / Self.methodCount - 1
        return position < 0 ? nil : Route.all[position]
    }

    var method: HTTPMethod { HTTPMethod.allCases[index % Self.methodCount] }

    /// Label values: no quote, backslash or line end occurs in any of them.
    var routeLabel: String { route?.pattern ?? "(none)" }
    var methodLabel: String { method == .other ? "other" : method.name.description }
}

/// The statuses that are counted one by one.
enum StatusSeries {
    /// Any other status counts as 0, which no answer has.
    static let statuses = [
        0, 200, 201, 202, 204, 206, 304, 400, 401, 403, 404, 405, 406, 408, 409, 410, 412, 413, 414,
        415, 417, 421, 422, 429, 431, 500, 501, 503, 504, 505, 507,
    ]
    static let count = statuses.count

    /// By status. O(1).
    private static let indices: [UInt8] = {
        var indices = [UInt8](repeating: 0, count: 600)
        for (index, status) in statuses.enumerated() { indices[status] = UInt8(index) }
        return indices
    }()

    @inline(__always)
    static func index(of status: Int, in table: UnsafePointer<UInt8>) -> Int {
        status >= 0 && status < 600 ? Int(table[status]) : 0
    }

    /// A copy of the table, for a shard: a global would be looked up behind a lock each time.
    static func makeTable() -> UnsafePointer<UInt8> {
        let table = UnsafeMutablePointer<UInt8>.allocate(capacity: 600)
        table.initialize(from: indices, count: 600)
        return UnsafePointer(table)
    }
}

/// The buckets of durations: 1, 2.5 and 5 in each decade from 10 µs to 10 s. A histogram takes `count` numbers, not
/// cumulative, and one for their sum.
enum DurationBuckets {
    /// Upper bounds in nanoseconds, each belonging to its bucket; what is longer is in one more.
    static let bounds: [UInt64] = [
        10_000, 25_000, 50_000, 100_000, 250_000, 500_000, 1_000_000, 2_500_000, 5_000_000,
        10_000_000, 25_000_000, 50_000_000, 100_000_000, 250_000_000, 500_000_000, 1_000_000_000,
        2_500_000_000, 5_000_000_000, 10_000_000_000,
    ]
    /// The bounds in seconds, as `le` has them. OpenMetrics wants a point in each.
    static let labels = [
        "0.00001", "0.000025", "0.00005", "0.0001", "0.00025", "0.0005", "0.001", "0.0025", "0.005",
        "0.01", "0.025", "0.05", "0.1", "0.25", "0.5", "1.0", "2.5", "5.0", "10.0", "+Inf",
    ]
    static let count = labels.count
    /// Numbers of one histogram: its buckets, then the sum in nanoseconds.
    static let stride = count + 1

    /// O(bounds), and short durations come first.
    static func index(of nanoseconds: UInt64) -> Int {
        var index = 0
        while index < bounds.count, bounds[index] < nanoseconds { index += 1 }
        return index
    }
}
