// The labels of requests in metrics: the template of their route, their method and their status.
// All three are closed lists, so what a client sends never makes a series.

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
