// Finds the route of a path, on bytes: a trie over the segments of the route table, made once.

import Glibc
import HTTPWire

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
        var route: Int
        var parameters: (UnsafeRawBufferPointer, UnsafeRawBufferPointer, UnsafeRawBufferPointer)
        var parameterCount: Int
    }

    package let routes: [Route]
    /// The properties that the doors check, by route and by operation, copied without reference counting.
    let gates: ContiguousArray<RouteGate>
    let operationGates: ContiguousArray<OperationGate>
    private let states: ContiguousArray<State>
    private let edges: ContiguousArray<Edge>
    /// The route of `/`, which has no segment.
    private let root: Int?

    package init(_ routes: [Route] = Route.all) {
        self.routes = routes
        var operationGates = ContiguousArray<OperationGate>()
        gates = ContiguousArray(
            routes.map { route in
                defer { operationGates += route.operations.map { OperationGate($0, of: route) } }
                return RouteGate(route, firstOperation: operationGates.count)
            })
        self.operationGates = operationGates
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

    /// Where the method stands among a route's operations. O(operations).
    @inline(__always)
    func operation(of gate: RouteGate, _ method: HTTPMethod) -> Int? {
        for index in 0..<gate.operationCount
        where operationGates[gate.firstOperation &+ index].method == method {
            return index
        }
        return nil
    }

    /// The route of `path`, which starts with a slash. O(path length); no allocation.
    func match(_ path: UnsafeRawBufferPointer) -> Match? {
        guard let base = path.baseAddress, path.first == UInt8(ascii: "/") else { return nil }
        let empty = UnsafeRawBufferPointer(start: nil, count: 0)
        var match = Match(route: 0, parameters: (empty, empty, empty), parameterCount: 0)
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
}
