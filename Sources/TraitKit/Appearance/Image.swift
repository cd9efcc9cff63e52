// Images, as far as traits choose among them.

public import Foundation
internal import Synchronization
internal import TraitEngine

/// An image (`UIImage`): a name for its pixels, and the traits it was made for.
///
/// A class, as in UIKit. Images never change, and are equal when their names and configurations are.
public final class Image: Sendable {
    /// The name of the image. The images of one asset have different names.
    public let name: String
    /// The traits and the language for which the image was made; nil when none were given.
    public let configuration: Configuration?
    /// The asset that the image was made with, or that was made for it when it was asked for.
    private let asset: Mutex<ImageAsset?>

    /// An image by its name, with the asset that has its variants.
    public init(
        _ name: String, configuration: Configuration? = nil, imageAsset: ImageAsset? = nil
    ) {
        self.name = name
        self.configuration = configuration
        asset = Mutex(imageAsset)
    }

    /// An empty image: one without a name.
    public convenience init() {
        self.init("")
    }

    /// The same image as another object.
    private convenience init(_ image: Image) {
        self.init(image.name, configuration: image.configuration, imageAsset: image.variants)
    }

    /// The catalogue's best image for the traits, or for the current traits when none are given.
    /// Nil when the catalogue has no image of that name.
    public convenience init?(
        named name: String, in catalog: ImageCatalog = .main,
        compatibleWith traitCollection: TraitCollection? = nil
    ) {
        guard let asset = catalog.asset(named: name),
            let image = asset.best(for: traitCollection ?? .current)
        else { return nil }
        self.init(image)
    }

    /// The main catalogue's best image for the traits, or for the current traits when none are
    /// given. Nil when the catalogue has no image of that name.
    ///
    /// - Parameters:
    ///   - name: the name in the catalogue.
    ///   - bundle: ignored: the program fills the catalogue, and bundles have none.
    ///   - traitCollection: the traits to choose an image for; nil for the current ones.
    public convenience init?(
        named name: String, in bundle: Bundle?, compatibleWith traitCollection: TraitCollection?
    ) {
        self.init(named: name, in: .main, compatibleWith: traitCollection)
    }

    /// An image with the name of a symbol. There are no pictures of symbols, so no name is refused.
    public convenience init?(
        systemName name: String, compatibleWith traitCollection: TraitCollection? = nil
    ) {
        self.init(name, configuration: traitCollection.map { Configuration(traitCollection: $0) })
    }

    /// The traits that the image was made for.
    public var traitCollection: TraitCollection {
        configuration?.traitCollection ?? TraitCollection()
    }

    /// The asset that has the variants of the image. An image that was made in code gets an asset
    /// with the image itself, so that other variants can be registered with it.
    public var imageAsset: ImageAsset? {
        asset.withLock { asset in
            if let asset { return asset }
            let made = ImageAsset(self)
            asset = made
            return made
        }
    }

    /// The asset, if there is one already.
    var variants: ImageAsset? { asset.withLock { $0 } }

    /// The asset's best image for the configuration. Without an asset, this image with that
    /// configuration.
    public func withConfiguration(_ configuration: Configuration) -> Image {
        let applied = self.configuration?.applying(configuration) ?? configuration
        if let variants, let traits = applied.traitCollection,
            let image = variants.best(for: traits)
        {
            return image
        }
        return Image(name, configuration: applied, imageAsset: variants)
    }

    /// How bright images may become (`UIImage.DynamicRange`).
    public typealias DynamicRange = ImageDynamicRange

    /// The traits for which an image is meant (`UIImage.Configuration`).
    public struct Configuration: Hashable, Sendable {
        /// The traits for which the image is meant, if any.
        public let traitCollection: TraitCollection?
        /// The language for which the image is meant, if any.
        public let locale: Locale?

        /// A configuration for traits; nil for none.
        public init(traitCollection: TraitCollection? = nil) {
            self.init(traitCollection, nil)
        }

        /// A configuration for a language; nil for none.
        public init(locale: Locale?) {
            self.init(nil, locale)
        }

        private init(_ traitCollection: TraitCollection?, _ locale: Locale?) {
            self.traitCollection = traitCollection
            self.locale = locale
        }

        /// The configuration for a language; nil for none.
        public func withLocale(_ locale: Locale?) -> Configuration {
            Configuration(traitCollection, locale)
        }

        /// The configuration with these traits over its own: they win where they are specified.
        public func withTraitCollection(_ traitCollection: TraitCollection?) -> Configuration {
            guard let traitCollection else { return self }
            return Configuration(
                self.traitCollection?.overlaid(with: traitCollection) ?? traitCollection, locale)
        }

        /// This configuration with the other one's traits, and the other one's language if it has
        /// one.
        public func applying(_ otherConfiguration: Configuration?) -> Configuration {
            let traits = withTraitCollection(otherConfiguration?.traitCollection)
            return otherConfiguration?.locale.map(traits.withLocale) ?? traits
        }
    }
}

extension Image: Hashable {
    public static func == (left: Image, right: Image) -> Bool {
        left.name == right.name && left.configuration == right.configuration
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(name)
        hasher.combine(configuration)
    }
}

extension TraitCollection {
    /// This collection with the values that the other one specifies, custom traits included.
    func overlaid(with other: TraitCollection) -> TraitCollection {
        let newer = other.comparable
        do throws(OperationError) {
            let values = try comparable.modifying { (traits) throws(OperationError) in
                for trait in newer.traits { try traits.set(trait, newer[trait]) }
            }
            return TraitCollection(values)
        } catch {
            misuse("a value of a collection was refused: \(error)")
        }
    }
}

extension TraitCollection {
    /// A configuration for images with these traits.
    public var imageConfiguration: Image.Configuration {
        Image.Configuration(traitCollection: TraitCollection(values))
    }
}
