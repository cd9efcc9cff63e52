// The digest, against the vectors of docs/streams.md.

import Foundation
import Testing
import TraitClientCore

@Suite struct DigestTests {
    /// Rows of the table: node, trait, value, what is written, hash. `the same…` stands for the value itself.
    static let vectors: [[String]] = {
        let page = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("../../../../docs/streams.md").standardized
        let text = (try? String(contentsOf: page, encoding: .utf8)) ?? ""
        return text.split(separator: "\n").compactMap { line in
            let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
            guard cells.count == 5, cells[4].count == 18, cells[4].hasPrefix("`") else {
                return nil
            }
            return cells.map { $0.hasPrefix("`") ? String($0.dropFirst().dropLast()) : $0 }
        }
    }()

    @Test("the page has eleven vectors")
    func page() { #expect(Self.vectors.count == 11) }

    @Test("each vector of the page has its hash and its canonical form", arguments: vectors)
    func vector(_ cells: [String]) throws {
        let value = try TraitValue(json: cells[2])
        #expect(pairHash(node: cells[0], trait: cells[1], value: value).digestText == cells[4])
        if !cells[3].hasPrefix("the same") { #expect(value.canonical == cells[3]) }
    }

    @Test("the digest is the sum of the hashes")
    func sum() throws {
        var sum: UInt64 = 0
        for cells in Self.vectors.prefix(3) {
            sum &+= pairHash(node: cells[0], trait: cells[1], value: try TraitValue(json: cells[2]))
        }
        #expect(sum.digestText == "dfc702d644a391db")
        #expect(UInt64(0).digestText == "0000000000000000")
    }
}
