// From notes on custom traits: the two sets of system traits, as they print.

import Testing
import TraitKit

@Suite struct SystemSetsTests {
    @Test("the set for images prints the eleven members")
    func imageLookup() {
        let printed = "\(TraitCollection.systemTraitsAffectingImageLookup)"
        let members = [
            "TraitKit.TraitAccessibilityContrast", "TraitKit.TraitPreferredContentSizeCategory",
            "TraitKit.TraitArtworkSubtype", "TraitKit.TraitLayoutDirection",
            "TraitKit.TraitVerticalSizeClass", "TraitKit.TraitHorizontalSizeClass",
            "TraitKit.TraitDisplayGamut", "TraitKit.TraitUserInterfaceStyle",
            "TraitKit.TraitLegibilityWeight", "TraitKit.TraitUserInterfaceIdiom",
            "TraitKit.TraitDisplayScale",
        ]
        #expect(printed == "[\(members.sorted().joined(separator: ", "))]")
    }

    @Test("the set for colours prints the eight members")
    func colorAppearance() {
        let printed = "\(TraitCollection.systemTraitsAffectingColorAppearance)"
        let members = [
            "TraitKit.TraitSelectionIsKey", "TraitKit.TraitUserInterfaceLevel",
            "TraitKit.TraitAccessibilityContrast", "TraitKit.TraitDisplayGamut",
            "TraitKit.TraitUserInterfaceRenderingMode", "TraitKit.TraitUserInterfaceStyle",
            "TraitKit.TraitVibrancy", "TraitKit.TraitUserInterfaceIdiom",
        ]
        #expect(printed == "[\(members.sorted().joined(separator: ", "))]")
    }
}
