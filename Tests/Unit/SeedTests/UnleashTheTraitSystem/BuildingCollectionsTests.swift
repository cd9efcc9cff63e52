// From "Unleash the UIKit trait system": building a collection, and modifying one.

import KitTestSupport
import Testing
import TraitKit

@Suite(.ownHierarchy) struct BuildingCollectionsTests {
    @Test("a collection is built from scratch, and another by modifying it")
    func sample() {
        // Sample 000.1
        // Build a new trait collection instance from scratch
        let myTraits = TraitCollection { mutableTraits in
            mutableTraits.userInterfaceIdiom = .phone
            mutableTraits.horizontalSizeClass = .regular
        }

        // Get a new instance by modifying traits of an existing one
        let otherTraits = myTraits.modifyingTraits { mutableTraits in
            mutableTraits.horizontalSizeClass = .compact
            mutableTraits.userInterfaceStyle = .dark
        }
        // End of sample 000.1

        #expect(myTraits.userInterfaceIdiom == .phone)
        #expect(myTraits.horizontalSizeClass == .regular)
        #expect(myTraits.userInterfaceStyle == .unspecified)
        #expect(otherTraits.userInterfaceIdiom == .phone)
        #expect(otherTraits.horizontalSizeClass == .compact)
        #expect(otherTraits.userInterfaceStyle == .dark)
    }
}
