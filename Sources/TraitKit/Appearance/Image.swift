// Images, as far as traits choose among them.

/// An image (`UIImage`): a name for its pixels, and the traits it was made for.
public struct Image: Hashable, Sendable {
    /// What the image is; images of one asset have different ones.
    public let name: String
    public let configuration: Configuration
    /// Where other variants of the image are found.
    public let imageAsset: ImageAsset?

    public init(
        _ name: String, configuration: Configuration = Configuration(),
        imageAsset: ImageAsset? = nil
    ) {
        self.name = name
        self.configuration = configuration
        self.imageAsset = imageAsset
    }

    /// The asset's best image for the configuration, or this one with it when there is no asset.
    public func withConfiguration(_ configuration: Configuration) -> Image {
        let applied = self.configuration.applying(configuration)
        if let imageAsset, let traits = applied.traitCollection,
            let image = imageAsset.image(with: traits)
        {
            return image
        }
        return Image(name, configuration: applied, imageAsset: imageAsset)
    }

    /// How bright images may become (`UIImage.DynamicRange`).
    public typealias DynamicRange = ImageDynamicRange

    /// The traits for which an image is meant (`UIImage.Configuration`).
    public struct Configuration: Hashable, Sendable {
        public let traitCollection: TraitCollection?

        public init(traitCollection: TraitCollection? = nil) {
            self.traitCollection = traitCollection
        }

        /// The configuration with these traits over its own: they win where they are specified.
        public func withTraitCollection(_ traitCollection: TraitCollection?) -> Configuration {
            guard let traitCollection else { return self }
            guard let own = self.traitCollection else {
                return Configuration(traitCollection: traitCollection)
            }
            return Configuration(traitCollection: own.overlaid(with: traitCollection))
        }

        /// The same with another configuration's traits.
        public func applying(_ other: Configuration?) -> Configuration {
            withTraitCollection(other?.traitCollection)
        }
    }
}
