// The router against its own table, and paths that must lead nowhere.

import Testing

@testable import TraitService

struct RouterTests {
    let router = Router()

    private func match(_ path: String) -> (pattern: String, parameters: [String])? {
        var path = path
        return path.withUTF8 { bytes in
            guard let match = router.match(UnsafeRawBufferPointer(bytes)) else { return nil }
            let all = [match.parameters.0, match.parameters.1, match.parameters.2]
            return (
                router.routes[match.route].pattern,
                all.prefix(match.parameterCount).map { String(decoding: $0, as: UTF8.self) }
            )
        }
    }

    @Test("Every route of the table is found by its own pattern, with its parameters in order")
    func everyRoute() throws {
        for route in Route.all {
            var count = 0
            let path = route.pattern.split(separator: "/").map { segment -> String in
                guard segment.hasPrefix("{") else { return String(segment) }
                count += 1
                return "p\(count)"
            }.joined(separator: "/")
            let found = try #require(match("/" + path), "\(route.pattern)")
            #expect(found.pattern == route.pattern)
            #expect(found.parameters == (0..<count).map { "p\($0 + 1)" })
        }
    }

    @Test(
        "Paths that are near a route but none lead nowhere",
        arguments: [
            "", "livez", "/livez/", "//livez", "/v1", "/v1/", "/v1/sessions/",
            "/v1/sessions//nodes", "/v1/sessions/s/nodes/", "/v1/sessions/s/nodes/n/traits/",
            "/v1/sessions/s/nodes/n/traits/t/u", "/v1/Sessions", "/v1/sessions/s/node",
            "/v1/sessions/s/nodess", "/v2/sessions", "/problems", "/problems/",
        ])
    func nowhere(_ path: String) {
        #expect(match(path) == nil)
    }

    @Test("A parameter may look like a literal segment")
    func literalsAsParameters() throws {
        let found = try #require(match("/v1/sessions/nodes/nodes/traits/traits/nodes"))
        #expect(found.parameters == ["nodes", "traits", "nodes"])
    }

    @Test("Every endpoint is in the table exactly once, and HEAD goes with GET")
    func everyEndpoint() {
        let endpoints = Route.all.flatMap { $0.operations.map(\.endpoint) }
        #expect(endpoints.count == Endpoint.allCases.count)
        #expect(Set(endpoints) == Set(Endpoint.allCases))
        for route in Route.all {
            #expect(
                route.allow.contains("GET, HEAD") == route.operations.contains { $0.method == .get }
            )
            #expect(route.allow.hasSuffix("OPTIONS"))
        }
    }
}
