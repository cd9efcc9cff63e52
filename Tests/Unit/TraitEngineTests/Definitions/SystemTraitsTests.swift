// The catalogue against a second, independently written spelling of UIKit's public values.

import Testing
import TraitEngine

@Suite struct SystemTraitsTests {
    /// identifier, key, default, cases; one line a trait, in catalogue order.
    static let expected = """
        UserInterfaceIdiom userInterfaceIdiom -1 unspecified=-1 phone=0 pad=1 tv=2 carPlay=3 \
        mac=5 vision=6
        UserInterfaceStyle userInterfaceStyle 0 unspecified=0 light=1 dark=2
        LayoutDirection layoutDirection -1 unspecified=-1 leftToRight=0 rightToLeft=1
        DisplayScale displayScale 0.0
        HorizontalSizeClass horizontalSizeClass 0 unspecified=0 compact=1 regular=2
        VerticalSizeClass verticalSizeClass 0 unspecified=0 compact=1 regular=2
        ForceTouchCapability forceTouchCapability 0 unknown=0 unavailable=1 available=2
        PreferredContentSizeCategory preferredContentSizeCategory string
        DisplayGamut displayGamut -1 unspecified=-1 SRGB=0 P3=1
        AccessibilityContrast accessibilityContrast -1 unspecified=-1 normal=0 high=1
        UserInterfaceLevel userInterfaceLevel -1 unspecified=-1 base=0 elevated=1
        LegibilityWeight legibilityWeight -1 unspecified=-1 regular=0 bold=1
        ActiveAppearance activeAppearance -1 unspecified=-1 inactive=0 active=1
        ToolbarItemPresentationSize toolbarItemPresentationSize -1 unspecified=-1 regular=0 \
        small=1 large=3
        ImageDynamicRange imageDynamicRange -1 unspecified=-1 standard=0 constrainedHigh=1 high=2
        TypesettingLanguage typesettingLanguage nil
        SceneCaptureState sceneCaptureState -1 unspecified=-1 inactive=0 active=1
        ListEnvironment listEnvironment 0 unspecified=0 none=1 plain=2 grouped=3 insetGrouped=4 \
        sidebar=5 sidebarPlain=6
        TabAccessoryEnvironment tabAccessoryEnvironment 0 unspecified=0 none=1 regular=2 inline=3
        SplitViewControllerLayoutEnvironment splitViewControllerLayoutEnvironment 0 none=0 \
        expanded=1 collapsed=2
        HDRHeadroomUsageLimit hdrHeadroomUsageLimit -1 unspecified=-1 active=0 inactive=1
        ResolvesNaturalAlignmentWithBaseWritingDirection \
        resolvesNaturalAlignmentWithBaseWritingDirection nil
        """.split(separator: "\n").map { $0.split(separator: " ").map(String.init) }

    @Test("The constants count the traits that there are")
    func counts() {
        #expect(TraitDefinitions.systemCount == SystemTraits.definitions.count)
        #expect(TraitDefinitions.privateCount == SystemTraits.privateDefinitions.count)
    }

    @Test("Every public trait has UIKit's key, identifier, name, default and raw values")
    func catalogue() throws {
        let definitions = SystemTraits.definitions
        #expect(definitions.count == 22 && Self.expected.count == 22)
        for (definition, line) in zip(definitions, Self.expected) {
            #expect(definition.identifier == "UITrait" + line[0])
            #expect(definition.name == line[0])
            #expect(definition.key == line[1])
            #expect(definition.origin == .system)
            switch line[2] {
            case "nil": #expect(definition.defaultValue == .null && definition.isNullable)
            case "string", "0.0": #expect(!definition.isNullable)
            default: #expect(definition.defaultValue == Int64(line[2]).map(TraitValue.int))
            }
            if case .enumeration(let cases) = definition.type {
                #expect(cases.map { "\($0.name)=\($0.raw)" } == Array(line.dropFirst(3)))
            } else {
                #expect(line.count == 3)
            }
        }
    }

    @Test("The colour flag is set for the seven classes that have it")
    func flags() {
        let flagged = SystemTraits.definitions.filter(\.affectsColorAppearance).map(\.key)
        #expect(
            flagged == [
                "userInterfaceIdiom", "userInterfaceStyle", "displayGamut",
                "accessibilityContrast", "userInterfaceLevel", "activeAppearance",
                "listEnvironment",
            ])
    }

    @Test("The printed lists hold eleven and eight traits, private ones among them")
    func lists() {
        let definitions = TraitDefinitions.system
        let color = definitions.set(.systemTraitsAffectingColorAppearance)
        let image = definitions.set(.systemTraitsAffectingImageLookup)
        #expect(color.count == 8 && image.count == 11)
        #expect(color.map { definitions[$0].key }.sorted() == SystemTraits.colorAppearanceKeys)
        #expect(image.map { definitions[$0].key }.sorted() == SystemTraits.imageLookupKeys)
        #expect(color.intersection(TraitDefinitions.privateTraits).count == 3)
        #expect(image.intersection(TraitDefinitions.privateTraits).count == 1)
        #expect(definitions.set(.all).count == 22)
        #expect(definitions.set(.affectingColorAppearance).count == 7)
        #expect(definitions.set(named: "all") == definitions.settable)
        #expect(definitions.set(named: "userInterfaceStyle") == nil)
        #expect(definitions.index(of: "all") == nil)
    }

    @Test("Content size categories stand in ascending order")
    func contentSizes() {
        let definition = SystemTraits.definitions[7]
        #expect(SystemTraits.contentSizeCategories.count == 13)
        #expect(definition.value(ofCase: "large") == .string("UICTContentSizeCategoryL"))
        #expect(
            definition.value(ofCase: "accessibilityExtraExtraExtraLarge")
                == .string("UICTContentSizeCategoryAccessibilityXXXL"))
        #expect(definition.value(ofCase: "unspecified") == definition.defaultValue)
        #expect(definition.caseName(of: .string("UICTContentSizeCategoryXS")) == "extraSmall")
        #expect(!definition.accepts(.string("UICTContentSizeCategoryXXXXL")))
    }

    @Test("Unspecified is understood for every public trait")
    func unspecified() {
        for definition in SystemTraits.definitions {
            #expect(definition.value(ofCase: "unspecified") == definition.defaultValue)
            #expect(definition.accepts(definition.defaultValue))
        }
        #expect(SystemTraits.definitions[6].caseName(of: .int(0)) == "unknown")
        #expect(SystemTraits.definitions[19].caseName(of: .int(0)) == "none")
    }

    @Test("Raw values outside the cases are values, as UIKit does not validate them")
    func rawValues() {
        let style = SystemTraits.definitions[1]
        #expect(style.accepts(.int(99)) && style.caseName(of: .int(99)) == nil)
        #expect(!style.accepts(.double(1)) && !style.accepts(.bool(true)))
        #expect(!style.accepts(.null) && !style.accepts(.string("dark")))
        #expect(style.expectation == "one of light, dark, unspecified or an integer")
        let scale = SystemTraits.definitions[3]
        #expect(scale.accepts(.double(3)) && !scale.accepts(.double(.infinity)))
        #expect(!scale.accepts(.double(.nan)) && scale.expectation == "a finite number")
        #expect(SystemTraits.definitions[15].expectation == "a string or null")
    }
}
