// Finds the route of a path, on bytes: a trie over the segments of the route table, made once.

/// Immutable after `init`; shared by all shards.
package struct Router: Sendable {
    /// A path has at most this many parameters; the table is checked against it when it is built.
    static let parametersMax = 3

    private struct Edge {
        let textStart: Int
        let textCount: Int
        let target: Int
    }

    private struct State {
        var edges: [Edge] = []
        var parameter: Int?
        var route: Int?
    }

    /// Where a path led: the route, and the still percent-encoded parameters in path order.
    struct Match {
        let route: Int
        var parameters: (UnsafeRawBufferPointer, UnsafeRawBufferPointer, UnsafeRawBufferPointer)
        var parameterCount: Int
    }

    package let routes: [Route]
    private var states: [State] = [State()]
    private var text: [UInt8] = []

    package init(_ routes: [Route] = Route.all) {
        self.routes = routes
        for (index, route) in routes.enumerated() { insert(route.pattern, route: index) }
    }

    private mutating func insert(_ pattern: String, route: Int) {
        var state = 0
        var parameters = 0
        for segment in pattern.utf8.dropFirst().split(
            separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        {
            if segment.first == UInt8(ascii: "{") {
                parameters += 1
                state = states[state].parameter ?? append { $0[state].parameter = $1 }
            } else if let known = states[state].edges.first(where: { edge in
                text[edge.textStart..<edge.textStart + edge.textCount].elementsEqual(segment)
            }) {
                state = known.target
            } else {
                let start = text.count
                text.append(contentsOf: segment)
                let count = text.count - start
                state = append { states, new in
                    states[state].edges.append(
                        Edge(textStart: start, textCount: count, target: new))
                }
            }
        }
        precondition(parameters <= Self.parametersMax, "\(pattern) has too many parameters")
        precondition(states[state].route == nil, "\(pattern) is in the table twice")
        states[state].route = route
    }

    private mutating func append(_ link: (inout [State], Int) -> Void) -> Int {
        let new = states.count
        states.append(State())
        link(&states, new)
        return new
    }

    /// The route of `path`, which starts with a slash. O(path length); no allocation.
    func match(_ path: UnsafeRawBufferPointer) -> Match? {
        let empty = UnsafeRawBufferPointer(start: nil, count: 0)
        var match = Match(route: 0, parameters: (empty, empty, empty), parameterCount: 0)
        guard path.first == UInt8(ascii: "/") else { return nil }
        var state = 0
        var start = 1
        while start <= path.count {
            var end = start
            while end < path.count, path[end] != UInt8(ascii: "/") { end += 1 }
            let segment = UnsafeRawBufferPointer(rebasing: path[start..<end])
            if let next = literal(segment, from: state) {
                state = next
            } else if let next = states[state].parameter, !segment.isEmpty {
                switch match.parameterCount {
                case 0: match.parameters.0 = segment
                case 1: match.parameters.1 = segment
                default: match.parameters.2 = segment
                }
                match.parameterCount += 1
                state = next
            } else {
                return nil
            }
            start = end + 1
        }
        guard let route = states[state].route else { return nil }
        return Match(
            route: route, parameters: match.parameters, parameterCount: match.parameterCount)
    }

    private func literal(_ segment: UnsafeRawBufferPointer, from state: Int) -> Int? {
        for edge in states[state].edges where edge.textCount == segment.count {
            let matches = text.withUnsafeBytes { text in
                var i = 0
                while i < segment.count, text[edge.textStart + i] == segment[i] { i += 1 }
                return i == segment.count
            }
            if matches { return edge.target }
        }
        return nil
    }
}
