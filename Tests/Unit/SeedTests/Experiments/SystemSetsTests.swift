// From notes on custom traits: the two sets of system traits, as they print.

import KitTestSupport
import Testing
import TraitKit

@Suite(.ownHierarchy) struct SystemSetsTests {
    @Test("the set for images prints the eleven members")
    func imageLookup() {
        var printed = ""
        func print(_ item: Any) { printed = "\(item)" }

        // Sample 003.5
        print(TraitCollection.systemTraitsAffectingImageLookup)
        // End of sample 003.5

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
        var printed = ""
        func print(_ item: Any) { printed = "\(item)" }

        // Sample 003.5
        print(TraitCollection.systemTraitsAffectingColorAppearance)
        // End of sample 003.5

        let members = [
            "TraitKit.TraitSelectionIsKey", "TraitKit.TraitUserInterfaceLevel",
            "TraitKit.TraitAccessibilityContrast", "TraitKit.TraitDisplayGamut",
            "TraitKit.TraitUserInterfaceRenderingMode", "TraitKit.TraitUserInterfaceStyle",
            "TraitKit.TraitVibrancy", "TraitKit.TraitUserInterfaceIdiom",
        ]
        #expect(printed == "[\(members.sorted().joined(separator: ", "))]")
    }
}
