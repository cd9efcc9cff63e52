// What holds for every trait of the catalogue when collections are built and compared.

import Testing
import TraitEngine

@Suite struct CollectionRuleTests {
    static let keys = SystemTraits.definitions.map(\.key)

    let definitions: TraitDefinitions
    let theme: TraitIndex
    let empty: TraitCollection

    init() throws {
        definitions = try .conformance()
        theme = try #require(definitions.index(of: "theme"))
        empty = TraitCollection(definitions: definitions)
    }

    @Test("The unspecified value of a system trait is as good as none", arguments: keys)
    func unspecified(key: String) throws {
        let trait = try #require(definitions.index(of: key))
        let unspecified = try #require(definitions[trait].unspecifiedValue)
        let written = try TraitCollection(definitions: definitions, trait, unspecified)
        #expect(written == empty && written.hashValue == empty.hashValue)
        #expect(written.traits.isEmpty && empty.contains(written))
        let taken = try TraitCollection(
            definitions: definitions, trait, definitions[trait].otherValue
        )
        .replacing(trait, with: unspecified)
        #expect(taken == empty && taken.hashValue == empty.hashValue)
    }

    @Test("An empty collection reads every trait as its default")
    func defaults() {
        for trait in definitions.settable {
            #expect(empty[trait] == definitions[trait].defaultValue)
        }
        #expect(empty.traits.isEmpty && empty == TraitCollection())
    }

    @Test("One write by replacing, modifying, building or alone comes to the same", arguments: keys)
    func oneWrite(key: String) throws {
        let trait = try #require(definitions.index(of: key))
        let value = definitions[trait].otherValue
        let alone = try TraitCollection(definitions: definitions, trait, value)
        #expect(alone[trait] == value && alone.traits == [trait])
        #expect(try empty.replacing(trait, with: value) == alone)
        let modified = try empty.modifying { traits throws(OperationError) in
            try traits.set(trait, value)
        }
        #expect(modified == alone && modified.hashValue == alone.hashValue)
        #expect(alone != empty && alone.changedTraits(from: nil) == [trait])
    }

    @Test("Both name the same traits, whichever is compared to the other", arguments: keys)
    func symmetry(key: String) throws {
        let trait = try #require(definitions.index(of: key))
        let base = try TraitCollection(definitions: definitions, theme, .int(3))
        let other = try base.replacing(trait, with: definitions[trait].otherValue)
        #expect(base.changedTraits(from: other) == [trait])
        #expect(other.changedTraits(from: base) == [trait])
        #expect(
            base.hasDifferentColorAppearance(comparedTo: other)
                == other.hasDifferentColorAppearance(comparedTo: base))
        #expect(other.contains(base) && !base.contains(other))
    }

    @Test("What one of several collections leaves open takes nothing from the others")
    func merging() throws {
        for trait in definitions.settable where definitions[trait].isSystem {
            let value = definitions[trait].otherValue
            let said = try TraitCollection(definitions: definitions, trait, value)
            #expect(TraitCollection(merging: [said, empty]) == said)
            #expect(TraitCollection(merging: [empty, said, empty]) == said)
        }
    }

    @Test("A trait defined after a collection was made reads there as its default")
    func laterDefinition() throws {
        let style = try #require(definitions.index(of: "userInterfaceStyle"))
        let before = try TraitCollection(style, .int(2))
        let after = try TraitCollection(definitions: definitions) { traits in
            try traits.set(style, .int(2))
            try traits.set(theme, .int(0))
        }
        #expect(before == after && before.hashValue == after.hashValue)
        #expect(after.changedTraits(from: before).isEmpty)
        let changed = try after.replacing(theme, with: .int(1))
        #expect(before.changedTraits(from: changed) == [theme])
        #expect(before.hasDifferentColorAppearance(comparedTo: changed))
    }

    @Test("A trait that is not defined is refused")
    func undefined() {
        let unknown = OperationError.invalidDefinition(
            key: "\(theme)", reason: "it is not defined here")
        #expect(throws: unknown) { try TraitCollection(theme, .int(1)) }
        #expect(TraitCollection()[theme] == .null)
    }
}
