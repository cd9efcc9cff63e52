// Values that UIKit has as plain booleans and numbers.

import Testing
import TraitKit

@Suite struct PlainValueTests {
    @Test("natural alignment is a plain boolean that is true unless it is set")
    func naturalAlignment() {
        var collection = TraitCollection()
        #expect(collection.resolvesNaturalAlignmentWithBaseWritingDirection)
        collection = TraitCollection {
            #expect($0.resolvesNaturalAlignmentWithBaseWritingDirection)
            $0.resolvesNaturalAlignmentWithBaseWritingDirection = false
        }
        #expect(!collection.resolvesNaturalAlignmentWithBaseWritingDirection)
        #expect(TraitResolvesNaturalAlignmentWithBaseWritingDirection.defaultValue == nil)
    }

    @Test("the directions of an interface have UIKit's raw values")
    func directions() {
        #expect(LayoutDirection.leftToRight.rawValue == 0)
        #expect(LayoutDirection(rawValue: 1) == .rightToLeft)
        #expect(LayoutDirection(rawValue: 2) == nil)
    }
}
