// UIKit's traits as data: everything that speaks of a system trait (documentation, validation,
// descriptions, sets) reads this table.

/// The system traits, private traits of the printed lists, and the named sets.
public enum SystemTraits {
    /// The 22 public traits. Raw values as in the public headers; trait types of iOS 17 to 26.
    public static let definitions: [TraitDefinition] = [
        integers(
            "userInterfaceIdiom", unspecified: -1,
            [("phone", 0), ("pad", 1), ("tv", 2), ("carPlay", 3), ("mac", 5), ("vision", 6)],
            affectsColor: true),
        integers(
            "userInterfaceStyle", unspecified: 0, [("light", 1), ("dark", 2)], affectsColor: true),
        integers("layoutDirection", unspecified: -1, [("leftToRight", 0), ("rightToLeft", 1)]),
        system("displayScale", .double, .double(0)),
        integers("horizontalSizeClass", unspecified: 0, [("compact", 1), ("regular", 2)]),
        integers("verticalSizeClass", unspecified: 0, [("compact", 1), ("regular", 2)]),
        // `unknown` plays the unspecified role.
        integers(
            "forceTouchCapability", default: 0,
            [("unknown", 0), ("unavailable", 1), ("available", 2)]),
        system(
            "preferredContentSizeCategory", .stringEnumeration(contentSizeCategories),
            .string("_UICTContentSizeCategoryUnspecified")),
        integers("displayGamut", unspecified: -1, [("SRGB", 0), ("P3", 1)], affectsColor: true),
        integers(
            "accessibilityContrast", unspecified: -1, [("normal", 0), ("high", 1)],
            affectsColor: true),
        integers(
            "userInterfaceLevel", unspecified: -1, [("base", 0), ("elevated", 1)],
            affectsColor: true),
        integers("legibilityWeight", unspecified: -1, [("regular", 0), ("bold", 1)]),
        integers(
            "activeAppearance", unspecified: -1, [("inactive", 0), ("active", 1)],
            affectsColor: true),
        // There is no 2.
        integers(
            "toolbarItemPresentationSize", unspecified: -1,
            [("regular", 0), ("small", 1), ("large", 3)]),
        integers(
            "imageDynamicRange", unspecified: -1,
            [("standard", 0), ("constrainedHigh", 1), ("high", 2)]),
        system("typesettingLanguage", .string, .null, isNullable: true),
        integers("sceneCaptureState", unspecified: -1, [("inactive", 0), ("active", 1)]),
        integers(
            "listEnvironment", unspecified: 0,
            [
                ("none", 1), ("plain", 2), ("grouped", 3), ("insetGrouped", 4), ("sidebar", 5),
                ("sidebarPlain", 6),
            ], affectsColor: true),
        integers(
            "tabAccessoryEnvironment", unspecified: 0,
            [("none", 1), ("regular", 2), ("inline", 3)]),
        // The only one whose default is a real value: not inside a split view controller.
        integers(
            "splitViewControllerLayoutEnvironment", default: 0,
            [("none", 0), ("expanded", 1), ("collapsed", 2)]),
        // The names read inverted: active means that the limit holds.
        integers(
            "hdrHeadroomUsageLimit", unspecified: -1, [("active", 0), ("inactive", 1)],
            identifier: "UITraitHDRHeadroomUsageLimit"),
        system(
            "resolvesNaturalAlignmentWithBaseWritingDirection", .bool, .null, isNullable: true),
    ]

    /// Members of the printed lists that no header declares. Their types are unknown, so they
    /// hold nothing; they can be neither set nor observed by themselves.
    public static let privateDefinitions: [TraitDefinition] = [
        "artworkSubtype", "selectionIsKey", "userInterfaceRenderingMode", "vibrancy",
    ].map { system($0, .int, .int(0), origin: .systemPrivate) }

    /// A second spelling of a key: Swift's accessor is `headroomUsageLimit`, Objective-C's
    /// has the prefix.
    public static let keyAliases: [(alias: String, key: String)] = [
        ("headroomUsageLimit", "hdrHeadroomUsageLimit")
    ]

    /// `systemTraitsAffectingColorAppearance` as UIKit prints it on iOS 17, sorted here.
    public static let colorAppearanceKeys = [
        "accessibilityContrast", "displayGamut", "selectionIsKey", "userInterfaceIdiom",
        "userInterfaceLevel", "userInterfaceRenderingMode", "userInterfaceStyle", "vibrancy",
    ]

    /// `systemTraitsAffectingImageLookup` as UIKit prints it on iOS 17, sorted here.
    public static let imageLookupKeys = [
        "accessibilityContrast", "artworkSubtype", "displayGamut", "displayScale",
        "horizontalSizeClass", "layoutDirection", "legibilityWeight",
        "preferredContentSizeCategory", "userInterfaceIdiom", "userInterfaceStyle",
        "verticalSizeClass",
    ]

    /// In ascending order of size, after the unspecified one.
    public static let contentSizeCategories: [EnumCase<String>] =
        [EnumCase("unspecified", "_UICTContentSizeCategoryUnspecified")]
        + [
            ("extraSmall", "XS"), ("small", "S"), ("medium", "M"), ("large", "L"),
            ("extraLarge", "XL"), ("extraExtraLarge", "XXL"), ("extraExtraExtraLarge", "XXXL"),
            ("accessibilityMedium", "AccessibilityM"), ("accessibilityLarge", "AccessibilityL"),
            ("accessibilityExtraLarge", "AccessibilityXL"),
            ("accessibilityExtraExtraLarge", "AccessibilityXXL"),
            ("accessibilityExtraExtraExtraLarge", "AccessibilityXXXL"),
        ].map { EnumCase($0.0, "UICTContentSizeCategory" + $0.1) }

    // MARK: - Versions

    /// The versions whose `UITraitCollection` has each trait. A definition of a trait as a type needs iOS 17.
    private static let since: [String: String] = [
        "userInterfaceIdiom": "iOS 8.0, macCatalyst 13.1, tvOS 9.0, visionOS 1.0",
        "userInterfaceStyle": "iOS 12.0, macCatalyst 13.1, tvOS 10.0, visionOS 1.0",
        "layoutDirection": "iOS 10.0, macCatalyst 13.1, tvOS 10.0, visionOS 1.0",
        "displayScale": "iOS 8.0, macCatalyst 13.1, tvOS 9.0, visionOS 1.0",
        "horizontalSizeClass": "iOS 8.0, macCatalyst 13.1, tvOS 9.0, visionOS 1.0",
        "verticalSizeClass": "iOS 8.0, macCatalyst 13.1, tvOS 9.0, visionOS 1.0",
        "forceTouchCapability": "iOS 9.0, macCatalyst 13.1, tvOS 9.0, visionOS 1.0",
        "preferredContentSizeCategory": "iOS 10.0, macCatalyst 13.1, tvOS 10.0, visionOS 1.0",
        "displayGamut": "iOS 10.0, macCatalyst 13.1, tvOS 10.0, visionOS 1.0",
        "accessibilityContrast": "iOS 13.0, macCatalyst 13.1, tvOS 13.0, visionOS 1.0",
        "userInterfaceLevel": "iOS 13.0, macCatalyst 13.1, visionOS 1.0",
        "legibilityWeight": "iOS 13.0, macCatalyst 13.1, tvOS 13.0, visionOS 1.0",
        "activeAppearance": "iOS 14.0, macCatalyst 14.0, tvOS 14.0, visionOS 1.0",
        "toolbarItemPresentationSize": "macCatalyst 16.0",
        "imageDynamicRange": "iOS 17.0, macCatalyst 17.0, tvOS 17.0, visionOS 1.0",
        "typesettingLanguage": "iOS 17.0, macCatalyst 17.0, tvOS 17.0, visionOS 1.0",
        "sceneCaptureState": "iOS 17.0, macCatalyst 17.0, tvOS 17.0, visionOS 1.0",
        "listEnvironment": "iOS 18.0, macCatalyst 18.0, tvOS 18.0, visionOS 2.0",
        "tabAccessoryEnvironment": "iOS 26.0, macCatalyst 26.0, visionOS 26.0",
        "splitViewControllerLayoutEnvironment":
            "iOS 26.0, macCatalyst 26.0, tvOS 26.0, visionOS 26.0",
        "hdrHeadroomUsageLimit": "iOS 26.0, macCatalyst 26.0, tvOS 26.0, visionOS 26.0",
        "resolvesNaturalAlignmentWithBaseWritingDirection":
            "iOS 26.0, macCatalyst 26.0, tvOS 26.0, visionOS 26.0",
    ]

    private static func versions(of key: String) -> [PlatformVersion] {
        (since[key] ?? "").split(separator: ",").compactMap { entry in
            let parts = entry.split(separator: " ")
            return parts.count == 2 ? PlatformVersion(String(parts[0]), String(parts[1])) : nil
        }
    }

    // MARK: - Spelling the table

    private static func integers(
        _ key: String, unspecified: Int64, _ cases: [(String, Int64)],
        affectsColor: Bool = false, identifier: String? = nil
    ) -> TraitDefinition {
        integers(
            key, default: unspecified, [("unspecified", unspecified)] + cases,
            affectsColor: affectsColor, identifier: identifier)
    }

    private static func integers(
        _ key: String, default raw: Int64, _ cases: [(String, Int64)],
        affectsColor: Bool = false, identifier: String? = nil
    ) -> TraitDefinition {
        system(
            key, .enumeration(cases.map { EnumCase($0.0, $0.1) }), .int(raw),
            affectsColor: affectsColor, identifier: identifier)
    }

    /// A system trait's identifier is its type's name; its name is that without the prefix.
    private static func system(
        _ key: String, _ type: TraitType, _ value: TraitValue, isNullable: Bool = false,
        affectsColor: Bool = false, identifier: String? = nil,
        origin: TraitDefinition.Origin = .system
    ) -> TraitDefinition {
        let identifier = identifier ?? "UITrait" + key.prefix(1).uppercased() + key.dropFirst()
        return TraitDefinition(
            key: key, identifier: identifier,
            name: String(identifier.dropFirst("UITrait".count)), type: type,
            isNullable: isNullable, defaultValue: value, affectsColorAppearance: affectsColor,
            origin: origin, notes: DefinitionNotes(since: versions(of: key)))
    }
}
