// From notes on custom traits: collections of iOS 16 and of iOS 17, a custom trait, overrides.

import KitTestSupport
import Testing
import TraitKit

// Sample 003.2
// Implemneting a simple custom trait
private struct CustomTrait: TraitDefinition {
    static let defaultValue = false
    // system will redraw ui everty time this trait changed
    static let affectsColorAppearance = true
    static let name = "balabala"
    static let identifier = "baba.lala"
}

extension TraitCollection {
    fileprivate var customTrait: Bool { self[CustomTrait.self] }
}

extension MutableTraits {
    fileprivate var customTrait: Bool {
        get { self[CustomTrait.self] }
        set { self[CustomTrait.self] = newValue }
    }
}
// End of sample 003.2

// The notes set `themeTrait` without showing it.
private enum Theme {
    case white, yellow
}

private struct ThemeTrait: TraitDefinition {
    static let defaultValue = Theme.white
}

extension MutableTraits {
    fileprivate var themeTrait: Theme {
        get { self[ThemeTrait.self] }
        set { self[ThemeTrait.self] = newValue }
    }
}

@MainActor
private final class OverridingView: View {
    func override() {
        // Sample 003.3
        self.traitOverrides.userInterfaceStyle = .dark
        self.traitOverrides.customTrait = true
        self.traitOverrides.themeTrait = .yellow

        // remove override
        self.traitOverrides.remove(CustomTrait.self)
        // End of sample 003.3
    }
}

@MainActor
@Suite(.ownHierarchy) struct MutableTraitsTests {
    @Test("collections are built from one trait, from scratch, and from others")
    func building() {
        // Sample 003.1
        // ios 16
        let legacyTraits = TraitCollection(userInterfaceIdiom: .phone)

        // Build from scratch
        let myTraits = TraitCollection { mutableTraits in
            mutableTraits.userInterfaceIdiom = .phone
            mutableTraits.horizontalSizeClass = .regular
        }

        // Build a new instance by modifying an existing one
        let otherTraits = myTraits.modifyingTraits { mutableTraits in
            mutableTraits.userInterfaceStyle = .dark
        }
        // End of sample 003.1

        #expect(myTraits.containsTraits(in: legacyTraits))
        #expect(
            otherTraits.changedTraits(from: myTraits).map(ObjectIdentifier.init)
                == [ObjectIdentifier(TraitUserInterfaceStyle.self)])
    }

    @Test("the last write of a closure stays")
    func lastWrite() {
        // Sample 003.2
        let myTraits = TraitCollection { mutableTraits in
            mutableTraits[CustomTrait.self] = true
            mutableTraits.customTrait = false
        }
        // End of sample 003.2

        #expect(!myTraits.customTrait)
    }

    @Test("overrides are set and removed one by one")
    func overrides() {
        let scene = WindowScene()
        let view = OverridingView()
        Window(windowScene: scene).addSubview(view)
        view.override()
        scene.layoutIfNeeded()
        #expect(view.traitCollection.userInterfaceStyle == .dark)
        #expect(view.traitCollection[ThemeTrait.self] == .yellow)
        #expect(!view.traitCollection.customTrait)
        #expect(!view.traitOverrides.contains(CustomTrait.self))
    }
}
