// Configurations of images, and images by name.

import Foundation
import KitTestSupport
import Testing
import TraitKit

@Suite("Images for traits", .ownHierarchy)
struct ImageConfigurationTests {
    private let dark = TraitCollection(userInterfaceStyle: .dark)
    private let scaled = TraitCollection(displayScale: 2)

    @Test("a collection gives a configuration with its traits")
    func ofCollection() {
        #expect(dark.imageConfiguration.traitCollection == dark)
        #expect(dark.imageConfiguration == Image.Configuration(traitCollection: dark))
    }

    @Test("a configuration's language stays with other traits, and goes with another one's")
    func locale() {
        let german = Image.Configuration(locale: Locale(identifier: "de"))
        #expect(german.traitCollection == nil)
        #expect(german.withTraitCollection(dark).locale?.identifier == "de")
        #expect(german.applying(dark.imageConfiguration).locale?.identifier == "de")
        let french = dark.imageConfiguration.withLocale(Locale(identifier: "fr"))
        let both = german.applying(french)
        #expect(both.locale?.identifier == "fr")
        #expect(both.traitCollection == dark)
        #expect(german.withLocale(nil).locale == nil)
        #expect(german.applying(nil) == german)
    }

    @Test("an asset takes and gives images by configuration as by traits")
    func asset() {
        let asset = ImageAsset()
        asset.register(Image("light"), with: TraitCollection(userInterfaceStyle: .light))
        asset.register(Image("night"), with: dark.imageConfiguration)
        #expect(asset.image(with: dark.imageConfiguration).name == "night")
        #expect(asset.image(with: dark).name == "night")
        asset.unregisterImage(with: dark.imageConfiguration)
        #expect(asset.image(with: dark).name == "light")
        asset.unregister(imageWith: TraitCollection(userInterfaceStyle: .light))
        #expect(asset.image(with: dark).name.isEmpty)
    }

    @Test("an image made in code has an asset, which takes other variants")
    func madeInCode() throws {
        let image = Image("sun")
        #expect(image.configuration == nil)
        let asset = try #require(image.imageAsset)
        #expect(image.imageAsset === asset)
        asset.register(Image("moon"), with: dark)
        #expect(image.imageAsset?.image(with: dark).name == "moon")
        #expect(image.imageAsset?.image(with: dark.imageConfiguration).name == "moon")
        let light = TraitCollection(userInterfaceStyle: .light)
        #expect(image.imageAsset?.image(with: light).name == "sun")
        #expect(image.withConfiguration(dark.imageConfiguration).name == "moon")
        #expect(asset.image(with: dark).imageAsset === asset)
    }

    @Test("an asset and its images do not keep each other alive")
    func released() {
        weak var asset: ImageAsset?
        do {
            let image = Image("sun")
            asset = image.imageAsset
            asset?.register(Image("moon"), with: dark)
            #expect(asset != nil)
        }
        #expect(asset == nil)
    }

    @Test("a name finds the image for the traits, or for the current ones")
    func named() throws {
        let catalog = ImageCatalog()
        let asset = ImageAsset()
        asset.register(Image("moon@2x"), with: dark.replacing(TraitDisplayScale.self, value: 2))
        asset.register(Image("sun@2x"), with: scaled)
        catalog.add("sky", asset)
        #expect(Image(named: "sky", in: catalog, compatibleWith: dark)?.name == "moon@2x")
        #expect(Image(named: "sky", in: catalog)?.name == "sun@2x")
        dark.performAsCurrent {
            #expect(Image(named: "sky", in: catalog)?.name == "moon@2x")
        }
        #expect(Image(named: "sea", in: catalog) == nil)
        #expect(Image(named: "sky") == nil)
        let sky = try #require(Image(named: "sky", in: catalog))
        #expect(sky.withConfiguration(dark.imageConfiguration).name == "moon@2x")
        #expect(sky.traitCollection.displayScale == 2)
    }
}
