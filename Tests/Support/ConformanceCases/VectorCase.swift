// The cases in Tests/Support/Fixtures: worked examples of the semantics, a line each.

import Foundation
import Testing

/// One case. Those of the families V, O, H, R and N have steps, the others are statements that are
/// tests of their own.
package struct VectorCase: Decodable, Sendable, CustomTestStringConvertible {
    package let id: String
    /// T0 (none), T1, T2, T3 or T4.
    package let tree: String?
    package let mode: String?
    package let steps: [JSON]?
    package let src: String

    package var isLegacy: Bool { mode == "legacy" }
    /// What was added to the given cases has an M before.
    package var family: String { String(id.drop { $0 == "M" }.prefix(1)) }
    package var testDescription: String { "\(id): \(src)" }

    package static func load(_ name: String) throws -> [VectorCase] {
        let file = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../Fixtures/\(name).jsonl")
        return try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
            .map { try JSONDecoder().decode(VectorCase.self, from: Data($0.utf8)) }
    }

    /// Those with steps. Reading the fixture cannot fail silently: a test counts them.
    package static let scripts = ["semantics", "semantics-more"].flatMap { (try? load($0)) ?? [] }
        .filter { $0.steps != nil }

    /// Those of rules that the library alone has, such as the traits of the main screen.
    package static let ofLibrary = (try? load("semantics-kit")) ?? []

    /// Those that update with `flush` alone: all of the first file that have a tree, without the three
    /// in which windows and controllers show a write at once.
    package static let hierarchies = ((try? load("semantics")) ?? [])
        .filter { $0.tree != nil && !["N01", "N02", "N03"].contains($0.id) }
}
