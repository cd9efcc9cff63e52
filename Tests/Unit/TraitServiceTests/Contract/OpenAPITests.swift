// openapi.yaml against the route table and the list of problems, both ways: a route that is not
// in the document does not exist, and what the document promises is there.

import Foundation
import SessionViews
import Testing
import TraitJSON
import TraitSessions

@testable import TraitService

struct OpenAPITests {
    private static let root = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    private let text: String
    /// The document's operations and problem codes, one a line. `make openapi` writes them, and
    /// `make lint` compares them with the document.
    private let lines: [String]

    init() throws {
        func read(_ path: String) throws -> String {
            try String(contentsOf: Self.root.appendingPathComponent(path), encoding: .utf8)
        }
        text = try read("openapi.yaml")
        lines = try read("Tests/Support/Fixtures/openapi-operations.txt")
            .split(separator: "\n").map(String.init)
    }

    @Test("The document and the route table name the same operations and query parameters")
    func operations() {
        let routed = Set(
            Route.all.flatMap { route in
                route.operations.map { operation in
                    // The document has `pretty` once for all of a path.
                    let query = operation.parameters.filter { $0 != .pretty }
                        .map(\.name).sorted().joined(separator: ",")
                    let words = [
                        operation.method.name.description, route.pattern,
                        operation.endpoint.rawValue,
                    ]
                    return (words + (query.isEmpty ? [] : [query])).joined(separator: " ")
                }
            })
        let documented = Set(lines.filter { !$0.hasPrefix("problem ") && !$0.hasPrefix("op ") })
        #expect(routed.subtracting(documented) == [])
        #expect(documented.subtracting(routed) == [])
        #expect(routed.count == Endpoint.allCases.count)
    }

    @Test("The document lists every problem code, and no other")
    func problems() {
        let listed = lines.filter { $0.hasPrefix("problem ") }.map { String($0.dropFirst(8)) }
        let known = Set(ProblemCode.allCases.map(\.rawValue))
        #expect(Set(listed).subtracting(known) == [])
        #expect(known.subtracting(listed) == [])
        #expect(Set(listed).count == listed.count)
    }

    @Test("The document gives each operation the members that the table of operations gives it")
    func operationMembers() {
        let documented = lines.filter { $0.hasPrefix("op ") }
        let known = OperationKind.allCases.map { kind in
            let (required, optional) = kind.members
            let lists = [required, optional].map { names in
                names.map(\.description).sorted().joined(separator: ",")
            }
            return "op \(kind.rawValue) closed " + lists.joined(separator: "|")
        }
        #expect(documented == known.sorted())
    }

    @Test("Everything that a session refuses is a problem of the same code")
    func sessionErrors() {
        let codes = SessionErrorCode.allCases
        for code in codes { #expect(ProblemCode(rawValue: code.rawValue) != nil, "\(code)") }
        #expect(Set(codes.map(\.rawValue)).count == codes.count)
    }

    @Test("The binary carries the very document that is in the repository")
    func embedded() {
        #expect(OpenAPIDocument.bytes.elementsEqual(text.utf8))
    }
}
