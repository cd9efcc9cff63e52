// Values of custom traits that are not both Equatable and Sendable.

import Foundation
import KitTestSupport
import Testing
import TraitKit

private final class Palette {}

private struct PaletteTrait: TraitDefinition {
    nonisolated(unsafe) static let defaultValue: Palette? = nil
}

private struct Unequal {
    var number: Int
}

private struct UnequalTrait: TraitDefinition {
    static let defaultValue = Unequal(number: 0)
}

/// Equal by its name alone. Not Sendable.
private final class Brand: Equatable {
    let name: String
    init(_ name: String) { self.name = name }
    static func == (left: Brand, right: Brand) -> Bool { left.name == right.name }
}

private struct BrandTrait: TraitDefinition {
    nonisolated(unsafe) static let defaultValue = Brand("none")
}

private protocol Style: Sendable { var width: Double { get } }

private struct Thin: Style { let width = 1.0 }

private struct StyleTrait: TraitDefinition {
    static let defaultValue: any Style = Thin()
}

@MainActor
@Suite("Values of any type", .ownHierarchy) struct OpenValueTests {
    private let view = View()

    /// How often a handler runs, with a value written before each update.
    private func calls<Definition: TraitDefinition>(
        _ trait: Definition.Type, _ values: [Definition.Value]
    ) -> Int {
        var count = 0
        view.registerForTraitChanges([trait]) { (_: View, _) in count += 1 }
        for value in values {
            view.traitOverrides[trait] = value
            view.updateTraitsIfNeeded()
        }
        return count
    }

    @Test("objects without an equality are compared by identity")
    func objects() {
        let (one, two) = (Palette(), Palette())
        #expect(calls(PaletteTrait.self, [nil, one, one, two, nil]) == 3)
        view.traitOverrides[PaletteTrait.self] = two
        view.updateTraitsIfNeeded()
        #expect(view.traitCollection[PaletteTrait.self] === two)
    }

    @Test("an equality of the type decides, whether the type is Sendable or not")
    func equality() {
        #expect(calls(BrandTrait.self, [Brand("none"), Brand("one"), Brand("one")]) == 1)
        #expect(view.traitCollection[BrandTrait.self].name == "one")
    }

    @Test("each write of a value that cannot be compared is a change")
    func unequal() {
        #expect(calls(UnequalTrait.self, [Unequal(number: 1), Unequal(number: 1)]) == 2)
        #expect(view.traitCollection[UnequalTrait.self].number == 1)
        let copy = view.traitCollection
        #expect(copy == view.traitCollection)
    }

    @Test("a value may be of a protocol's type")
    func existential() {
        #expect(calls(StyleTrait.self, [Thin()]) == 1)
        #expect(view.traitCollection[StyleTrait.self].width == 1)
        #expect(TraitCollection()[StyleTrait.self].width == 1)
    }
}
