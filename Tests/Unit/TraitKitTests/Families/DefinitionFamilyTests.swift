// Definitions: identity, sharing, archives.

import Foundation
import KitTestSupport
import Testing
import TraitEngine
import TraitKit

private enum Shade: Int {
    case light, dark
}

private struct IdentifiedTrait: TraitKit.TraitDefinition {
    static let defaultValue = Shade.light
    static let identifier = "org.example.tests.shade"
}

private struct UnidentifiedTrait: TraitKit.TraitDefinition {
    static let defaultValue = 0
}

private struct CodablePoint: Codable, Equatable {
    var x = 0
    var y = 0
}

private struct PointTrait: TraitKit.TraitDefinition {
    static let defaultValue = CodablePoint()
    static let identifier = "org.example.tests.point"
}

private struct Secret: Equatable {
    var number = 0
}

private struct SecretTrait: TraitKit.TraitDefinition {
    static let defaultValue = Secret()
    static let identifier = "org.example.tests.secret"
}

@Suite(.ownHierarchy) struct DefinitionFamilyTests {
    @Test("C01: the same definition again is the same trait")
    func idempotent() throws {
        var definitions = TraitDefinitions()
        let theme = TraitEngine.TraitDefinition(
            key: "theme", identifier: "com.example.theme", type: .int, defaultValue: .int(0))
        let first = try definitions.define(theme)
        #expect(try definitions.define(theme) == first)
        #expect(definitions.custom.count == 1)

        enum First {
            struct Shared: TraitKit.TraitDefinition {
                static let defaultValue = 1
                static let identifier = "org.example.tests.shared"
            }
        }
        enum Second {
            struct Shared: TraitKit.TraitDefinition {
                static let defaultValue = 1
                static let identifier = "org.example.tests.shared"
            }
        }
        let traits = TraitCollection(First.Shared.self, value: 2)
        #expect(traits[Second.Shared.self] == 2)
    }

    @Test("C03: a definition whose default is no value of its type is refused")
    func withoutDefault() {
        // In Swift a type without a default does not conform; the engine has to refuse by itself.
        var definitions = TraitDefinitions()
        #expect(throws: OperationError.self) {
            try definitions.define(
                TraitEngine.TraitDefinition(key: "none", type: .int, defaultValue: .null))
        }
    }

    private func archived(_ traits: TraitKit.TraitCollection) throws -> TraitKit.TraitCollection {
        try JSONDecoder().decode(
            TraitKit.TraitCollection.self, from: try JSONEncoder().encode(traits))
    }

    @Test("C05: an archive keeps system traits and identified ones, others read their default")
    func archiving() throws {
        let traits = TraitKit.TraitCollection {
            $0[IdentifiedTrait.self] = .dark
            $0[UnidentifiedTrait.self] = 3
            $0[PointTrait.self] = CodablePoint(x: 1, y: 2)
            $0[SecretTrait.self] = Secret(number: 4)
            $0.userInterfaceStyle = .dark
            $0.preferredContentSizeCategory = .accessibilityLarge
            $0.displayScale = 3
            $0.typesettingLanguage = "zh-Hant"
            $0.resolvesNaturalAlignmentWithBaseWritingDirection = false
        }
        let copy = try archived(traits)
        #expect(copy[IdentifiedTrait.self] == .dark)
        #expect(copy[UnidentifiedTrait.self] == 0)
        #expect(copy[PointTrait.self] == CodablePoint(x: 1, y: 2))
        #expect(copy[SecretTrait.self] == Secret())
        #expect(
            copy
                == traits.modifyingTraits {
                    $0[UnidentifiedTrait.self] = 0
                    $0[SecretTrait.self] = Secret()
                })
        #expect(try archived(TraitKit.TraitCollection()) == TraitKit.TraitCollection())
    }

    @Test("a raw value outside the cases survives an archive of a system trait")
    func openRawValues() throws {
        let idiom = try #require(UserInterfaceIdiom(rawValue: 42))
        let traits = TraitKit.TraitCollection { $0.userInterfaceIdiom = idiom }
        #expect(try archived(traits).userInterfaceIdiom == idiom)
        #expect(idiom.rawValue == 42 && idiom.description == "42")
    }

    @Test(
        "a damaged archive is refused or read as far as it makes sense",
        arguments: [
            #"{"UITraitUserInterfaceStyle": "dark"}"#, #"{"UITraitDisplayScale": null}"#,
            #"{"org.example.tests.shade": []}"#, #"["UITraitUserInterfaceStyle"]"#,
        ])
    func tampered(_ text: String) {
        _ = TraitKit.TraitCollection(IdentifiedTrait.self, value: .dark)
        #expect(throws: DecodingError.self) {
            try JSONDecoder().decode(TraitKit.TraitCollection.self, from: Data(text.utf8))
        }
    }

    @Test("unknown identifiers, raw values that stand for nothing and odd sizes are passed over")
    func unknown() throws {
        _ = TraitKit.TraitCollection(IdentifiedTrait.self, value: .dark)
        let text = #"""
            {"org.example.unknown": 1, "org.example.tests.shade": 99,
             "UITraitPreferredContentSizeCategory": "huge", "UITraitUserInterfaceLevel": 1,
             "UITraitVibrancy": 1}
            """#
        let traits = try JSONDecoder().decode(
            TraitKit.TraitCollection.self, from: Data(text.utf8))
        #expect(traits == TraitKit.TraitCollection { $0.userInterfaceLevel = .elevated })
    }
}
