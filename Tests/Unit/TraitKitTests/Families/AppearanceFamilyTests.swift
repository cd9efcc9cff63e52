// Dynamic colours, colours by name, images, and the current collection.

import KitTestSupport
import Testing
import TraitKit

@Suite(.ownHierarchy) struct AppearanceFamilyTests {
    private let adaptive = Color { $0.userInterfaceStyle == .dark ? .black : .white }
    private let light = TraitCollection { $0.userInterfaceStyle = .light }
    private let dark = TraitCollection { $0.userInterfaceStyle = .dark }

    @Test("D01: a dynamic colour is a function of the traits")
    func resolving() {
        #expect(adaptive.resolvedColor(with: dark) == .black)
        #expect(adaptive.resolvedColor(with: light) == .white)
        #expect(Color.red.resolvedColor(with: dark) == .red)
    }

    @Test("D03: the current traits do not matter to resolving, only to components")
    func current() {
        light.performAsCurrent {
            #expect(adaptive.resolvedColor(with: dark) == .black)
            #expect(adaptive.cgColor == Color.white.cgColor)
        }
        let frozen = dark.performAsCurrent { adaptive.cgColor }
        light.performAsCurrent { #expect(frozen == Color.black.cgColor) }
    }

    @Test("a dynamic colour that answers another is resolved again, one that never ends is clear")
    func nesting() {
        let nested = Color { [adaptive] _ in adaptive }
        #expect(nested.resolvedColor(with: dark) == .black)
        #expect(Endless.color.resolvedColor(with: dark) == .clear)
    }

    private enum Endless {
        static let color = Color { _ in Endless.next() }
        static func next() -> Color { color }
    }

    @Test("D05: of a set's variants that apply the one with most conditions is taken")
    func variants() throws {
        let catalog = ColorCatalog()
        catalog.add(
            "Label",
            variants: [
                .init(.white, when: light), .init(.black, when: dark),
                .init(.red, when: dark.modifyingTraits { $0.accessibilityContrast = .high }),
            ])
        let label = try #require(Color(named: "Label", in: catalog))
        let traits = dark.modifyingTraits {
            $0.accessibilityContrast = .normal
            $0.userInterfaceLevel = .elevated
        }
        #expect(label.resolvedColor(with: traits) == .black)
        #expect(
            label.resolvedColor(
                with: traits.replacing(
                    TraitAccessibilityContrast.self, value: .high)) == .red)
        #expect(label.resolvedColor(with: TraitCollection()) == .white)
        #expect(Color(named: "Nowhere", in: catalog) == nil)
    }

    @Test("D07: without an exact scale the smallest larger one is taken")
    func scales() {
        let asset = ImageAsset()
        asset.register(Image("one"), with: TraitCollection(displayScale: 1))
        asset.register(Image("three"), with: TraitCollection(displayScale: 3))
        #expect(asset.image(with: TraitCollection(displayScale: 2)).name == "three")
        #expect(asset.image(with: TraitCollection(displayScale: 1)).name == "one")
        #expect(asset.image(with: TraitCollection(displayScale: 4)).name == "three")
        let device = TraitCollection(displayScale: 1)
        #expect(asset.image(with: TraitCollection(), device: device).name == "one")
    }

    @Test("D09: a scale that was not given at registration is 1, the idiom stays unspecified")
    func completion() throws {
        let asset = ImageAsset()
        asset.register(Image("any"), with: TraitCollection())
        let entry = try #require(asset.entries.first)
        #expect(entry.traits.displayScale == 1)
        #expect(entry.traits.userInterfaceIdiom == .unspecified)
        asset.register(Image("again"), with: TraitCollection(displayScale: 1))
        #expect(asset.entries.map(\.image.name) == ["again"])
        asset.unregister(with: TraitCollection())
        #expect(asset.image(with: dark).name.isEmpty)
    }

    @Test("D11: the current collection is installed for a closure, nested, and put back")
    func performing() {
        let outer = TraitCollection.current
        light.performAsCurrent {
            #expect(TraitCollection.current == light)
            dark.performAsCurrent { #expect(TraitCollection.current == dark) }
            #expect(TraitCollection.current == light)
        }
        #expect(TraitCollection.current == outer)
    }

    @Test("a closure that throws leaves the current collection as it was")
    func throwing() {
        struct Failure: Error {}
        light.performAsCurrent {
            #expect(throws: Failure.self) {
                try dark.performAsCurrent { throw Failure() }
            }
            #expect(TraitCollection.current == light)
        }
    }

    @Test("a configuration's newer traits win where they are specified")
    func configurations() {
        let old = Image.Configuration(
            traitCollection: light.modifyingTraits { $0.displayScale = 2 })
        let both = old.withTraitCollection(dark.modifyingTraits { $0[ThemeTrait.self] = 4 })
        #expect(both.traitCollection?.userInterfaceStyle == .dark)
        #expect(both.traitCollection?.displayScale == 2)
        #expect(both.traitCollection?[ThemeTrait.self] == 4)
        #expect(old.withTraitCollection(nil) == old)
    }

    @MainActor
    @Test("an image view shows its asset's best image, again when a trait that matters changes")
    func imageView() {
        let asset = ImageAsset()
        asset.register(Image("day"), with: light)
        asset.register(Image("night"), with: dark)
        let scene = WindowScene()
        let view = ImageView()
        Window(windowScene: scene).addSubview(view)
        scene.suppliedTraits.userInterfaceStyle = .light
        view.image = Image("either", imageAsset: asset)
        scene.layoutIfNeeded()
        #expect(view.shownImage?.name == "day")
        scene.suppliedTraits.userInterfaceStyle = .dark
        scene.layoutIfNeeded()
        #expect(view.shownImage?.name == "night")
    }
}
