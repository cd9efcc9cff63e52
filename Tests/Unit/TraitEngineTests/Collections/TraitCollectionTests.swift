// Collections as values, where the conformance cases say nothing: custom traits, refusals, print.

import Testing
import TraitEngine

@Suite struct TraitCollectionTests {
    let definitions: TraitDefinitions
    let theme: TraitIndex
    let style: TraitIndex

    init() throws {
        definitions = try .conformance()
        theme = try #require(definitions.index(of: "theme"))
        style = try #require(definitions.index(of: "userInterfaceStyle"))
    }

    func make(_ values: [(String, TraitValue)]) throws -> TraitCollection {
        try TraitCollection(definitions: definitions) { traits in
            for (key, value) in values {
                try traits.set(#require(definitions.index(of: key)), value)
            }
        }
    }

    @Test("Reading inside the closure gives the default or what was written")
    func readingInside() throws {
        _ = try TraitCollection(definitions: definitions) { traits throws(OperationError) in
            #expect(traits[theme] == .int(0) && traits[style] == .int(0))
            try traits.set(theme, .int(4))
            #expect(traits[theme] == .int(4))
        }
    }

    @Test("A custom trait at its default is specified but reads like absent")
    func customDefault() throws {
        let explicit = try TraitCollection(definitions: definitions, theme, .int(0))
        let empty = TraitCollection(definitions: definitions)
        #expect(explicit == empty && explicit.hashValue == empty.hashValue)
        #expect(explicit.traits == [theme] && explicit.nonDefaultTraits.isEmpty)
        #expect(explicit.changedTraits(from: nil).isEmpty)
    }

    @Test("nil for an optional trait writes nothing, a wrong type is refused")
    func refusals() throws {
        let language = try #require(definitions.index(of: "typesettingLanguage"))
        let nothing = try TraitCollection(definitions: definitions, language, .null)
        #expect(nothing.traits.isEmpty)
        #expect(
            throws: OperationError.typeMismatch(trait: "theme", expected: "an integer")
        ) { try TraitCollection(definitions: definitions, theme, .string("1")) }
        let vibrancy = try #require(definitions.index(of: "vibrancy"))
        #expect(throws: OperationError.privateTrait("vibrancy")) {
            try TraitCollection(definitions: definitions, vibrancy, .int(1))
        }
    }

    @Test("Only what is not default is printed, in catalogue order")
    func printingMany() throws {
        let collection = try make([
            ("theme", .int(0)), ("displayScale", .double(3)), ("userInterfaceStyle", .int(1)),
            ("userInterfaceLevel", .int(-1)),
        ])
        #expect(
            collection.description
                == "<UITraitCollection: UserInterfaceStyle = Light, DisplayScale = 3>")
        #expect(TraitCollection().description == "<UITraitCollection>")
    }
}
