// From the reference of `UITraitDefinition`: what a definition needs, and what comes by itself.

import KitTestSupport
import Testing
import TraitKit

// Sample 002.1
private typealias Declared = any TraitDefinition.Type
// End of sample 002.1

// Sample 002.2
private enum Theme: Int {
    case standard
    case monochrome
}

private struct ThemeTrait: TraitDefinition {
    static let defaultValue = Theme.standard
}
// End of sample 002.2

// Sample 002.3
extension TraitCollection {
    fileprivate var theme: Theme { self[ThemeTrait.self] }
}

extension MutableTraits {
    fileprivate var theme: Theme {
        get { self[ThemeTrait.self] }
        set { self[ThemeTrait.self] = newValue }
    }
}
// End of sample 002.3

@Suite(.ownHierarchy) struct TraitDefinitionTests {
    @Test("a default value is enough: the name is the type's, and colours are not affected")
    func defaults() {
        #expect(ThemeTrait.name == "ThemeTrait")
        #expect(!ThemeTrait.affectsColorAppearance)
        #expect(!ThemeTrait.identifier.isEmpty)
        #expect(TraitCollection().theme == .standard)
        #expect(TraitCollection { $0.theme = .monochrome }.theme == .monochrome)
    }

    @Test("the 21 types of the system conform")
    func systemTypes() {
        let types: [Declared] = [
            TraitAccessibilityContrast.self, TraitActiveAppearance.self, TraitDisplayGamut.self,
            TraitDisplayScale.self, TraitForceTouchCapability.self, TraitHDRHeadroomUsageLimit.self,
            TraitHorizontalSizeClass.self, TraitImageDynamicRange.self, TraitLayoutDirection.self,
            TraitLegibilityWeight.self, TraitListEnvironment.self,
            TraitPreferredContentSizeCategory.self, TraitSceneCaptureState.self,
            TraitSplitViewControllerLayoutEnvironment.self, TraitTabAccessoryEnvironment.self,
            TraitToolbarItemPresentationSize.self, TraitTypesettingLanguage.self,
            TraitUserInterfaceIdiom.self, TraitUserInterfaceLevel.self,
            TraitUserInterfaceStyle.self, TraitVerticalSizeClass.self,
        ]
        for type: TraitKey in types {
            #expect(type.identifier == "UI\(type)")
            #expect(type.name == "\(type)".dropFirst("Trait".count))
        }
    }

    @Test("a type is the key: two definitions alike are two traits")
    func identity() {
        enum Other {
            struct ThemeTrait: TraitDefinition {
                static let defaultValue = Theme.standard
            }
        }
        let traits = TraitCollection(ThemeTrait.self, value: .monochrome)
        #expect(traits[Other.ThemeTrait.self] == .standard)
    }
}
