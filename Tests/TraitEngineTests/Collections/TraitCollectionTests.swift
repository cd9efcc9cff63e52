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

    @Test("Modifying and replacing leave the receiver alone")
    func deriving() throws {
        let base = try TraitCollection(definitions: definitions, theme, .int(1))
        let other = try base.replacing(style, with: .int(2))
        let third = try other.modifying { traits throws(OperationError) in
            try traits.set(style, .int(0))
        }
        #expect(base[style] == .int(0) && other[style] == .int(2))
        #expect(third == base && third.hashValue == base.hashValue && third.traits == [theme])
    }

    @Test("A custom trait at its default is specified but reads like absent")
    func customDefault() throws {
        let explicit = try TraitCollection(definitions: definitions, theme, .int(0))
        let empty = TraitCollection(definitions: definitions)
        #expect(explicit == empty && explicit.hashValue == empty.hashValue)
        #expect(explicit.traits == [theme] && explicit.nonDefaultTraits.isEmpty)
        #expect(explicit.changedTraits(from: nil).isEmpty)
    }

    @Test("Custom traits are neither merged nor contained, but they are changes")
    func customTraits() throws {
        let a = try make([("userInterfaceStyle", .int(1))])
        let b = try make([("userInterfaceStyle", .int(1)), ("theme", .int(2))])
        #expect(a.contains(b) && b.contains(a))
        #expect(a.changedTraits(from: b) == [theme] && b.changedTraits(from: a) == [theme])
        #expect(a.hasDifferentColorAppearance(comparedTo: b))
        #expect(TraitCollection(merging: [a, b])[theme] == .int(0))
        #expect(TraitCollection(merging: [b, a])[theme] == .int(2))
        #expect(b.changedTraits(from: nil) == [style, theme])
    }

    @Test("Merging takes each system trait from the last collection that specifies it")
    func merging() throws {
        let a = try make([("displayScale", .double(2)), ("userInterfaceStyle", .int(1))])
        let b = try make([("userInterfaceStyle", .int(2)), ("displayGamut", .int(1))])
        let c = try make([("userInterfaceStyle", .int(0)), ("displayGamut", .int(0))])
        let merged = TraitCollection(merging: [a, b, c])
        let expected = try make([
            ("displayScale", .double(2)), ("userInterfaceStyle", .int(2)),
            ("displayGamut", .int(0)),
        ])
        #expect(merged == expected)
    }

    @Test("listEnvironment follows its flag, the image traits do not colour")
    func flags() throws {
        let empty = TraitCollection(definitions: definitions)
        let list = try make([("listEnvironment", .int(2))])
        let image = try make([("displayScale", .double(3)), ("legibilityWeight", .int(1))])
        #expect(list.hasDifferentColorAppearance(comparedTo: empty))
        #expect(empty.hasDifferentColorAppearance(comparedTo: list))
        #expect(!image.hasDifferentColorAppearance(comparedTo: nil))
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

    @Test(
        "Values print in UIKit's short forms",
        arguments: [
            ("userInterfaceStyle", TraitValue.int(2), "UserInterfaceStyle = Dark"),
            ("userInterfaceStyle", .int(99), "UserInterfaceStyle = 99"),
            ("layoutDirection", .int(1), "UserInterfaceLayoutDirection = RTL"),
            ("displayGamut", .int(0), "DisplayGamut = sRGB"),
            ("displayGamut", .int(1), "DisplayGamut = P3"),
            ("displayScale", .double(3), "DisplayScale = 3"),
            ("displayScale", .double(2.5), "DisplayScale = 2.5"),
            ("userInterfaceLevel", .int(1), "UserInterfaceLevel = Elevated"),
            ("toolbarItemPresentationSize", .int(2), "ToolbarItemPresentationSize = 2"),
            ("toolbarItemPresentationSize", .int(3), "ToolbarItemPresentationSize = Large"),
            ("listEnvironment", .int(2), "ListEnvironment = 2"),
            ("imageDynamicRange", .int(1), "ImageDynamicRange = 1"),
            (
                "preferredContentSizeCategory", .string("UICTContentSizeCategoryL"),
                "PreferredContentSizeCategory = L"
            ),
            ("theme", .int(7), "theme = 7"),
        ])
    func printing(key: String, value: TraitValue, expected: String) throws {
        #expect(try make([(key, value)]).description == "<UITraitCollection: \(expected)>")
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
