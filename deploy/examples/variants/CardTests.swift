// Tests of the card in each combination of axes.json that it can tell apart. The rows are the arguments of the test. The
// environment variable CARD_ROWS names a file with what this prints:
//
//     traitd render card.json --variants axes.json --json

import Foundation
import Testing

struct Row: Decodable, Sendable, CustomTestStringConvertible {
    struct Color: Decodable, Sendable {
        let value: String

        /// Relative luminance, by WCAG 2.
        var luminance: Double {
            let number = Int(value.dropFirst(), radix: 16) ?? 0
            let weights = [16: 0.2126, 8: 0.7152, 0: 0.0722]
            return weights.reduce(0) { sum, part in
                let share = Double(number >> part.key & 0xFF) / 255
                let light = share > 0.04045 ? pow((share + 0.055) / 1.055, 2.4) : share / 12.92
                return sum + part.value * light
            }
        }
    }
    struct Node: Decodable, Sendable {
        let colors: [String: Color]
    }

    let labels: [String: String]
    let nodes: [Node]

    var testDescription: String {
        labels.keys.sorted().compactMap { labels[$0] }.joined(separator: ", ")
    }

    static func all() throws -> [Row] {
        let path = try #require(ProcessInfo.processInfo.environment["CARD_ROWS"])
        return try JSONDecoder().decode([Row].self, from: Data(contentsOf: URL(filePath: path)))
    }
}

@Test("Text on the card can be read", arguments: try Row.all())
func contrast(row: Row) throws {
    let card = try #require(row.nodes.first)
    let light = try ["text", "surface"].map { try #require(card.colors[$0]).luminance }.sorted()
    #expect((light[1] + 0.05) / (light[0] + 0.05) >= 4.5)
}
