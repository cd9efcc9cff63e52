// The variants of an image for different traits, the choice among them, and the catalogue that has
// assets by name.

internal import Synchronization
internal import TraitEngine

/// Variants of an image (`UIImageAsset`). May be used on any thread.
///
/// UIKit does not document which variant it chooses. Here the traits that affect image lookup
/// decide, one after the other: idiom, style, contrast, gamut, direction, size classes, text size,
/// legibility weight, scale. A variant that names another idiom or size class is never chosen. The
/// exact scale is best, then the smallest larger scale, then the largest. Of equal variants the one
/// that was registered first wins.
public final class ImageAsset: Sendable {
    /// One registered image.
    public struct Entry: Sendable {
        /// The traits for which the image is registered. A scale that was not given is 1.
        public let traits: TraitCollection
        /// The image, with the traits as its configuration.
        public let image: Image
    }

    private let state = Mutex(State())

    private struct State: Sendable {
        var entries: [Entry] = []
        var choices: DynamicValue?
    }

    /// An asset without images.
    public init() {}

    /// The asset of an image that was made in code.
    init(_ image: Image) {
        let entry = Self.entry(image, Self.complete(image.traitCollection))
        state.withLock { $0 = State(entries: [entry], choices: Self.choices([entry])) }
    }

    /// The registered images, in the order in which they were registered.
    public var entries: [Entry] {
        state.withLock { $0.entries }.map { Entry(traits: $0.traits, image: own($0.image)) }
    }

    /// Registers an image for traits. Replaces an image for equivalent traits. Without a scale the
    /// image counts as one of scale 1, whatever the scale of the device.
    public func register(_ image: Image, with traitCollection: TraitCollection) {
        let traits = Self.complete(traitCollection)
        let entry = Self.entry(image, traits)
        state.withLock { state in
            if let position = state.entries.firstIndex(where: { $0.traits == traits }) {
                state.entries[position] = entry
            } else {
                state.entries.append(entry)
            }
            state.choices = Self.choices(state.entries)
        }
    }

    /// Registers an image for a configuration's traits.
    public func register(_ image: Image, with configuration: Image.Configuration) {
        register(image, with: configuration.traitCollection ?? TraitCollection())
    }

    /// Removes the image that is registered for equivalent traits.
    public func unregister(imageWith traitCollection: TraitCollection) {
        unregister(with: traitCollection)
    }

    /// Removes the image that is registered for equivalent traits.
    public func unregisterImage(with configuration: Image.Configuration) {
        unregister(with: configuration.traitCollection ?? TraitCollection())
    }

    /// The best image for a configuration's traits, or an empty image when none is registered.
    public func image(with configuration: Image.Configuration) -> Image {
        image(with: configuration.traitCollection ?? TraitCollection())
    }

    /// Removes the image that is registered for equivalent traits.
    public func unregister(with traitCollection: TraitCollection) {
        let traits = Self.complete(traitCollection)
        state.withLock { state in
            state.entries.removeAll { $0.traits == traits }
            state.choices = Self.choices(state.entries)
        }
    }

    /// The best image for the traits, or the first one when none may be chosen. An empty image when
    /// no image is registered.
    ///
    /// - Parameters:
    ///   - traitCollection: the traits for which the image is shown.
    ///   - device: the scale and idiom to use when the traits leave them unspecified.
    public func image(with traitCollection: TraitCollection, device: TraitCollection? = nil)
        -> Image
    {
        best(for: traitCollection, device: device) ?? Image("", imageAsset: self)
    }

    /// The best image for the traits; nil when no image is registered.
    func best(for traitCollection: TraitCollection, device: TraitCollection? = nil) -> Image? {
        let (entries, choices) = state.withLock { ($0.entries, $0.choices) }
        guard let choices else { return nil }
        let choice = choices.resolve(traitCollection.comparable, device: device?.comparable)
        traitCollection.reads?.insert(choice.dependsOn)
        return entries.indices.contains(choice.index) ? own(entries[choice.index].image) : nil
    }

    /// Entries have images without the asset, since the two would keep each other alive.
    private static func entry(_ image: Image, _ traits: TraitCollection) -> Entry {
        let configuration = image.configuration?.withTraitCollection(traits)
        return Entry(
            traits: traits,
            image: Image(
                image.name,
                configuration: configuration ?? Image.Configuration(traitCollection: traits)))
    }

    private func own(_ image: Image) -> Image {
        Image(image.name, configuration: image.configuration, imageAsset: self)
    }

    private static func complete(_ traits: TraitCollection) -> TraitCollection {
        let traits = TraitCollection(traits.values)
        return traits.displayScale == 0
            ? traits.replacing(TraitDisplayScale.self, value: 1) : traits
    }

    private static func choices(_ entries: [Entry]) -> DynamicValue? {
        entries.isEmpty ? nil : .checked(.image, "image", entries.map(\.traits))
    }
}

extension ImageAsset: Hashable, SameObject {}

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
