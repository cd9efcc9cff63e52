// Which Swift type stands for which of the engine's system traits. Flags, names and identifiers
// come from the engine's own table.

internal import TraitEngine

/// One system trait and the way its values go in and out of the engine.
struct SystemTraitEntry: Sendable {
    let type: TraitKey
    let index: TraitIndex
    let coding: AnyTraitCoding
}

enum SystemTraitTable {
    /// All 22 system traits, then the private members of the sets.
    static let entries: [SystemTraitEntry] = [
        integers(TraitUserInterfaceIdiom.self, "userInterfaceIdiom"),
        integers(TraitUserInterfaceStyle.self, "userInterfaceStyle"),
        integers(TraitLayoutDirection.self, "layoutDirection"),
        entry(TraitDisplayScale.self, "displayScale", scale),
        integers(TraitHorizontalSizeClass.self, "horizontalSizeClass"),
        integers(TraitVerticalSizeClass.self, "verticalSizeClass"),
        integers(TraitForceTouchCapability.self, "forceTouchCapability"),
        entry(TraitPreferredContentSizeCategory.self, "preferredContentSizeCategory", category),
        integers(TraitDisplayGamut.self, "displayGamut"),
        integers(TraitAccessibilityContrast.self, "accessibilityContrast"),
        integers(TraitUserInterfaceLevel.self, "userInterfaceLevel"),
        integers(TraitLegibilityWeight.self, "legibilityWeight"),
        integers(TraitActiveAppearance.self, "activeAppearance"),
        integers(TraitToolbarItemPresentationSize.self, "toolbarItemPresentationSize"),
        integers(TraitImageDynamicRange.self, "imageDynamicRange"),
        entry(TraitTypesettingLanguage.self, "typesettingLanguage", language),
        integers(TraitSceneCaptureState.self, "sceneCaptureState"),
        integers(TraitListEnvironment.self, "listEnvironment"),
        integers(TraitTabAccessoryEnvironment.self, "tabAccessoryEnvironment"),
        integers(
            TraitSplitViewControllerLayoutEnvironment.self, "splitViewControllerLayoutEnvironment"),
        integers(TraitHDRHeadroomUsageLimit.self, "hdrHeadroomUsageLimit"),
        entry(
            TraitResolvesNaturalAlignmentWithBaseWritingDirection.self,
            "resolvesNaturalAlignmentWithBaseWritingDirection", optionalFlag),
        entry(TraitArtworkSubtype.self, "artworkSubtype", .custom()),
        entry(TraitSelectionIsKey.self, "selectionIsKey", .custom()),
        entry(TraitUserInterfaceRenderingMode.self, "userInterfaceRenderingMode", .custom()),
        entry(TraitVibrancy.self, "vibrancy", .custom()),
    ].compactMap(\.self)

    /// The types of a set that the engine knows by its traits' keys, in its order.
    static func types(ofKeys keys: [String]) -> [TraitKey] {
        keys.compactMap { key in
            guard let index = TraitDefinitions.system.index(of: key) else { return nil }
            return entries.first { $0.index == index }?.type
        }
    }

    // MARK: - Spelling the table

    private static func entry<Definition: TraitDefinition>(
        _ type: Definition.Type, _ key: String, _ coding: TraitCoding<Definition.Value>
    ) -> SystemTraitEntry? {
        TraitDefinitions.system.index(of: key).map {
            SystemTraitEntry(type: type, index: $0, coding: coding)
        }
    }

    private static func integers<Definition: TraitDefinition>(
        _ type: Definition.Type, _ key: String
    ) -> SystemTraitEntry? where Definition.Value: SystemEnumeration {
        entry(
            type, key,
            TraitCoding(
                .int, encode: { .int(Int64($0.rawValue)) },
                decode: { value in
                    guard case .int(let raw) = value else { return nil }
                    return Int(exactly: raw).flatMap(Definition.Value.init(rawValue:))
                }))
    }

    private static let scale = TraitCoding<Double>(
        .double, encode: { .double($0) },
        decode: { value in
            guard case .double(let number) = value else { return nil }
            return number
        })

    private static let category = TraitCoding<ContentSizeCategory>(
        .string, encode: { .string($0.rawValue) },
        decode: { value in
            guard case .string(let raw) = value else { return nil }
            return ContentSizeCategory(rawValue: raw)
        })

    private static let language = TraitCoding<Language?>(
        .string, isNullable: true, encode: { $0.map { .string($0.identifier) } ?? .null },
        decode: { value in
            switch value {
            case .string(let tag): .some(Language(identifier: tag))
            case .null: .some(nil)
            default: nil
            }
        })

    private static let optionalFlag = TraitCoding<Bool?>(
        .bool, isNullable: true, encode: { $0.map { .bool($0) } ?? .null },
        decode: { value in
            switch value {
            case .bool(let flag): .some(flag)
            case .null: .some(nil)
            default: nil
            }
        })
}

/// An enumeration of CTraitEnumerations.
protocol SystemEnumeration: RawRepresentable, Hashable, Sendable, CustomStringConvertible
where RawValue == Int {}

struct TraitArtworkSubtype: TraitDefinition {
    static let defaultValue = 0
}

struct TraitSelectionIsKey: TraitDefinition {
    static let defaultValue = 0
}

struct TraitUserInterfaceRenderingMode: TraitDefinition {
    static let defaultValue = 0
}

struct TraitVibrancy: TraitDefinition {
    static let defaultValue = 0
}
