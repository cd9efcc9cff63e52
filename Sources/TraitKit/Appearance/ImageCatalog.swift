// Images by name, as an asset catalogue has them.

internal import Synchronization

/// Named images with variants for traits, in place of an app's asset catalogue. The program fills
/// the catalogue, on any thread.
public final class ImageCatalog: Sendable {
    /// Where `Image(named:)` looks.
    public static let main = ImageCatalog()

    private let assets = Mutex<[String: ImageAsset]>([:])

    /// An empty catalogue.
    public init() {}

    /// Adds an asset. Replaces an asset of the same name.
    public func add(_ name: String, _ asset: ImageAsset) {
        assets.withLock { $0[name] = asset }
    }

    /// Nil when there is no asset of that name.
    func asset(named name: String) -> ImageAsset? { assets.withLock { $0[name] } }
}

extension TraitCollection {
    /// A configuration for images with these traits.
    public var imageConfiguration: Image.Configuration {
        Image.Configuration(traitCollection: TraitCollection(values))
    }
}
