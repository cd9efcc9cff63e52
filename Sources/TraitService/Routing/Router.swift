// Finds the route of a path, on bytes: a trie over the segments of the route table, made once.

import Glibc
import HTTPWire

/// The properties of a route that the access checks read at every request, copied so that reading them counts no
/// references.
struct RouteGate {
    let isHealth: Bool
    /// Whether its operations need no token.
    let isOpen: Bool
    /// Whether its first parameter is a session's name.
    let namesSession: Bool
    /// Whether its operations are those of OpenFeature's protocol.
    let isOfFlags: Bool
    /// Where its operations begin among those of all routes.
    let firstOperation: Int
    let operationCount: Int

    fileprivate init(_ route: Route, firstOperation: Int) {
        isHealth = ["/livez", "/readyz"].contains(route.pattern)
        isOpen = route.operations.allSatisfy { $0.access == .open }
        namesSession = route.pattern.hasPrefix(Route.session)
        isOfFlags = route.operations.allSatisfy(\.endpoint.isOfFlags)
        self.firstOperation = firstOperation
        operationCount = route.operations.count
    }
}

/// Immutable after `init`; shared by all shards. One reference, not one for each of its tables.
package final class Router: Sendable {
    /// A path has at most this many parameters; the table is checked against it when it is built.
    static let parametersMax = 3

    /// A literal segment and where it leads.
    private struct Edge {
        let name: ShortName
        let target: Int
    }

    /// A node of the trie. Its edges are contiguous in `edges`; a negative index means none.
    private struct State {
        var firstEdge = 0
        var endEdge = 0
        var parameter = -1
        var route = -1
    }

    /// The route of a path, and the still percent-encoded parameters in path order.
    struct Match {
        var route = 0
        var parameters = (
            UnsafeRawBufferPointer(start: nil, count: 0),
            UnsafeRawBufferPointer(start: nil, count: 0),
            UnsafeRawBufferPointer(start: nil, count: 0)
        )
        var parameterCount = 0
    }

    package let routes: [Route]
    let gates: ContiguousArray<RouteGate>
    /// The operations of all routes.
    let operations: ContiguousArray<Route.Operation>
    private let states: ContiguousArray<State>
    private let edges: ContiguousArray<Edge>
    /// The route of `/`, which has no segment.
    private let root: Int?

    package init(_ routes: [Route] = Route.all) {
        self.routes = routes
        var operations = ContiguousArray<Route.Operation>()
        gates = ContiguousArray(
            routes.map { route in
                defer { operations += route.operations }
                return RouteGate(route, firstOperation: operations.count)
            })
        self.operations = operations
        var builder = Builder()
        root = routes.firstIndex { $0.pattern == "/" }
        // Edges are tried in the order in which they come: long paths, which are asked for most, first.
        let depths = routes.map { $0.pattern.split(separator: "/").count }
        let order = routes.indices.sorted { depths[$0] > depths[$1] }
        for index in order where index != root {
            builder.insert(routes[index].pattern, route: index)
        }
        var states = builder.states
        var edges = ContiguousArray<Edge>()
        for (index, found) in builder.edges.enumerated() {
            states[index].firstEdge = edges.count
            edges += found
            states[index].endEdge = edges.count
        }
        self.states = states
        self.edges = edges
    }

    /// The trie while it grows, with a list of edges for each state.
    private struct Builder {
        var states: ContiguousArray = [State()]
        var edges: [[Edge]] = [[]]

        mutating func insert(_ pattern: String, route: Int) {
            var state = 0
            var parameters = 0
            for segment in pattern.dropFirst().split(
                separator: "/", omittingEmptySubsequences: false)
            {
                if segment.hasPrefix("{") {
                    parameters += 1
                    if states[state].parameter < 0 { states[state].parameter = append() }
                    state = states[state].parameter
                    continue
                }
                let name = ShortName(String(segment))
                if let known = edges[state].first(where: { $0.name == name }) {
                    state = known.target
                } else {
                    let next = append()
                    edges[state].append(Edge(name: name, target: next))
                    state = next
                }
            }
            precondition(parameters <= Router.parametersMax, "\(pattern) has too many parameters")
            precondition(states[state].route < 0, "\(pattern) is in the table twice")
            states[state].route = route
        }

        private mutating func append() -> Int {
            states.append(State())
            edges.append([])
            return states.count - 1
        }
    }

    /// Where the method stands among a route's operations; HEAD goes with GET. O(operations).
    @inline(__always)
    func operation(of gate: RouteGate, _ method: HTTPMethod) -> Int? {
        let method = method == .head ? .get : method
        for index in 0..<gate.operationCount
        where operations[gate.firstOperation &+ index].method == method {
            return index
        }
        return nil
    }

    /// The route of `path`, which starts with a slash. O(path length); no allocation.
    func match(_ path: UnsafeRawBufferPointer) -> Match? {
        guard let base = path.baseAddress, path.first == UInt8(ascii: "/") else { return nil }
        var match = Match()
        var state = 0
        var start = 1
        while start <= path.count {
            let left = path.count - start
            let slash = memchr(base + start, Int32(UInt8(ascii: "/")), left)
            let size = slash.map { base.distance(to: UnsafeRawPointer($0)) - start } ?? left
            let segment = UnsafeRawBufferPointer(start: base + start, count: size)
            start += size + 1
            let here = states[state]
            if let next = literal(segment, of: here) {
                state = next
            } else if here.parameter >= 0, size > 0 {
                switch match.parameterCount {
                case 0: match.parameters.0 = segment
                case 1: match.parameters.1 = segment
                default: match.parameters.2 = segment
                }
                match.parameterCount += 1
                state = here.parameter
            } else if path.count == 1, let root {
                match.route = root
                return match
            } else {
                return nil
            }
        }
        match.route = states[state].route
        return match.route < 0 ? nil : match
    }

    @inline(__always)
    private func literal(_ segment: UnsafeRawBufferPointer, of state: State) -> Int? {
        guard state.firstEdge < state.endEdge, let name = ShortName(segment) else { return nil }
        for index in state.firstEdge..<state.endEdge where edges[index].name == name {
            return edges[index].target
        }
        return nil
    }

    /// The path without empty parts, if a route has it: the one that was probably meant. A redirect would hide the
    /// mistake from clients that follow it, and lose the body of a write in those that do not.
    func path(near path: UnsafeRawBufferPointer) -> String? {
        guard path.count <= 1_024 else { return nil }
        let parts = path.split(separator: UInt8(ascii: "/"))
        let near = parts.flatMap { [UInt8(ascii: "/")] + $0 }
        guard near.count < path.count, near.withUnsafeBytes({ match($0) }) != nil else {
            return nil
        }
        return String(decoding: near, as: UTF8.self)
    }
}

/// A name of at most 32 bytes as four integers, so that comparing it takes a few instructions: every request has its
/// path and its parameters looked up. With memcmp in its place a read takes 1.1 % more instructions and an override
/// 0.7 %.
struct ShortName: Equatable {
    static let bytesMax = 32

    private let low: UInt64
    private let high: UInt64
    /// In names of more than 16 bytes, bytes 8 to 15 and the 8 bytes before those in `high`; else 0.
    private let middle: (UInt64, UInt64)
    private let count: Int

    static func == (left: ShortName, right: ShortName) -> Bool {
        left.count == right.count && left.low == right.low && left.high == right.high
            && left.middle == right.middle
    }

    /// `nil` for anything longer. O(1).
    init?(_ bytes: UnsafeRawBufferPointer) {
        count = bytes.count
        guard count <= Self.bytesMax, let base = bytes.baseAddress else { return nil }
        middle =
            count <= 16
            ? (0, 0)
            : (
                base.loadUnaligned(fromByteOffset: 8, as: UInt64.self),
                base.loadUnaligned(fromByteOffset: count - 16, as: UInt64.self)
            )
        // Both ends, as wide as they fit; they overlap where the name is no power of two.
        switch count {
        case 8...:
            low = base.loadUnaligned(as: UInt64.self)
            high = base.loadUnaligned(fromByteOffset: count - 8, as: UInt64.self)
        case 4...:
            low = UInt64(base.loadUnaligned(as: UInt32.self))
            high = UInt64(base.loadUnaligned(fromByteOffset: count - 4, as: UInt32.self))
        case 2...:
            low = UInt64(base.loadUnaligned(as: UInt16.self))
            high = UInt64(base.load(fromByteOffset: count - 1, as: UInt8.self))
        case 1:
            low = UInt64(base.load(as: UInt8.self))
            high = 0
        default: return nil
        }
    }

    /// A name out of a table of ours, which is short enough.
    init(_ text: String) {
        var text = text
        guard let name = text.withUTF8({ ShortName(UnsafeRawBufferPointer($0)) }) else {
            preconditionFailure("'\(text)' has no or more than \(Self.bytesMax) bytes")
        }
        self = name
    }
}
