// The hash that docs/streams.md publishes: clients in other languages compute it.

import Foundation
import JSONCodec
import Testing
import TraitEngine

@testable import SessionViews
@testable import TraitSessions

@Suite("The digest of a stream's cache")
struct StreamDigestTests {
    private static func hash(_ node: String, _ trait: String, _ json: String) -> UInt64 {
        Array(node.utf8).withUnsafeBytes { node in
            Array(trait.utf8).withUnsafeBytes { trait in
                Array(json.utf8).withUnsafeBytes { PairHash(node: node, trait: trait).hash($0) }
            }
        }
    }

    /// The hash of docs/streams.md over text whose members are sorted and whose numbers are digits.
    ///
    /// - Parameter digits: what stands in place of `·`, as it is.
    private static func plain(_ json: String, digits: String) -> UInt64 {
        var state: UInt64 = 0xcbf2_9ce4_8422_2325
        var text = "n\nt\n"
        for character in json {
            guard let number = character.wholeNumberValue else {
                text += character == "·" ? digits : String(character)
                continue
            }
            let bits = String(Double(number).bitPattern, radix: 16)
            text += String(repeating: "0", count: 16 - bits.count) + bits
        }
        for byte in text.utf8 { state = (state ^ UInt64(byte)) &* 0x100_0000_01b3 }
        state = (state ^ state >> 33) &* 0xff51_afd7_ed55_8ccd
        state = (state ^ state >> 33) &* 0xc4ce_b9fe_1a85_ec53
        return state ^ state >> 33
    }

    /// The table of docs/streams.md, and one more.
    private static let vectors: [(node: String, trait: String, json: String, hash: String)] = [
        ("label", "theme", #""bold""#, "11abf15c600d26f5"),
        ("label", "level", "7", "f97d36b522eb6e56"),
        ("a", "name", #""hé\n\#u{2028}\"\\\u0001""#, "d49ddac4c1aafc90"),
        ("a", "scale", "1.5", "2d6f05dcb655b789"),
        ("a", "scale", "-0.0", "9cbbea61533e2434"),
        ("a", "big", "9007199254740993", "3c81ccbdba249700"),
        ("a", "flag", "true", "44b40a9f98730603"),
        ("a", "typesettingLanguage", "null", "d7bb0214a64ad027"),
        ("a", "box", #"{"w":0,"a":9007199254740993}"#, "a43effecae985037"),
        ("n", "t", "1e-7", "f1c8201a5dcc01af"),
        ("n", "tree", #"{"a":[],"b":[1,{"c":null}]}"#, "3f3e291410769210"),
        ("n", "t", "1.7976931348623157e308", "05581f8dde0bd07a"),
    ]

    @Test("It agrees with the published test vectors")
    func published() throws {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let document = try String(
            contentsOf: root.appendingPathComponent("docs/streams.md"), encoding: .utf8)
        for vector in Self.vectors {
            let hash = Self.hash(vector.node, vector.trait, vector.json)
            #expect(hash.hexadecimal == vector.hash, "\(vector.trait) \(vector.json)")
        }
        for vector in Self.vectors.dropLast() {
            #expect(document.contains("| `\(vector.hash)` |"))
        }
        let sum = Self.vectors.prefix(3).reduce(0) { $0 &+ Self.hash($1.node, $1.trait, $1.json) }
        #expect(sum.hexadecimal == "dfc702d644a391db")
        #expect(document.contains(sum.hexadecimal))
        #expect(PairSum().sum.hexadecimal == "0000000000000000")
    }

    @Test("Two values that change places change the sum")
    func swapped() {
        for (one, other) in [(1, 2), (0, 1), (8, 9)] {
            let before = Self.hash("a", "t", "\(one)") &+ Self.hash("b", "t", "\(other)")
            let after = Self.hash("a", "t", "\(other)") &+ Self.hash("b", "t", "\(one)")
            #expect(before != after)
        }
    }

    @Test(
        "A pair counts once, and a change removes the previous value, also in parts",
        arguments: [1, 10, 150, Int.max])
    func sums(bytesMax: Int) {
        var sum = PairSum()
        let (note, places) = Self.note([
            ("t", #""a,\"]}""#, #"{"b":"}{","x":1}"#), ("u", "1", "-2.5"),
        ])
        for _ in 0..<2 {
            var start = 0
            while start < 2 { sum.add(note, places, from: &start, bytesMax: bytesMax) }
        }
        let expected =
            Self.hash("n", "t", #"{"b":"}{","x":1}"#) &- Self.hash("n", "t", #""a,\"]}""#)
            &+ Self.hash("n", "u", "-2.5") &- Self.hash("n", "u", "1")
        #expect(sum.sum == expected)
    }

    @Test("Numbers count by their value at any depth, and digits in strings do not")
    func numbers() {
        #expect(
            Self.hash("n", "t", #"{"a":[1,{"b":2}],"c3":4}"#)
                == Self.plain(#"{"a":[1,{"b":2}],"c·":4}"#, digits: "3"))
        #expect(Self.hash("n", "t", #"["1",1]"#) != Self.hash("n", "t", #"[1,"1"]"#))
        #expect(Self.hash("n", "t", #"["\"1",1]"#) == Self.plain(#"["\"·",1]"#, digits: "1"))
    }

    /// The note of node `n` with these changes: trait, previous and current value.
    private static func note(_ changes: [(String, String, String)]) -> (ChangeNote, [ChangePlace]) {
        var json = "["
        var places: [ChangePlace] = []
        func append(_ text: String) -> (start: UInt32, end: UInt32) {
            let start = UInt32(json.utf8.count)
            json += text
            return (start, UInt32(json.utf8.count))
        }
        for (trait, previous, current) in changes {
            _ = append(places.isEmpty ? #"{"trait":""# : #",{"trait":""#)
            let trait = append(trait)
            _ = append(#"","previous":"#)
            let previous = append(previous)
            _ = append(#","current":"#)
            let current = append(current)
            places.append(
                ChangePlace(
                    trait: trait.start, traitEnd: trait.end, previous: previous.start,
                    previousEnd: previous.end, current: current.start, currentEnd: current.end))
            _ = append(#","source":{"kind":"default"}}"#)
        }
        let note = ChangeNote(
            registration: RegistrationIndex(rawValue: 0), id: "r", node: "n",
            changes: Array((json + "]").utf8), places: 0..<places.count)
        return (note, places)
    }
}
