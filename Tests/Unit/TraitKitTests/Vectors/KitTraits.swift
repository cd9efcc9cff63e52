// The traits of the scripts as types of the library.

import ConformanceCases
import TraitEngine
import TraitKit

struct ThemeTrait: TraitKit.TraitDefinition {
    static let defaultValue = 0
    static let affectsColorAppearance = true
    static let name = "theme"
    static let identifier = "com.example.theme"
}

struct ContainedTrait: TraitKit.TraitDefinition {
    static let defaultValue = false
    static let name = "contained"
}

/// One trait by name: its type, and how its values are written and read.
struct KitTrait: Sendable {
    let type: TraitKey
    let read: @Sendable (TraitKit.TraitCollection) -> JSON
    let write: @Sendable (inout any TraitKit.MutableTraits, JSON) throws -> Void
    /// What the Swift type says.
    let defaultValue: JSON
    let override: @Sendable (TraitOverrides) throws(TraitError) -> JSON

    private init<Definition: TraitKit.TraitDefinition>(
        _ type: Definition.Type, encode: @escaping @Sendable (Definition.Value) -> JSON,
        decode: @escaping @Sendable (JSON) -> Definition.Value?
    ) {
        self.type = type
        defaultValue = encode(Definition.defaultValue)
        read = { encode($0[type]) }
        write = { traits, json in
            guard let value = decode(json) else { throw VectorError("type_mismatch") }
            traits[type] = value
        }
        override = { (overrides) throws(TraitError) in encode(try overrides.override(of: type)) }
    }

    private static func cases<Definition: TraitKit.TraitDefinition>(_ type: Definition.Type)
        -> KitTrait
    where Definition.Value: RawRepresentable, Definition.Value.RawValue == Int {
        KitTrait(
            type, encode: { .number(Double($0.rawValue)) },
            decode: { $0.int.flatMap { .init(rawValue: $0) } })
    }

    private static func flag<Definition: TraitKit.TraitDefinition>(_ type: Definition.Type)
        -> KitTrait
    where Definition.Value == Bool {
        KitTrait(type, encode: { .bool($0) }, decode: \.bool)
    }

    static func named(_ name: String) throws -> KitTrait {
        if SystemTraits.privateDefinitions.contains(where: { $0.key == name }) {
            throw VectorError("private_trait")
        }
        guard let trait = all[name] else { throw VectorError("unknown_trait") }
        return trait
    }

    /// A trait, or the members of a set. UIKit has two of the sets as lists; what goes by the flag,
    /// and everything, apps write out themselves.
    static func types(named name: String) throws -> [TraitKey] {
        switch name {
        case "systemTraitsAffectingColorAppearance":
            TraitKit.TraitCollection.systemTraitsAffectingColorAppearance
        case "systemTraitsAffectingImageLookup":
            TraitKit.TraitCollection.systemTraitsAffectingImageLookup
        case "affectingColorAppearance": all.values.map(\.type).filter { $0.affectsColorAppearance }
        case "all": all.values.map(\.type)
        default: [try named(name).type]
        }
    }

    static let all: [String: KitTrait] = [
        "userInterfaceIdiom": cases(TraitUserInterfaceIdiom.self),
        "userInterfaceStyle": cases(TraitUserInterfaceStyle.self),
        "layoutDirection": cases(TraitLayoutDirection.self),
        "displayScale": KitTrait(
            TraitDisplayScale.self, encode: { .number($0) }, decode: \.double),
        "horizontalSizeClass": cases(TraitHorizontalSizeClass.self),
        "verticalSizeClass": cases(TraitVerticalSizeClass.self),
        "forceTouchCapability": cases(TraitForceTouchCapability.self),
        "preferredContentSizeCategory": KitTrait(
            TraitPreferredContentSizeCategory.self, encode: { .string($0.rawValue) },
            decode: { json in
                let known = ContentSizeCategory.allCases + [.unspecified]
                return known.first { .string($0.rawValue) == json }
            }),
        "displayGamut": cases(TraitDisplayGamut.self),
        "accessibilityContrast": cases(TraitAccessibilityContrast.self),
        "userInterfaceLevel": cases(TraitUserInterfaceLevel.self),
        "legibilityWeight": cases(TraitLegibilityWeight.self),
        "activeAppearance": cases(TraitActiveAppearance.self),
        "toolbarItemPresentationSize": cases(TraitToolbarItemPresentationSize.self),
        "imageDynamicRange": cases(TraitImageDynamicRange.self),
        "typesettingLanguage": KitTrait(
            TraitTypesettingLanguage.self,
            encode: { $0.map { .string($0.identifier) } ?? .null },
            decode: { $0 == .null ? .some(nil) : $0.string.map { Language(identifier: $0) } }),
        "sceneCaptureState": cases(TraitSceneCaptureState.self),
        "listEnvironment": cases(TraitListEnvironment.self),
        "tabAccessoryEnvironment": cases(TraitTabAccessoryEnvironment.self),
        "splitViewControllerLayoutEnvironment": cases(
            TraitSplitViewControllerLayoutEnvironment.self),
        "hdrHeadroomUsageLimit": cases(TraitHDRHeadroomUsageLimit.self),
        "headroomUsageLimit": cases(TraitHDRHeadroomUsageLimit.self),
        "resolvesNaturalAlignmentWithBaseWritingDirection": KitTrait(
            TraitResolvesNaturalAlignmentWithBaseWritingDirection.self,
            encode: { $0.map { .bool($0) } ?? .null },
            decode: { $0 == .null ? .some(nil) : $0.bool }),
        "theme": KitTrait(ThemeTrait.self, encode: { .number(Double($0)) }, decode: \.int),
        "contained": flag(ContainedTrait.self),
    ]

    /// The names of types; the first of those that a type has.
    static func names(_ types: [TraitKey]) -> [String] {
        types.map { type in
            all.filter { $0.value.type == type && $0.key != "headroomUsageLimit" }.keys.first
                ?? "\(type)"
        }
    }
}
