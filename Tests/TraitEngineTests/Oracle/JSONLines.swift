// Reads the conformance cases of Tests/Fixtures: one JSON object a line, steps that start with "?"
// assert. `flush` is one update of everything.

import FoundationEssentials
import Testing

/// A decoded JSON value, integers kept apart from other numbers.
indirect enum JSON: Decodable, Equatable, Sendable {
    case null
    case bool(Bool)
    case int(Int64)
    case double(Double)
    case string(String)
    case array([JSON])
    case object([String: JSON])

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let value = try? container.decode(Bool.self) {
            self = .bool(value)
        } else if let value = try? container.decode(Int64.self) {
            self = .int(value)
        } else if let value = try? container.decode(Double.self) {
            self = .double(value)
        } else if let value = try? container.decode(String.self) {
            self = .string(value)
        } else if let value = try? container.decode([JSON].self) {
            self = .array(value)
        } else {
            self = .object(try container.decode([String: JSON].self))
        }
    }

    var string: String {
        if case .string(let value) = self { return value }
        return ""
    }

    var bool: Bool { self == .bool(true) }

    var array: [JSON] {
        if case .array(let value) = self { return value }
        return []
    }

    var object: [String: JSON] {
        if case .object(let value) = self { return value }
        return [:]
    }
}

/// One conformance case: steps to take, each an array whose first element says what to do.
struct ConformanceCase: Decodable, Sendable, CustomTestStringConvertible {
    let id: String
    let src: String
    let tree: String?
    let mode: String?
    let steps: [JSON]

    var testDescription: String { "\(id) \(src)" }

    /// Those with a tree, without the three in which windows and controllers show a write at once:
    /// only a layout hierarchy does that.
    static let hierarchies: [ConformanceCase] = {
        let file = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../Fixtures/semantics.jsonl")
        let lines = (try? String(contentsOf: file, encoding: .utf8)) ?? ""
        return lines.split(separator: "\n")
            .compactMap { try? JSONDecoder().decode(ConformanceCase.self, from: Data($0.utf8)) }
            .filter { $0.tree != nil && !["N01", "N02", "N03"].contains($0.id) }
    }()
}
