// The cases in the fixture: worked examples of the semantics, a line each.

import Foundation
import Testing

/// One case. Those of the families V, O, H, R and N have steps, the others are statements that are
/// tests of their own.
struct VectorCase: Decodable, Sendable, CustomTestStringConvertible {
    let id: String
    let tree: String?
    let mode: String?
    let steps: [JSON]?
    let src: String

    var testDescription: String { "\(id): \(src)" }

    static func load(_ name: String) throws -> [VectorCase] {
        let file = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../Fixtures/\(name).jsonl")
        return try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
            .map { try JSONDecoder().decode(VectorCase.self, from: Data($0.utf8)) }
    }

    /// Those with steps. Reading the fixture cannot fail silently: a test counts them.
    static let scripts = ["semantics", "semantics-more"].flatMap { (try? load($0)) ?? [] }
        .filter { $0.steps != nil }
}
