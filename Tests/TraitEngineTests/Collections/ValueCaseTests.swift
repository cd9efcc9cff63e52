// Runs the value cases, and checks what they leave out.

import Testing
import TraitEngine

@Suite struct ValueCaseTests {
    @Test("Collections behave as UIKit's", arguments: ConformanceCase.values)
    func conforms(_ testCase: ConformanceCase) throws {
        var run = try ValueRun()
        for step in testCase.steps { try run.take(step.array) }
    }

    @Test("No case was lost in reading")
    func allRead() {
        #expect(ConformanceCase.values.count == 18)
    }
}

/// The collections of one case by name, with the two custom traits all cases know.
private struct ValueRun {
    let definitions: TraitDefinitions
    var collections: [String: TraitCollection] = [:]

    init() throws {
        definitions = try TraitDefinitions.conformance()
    }

    mutating func take(_ step: [JSON]) throws {
        let name = step[1].string
        switch step[0].string {
        case "new":
            collections[name] = try TraitCollection(definitions: definitions) {
                try write(step[2], into: &$0)
            }
        case "modify":
            let base = try #require(find(step[2]))
            collections[name] = try base.modifying { try write(step[3], into: &$0) }
        case "merge":
            let parts = try step[2].array.map { try #require(find($0)) }
            collections[name] = TraitCollection(merging: parts)
        case "?get":
            let trait = try #require(definitions.index(of: step[2].string))
            let collection = try #require(find(step[1]))
            #expect(collection[trait] == definitions.value(step[3], of: trait))
        case "?eq":
            #expect((find(step[1]) == find(step[2])) == step[3].bool)
        case "?contains":
            #expect(find(step[1])?.contains(find(step[2])) == step[3].bool)
        case "?changed":
            let changed = try #require(find(step[1])).changedTraits(from: find(step[2]))
            #expect(changed.map { definitions[$0].key } == step[3].array.map(\.string))
        case "?color":
            let collection = try #require(find(step[1]))
            #expect(
                collection.hasDifferentColorAppearance(comparedTo: find(step[2])) == step[3].bool)
        default: Issue.record("unknown step \(step)")
        }
    }

    private func find(_ name: JSON) -> TraitCollection? { collections[name.string] }

    private func write(_ pairs: JSON, into traits: inout MutableTraits) throws {
        for pair in pairs.array {
            let trait = try #require(definitions.index(of: pair.array[0].string))
            try traits.set(trait, definitions.value(pair.array[1], of: trait))
        }
    }
}
