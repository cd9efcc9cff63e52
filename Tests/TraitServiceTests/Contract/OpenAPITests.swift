// openapi.yaml against the route table and the list of problems, both ways: a route that is not
// in the document does not exist, and what the document promises is there.

import Foundation
import Testing
import Yams

@testable import TraitService

struct OpenAPITests {
    private static let root = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()

    private let text: String
    private let document: Node

    init() throws {
        text = try String(
            contentsOf: Self.root.appendingPathComponent("openapi.yaml"), encoding: .utf8)
        document = try #require(try Yams.compose(yaml: text))
    }

    /// Follows a `$ref` within the document.
    private func resolved(_ node: Node) throws -> Node {
        guard let reference = node["$ref"]?.string else { return node }
        var target = document
        for step in reference.dropFirst(2).split(separator: "/") {
            target = try #require(target[String(step)], "\(reference)")
        }
        return target
    }

    private struct Operation: Hashable, CustomStringConvertible {
        let path: String
        let method: String
        let id: String
        let query: Set<String>
        var description: String { "\(method) \(path) \(id) \(query.sorted())" }
    }

    private func documented() throws -> Set<Operation> {
        var operations = Set<Operation>()
        for (path, item) in try #require(document["paths"]?.mapping) {
            for (method, operation) in try #require(item.mapping)
            where method.string != "parameters" {
                var query = Set<String>()
                for parameter in operation["parameters"]?.array() ?? [] {
                    let parameter = try resolved(parameter)
                    if parameter["in"]?.string == "query" {
                        query.insert(try #require(parameter["name"]?.string))
                    }
                }
                operations.insert(
                    Operation(
                        path: try #require(path.string),
                        method: try #require(method.string).uppercased(),
                        id: try #require(operation["operationId"]?.string), query: query))
            }
        }
        return operations
    }

    @Test("The document and the route table name the same operations and query parameters")
    func operations() throws {
        let routed = Set(
            Route.all.flatMap { route in
                route.operations.map { operation in
                    Operation(
                        path: route.pattern, method: operation.method.name.description,
                        id: operation.endpoint.rawValue,
                        query: Set(operation.parameters.map(\.name)))
                }
            })
        let documented = try documented()
        #expect(routed.subtracting(documented) == [])
        #expect(documented.subtracting(routed) == [])
        #expect(routed.count == Endpoint.allCases.count)
    }

    @Test("The document lists every problem code, and no other")
    func problems() throws {
        let schema = try #require(document["components"]?["schemas"]?["ProblemCode"])
        let listed = schema["enum"]?.array().compactMap { $0.string } ?? []
        let known = Set(ProblemCode.allCases.map(\.rawValue))
        #expect(Set(listed).subtracting(known) == [])
        #expect(known.subtracting(listed) == [])
        #expect(Set(listed).count == listed.count)
    }

    @Test("The binary carries the very document that is in the repository")
    func embedded() {
        #expect(OpenAPIDocument.bytes.elementsEqual(text.utf8))
    }
}
