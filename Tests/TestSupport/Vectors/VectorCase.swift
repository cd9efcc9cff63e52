// The conformance cases of UIKit's semantics, one JSON object a line, in Tests/Fixtures.

import Foundation
import Testing

/// One case: a tree, and steps that do something or assert something.
package struct VectorCase: Sendable, CustomTestStringConvertible {
    package let id: String
    /// T0 (none), T1, T2 or T3.
    package let tree: String
    package let isLegacy: Bool
    package let steps: [[JSON]]
    package let source: String

    /// V, O, H, R, N; what was added to the given ones has an M before.
    package var family: String { String(id.drop { $0 == "M" }.prefix(1)) }
    package var testDescription: String { id }

    /// Whether a handler acts while an update runs, or a collection is printed, which is impossible over
    /// HTTP.
    package var needsLibrary: Bool {
        steps.contains { $0.first == "on" || $0.first == "?printed" }
    }

    /// nil for a case that is told in words.
    init?(_ json: JSON) throws {
        guard let steps = json["steps"]?.array else { return nil }
        let id = json["id"]?.string ?? "?"
        self.id = id
        tree = json["tree"]?.string ?? "T0"
        isLegacy = json["mode"]?.string == "legacy"
        source = json["src"]?.string ?? ""
        self.steps = try steps.map { step in
            guard let step = step.array, step.first?.string != nil else {
                throw UnknownStep(case: id, step: step.text)
            }
            return step
        }
    }

    /// Every case with steps.
    package static func all() throws -> [VectorCase] {
        try ["semantics", "semantics-more"].flatMap { file in
            let path = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
                .appending(path: "../../Fixtures/\(file).jsonl")
            let text = try String(contentsOf: path, encoding: .utf8)
            return try text.split(separator: "\n").compactMap {
                try VectorCase(JSON(parsing: String($0)))
            }
        }
    }
}

/// A step that the runner does not know: the case is no case then.
package struct UnknownStep: Error, CustomStringConvertible {
    let `case`: String
    let step: String

    package var description: String { "\(`case`) has an unknown step: \(step)" }
}
