// Images of one thing for different traits, and which of them to show.

internal import Synchronization
internal import TraitEngine

/// Variants of an image (`UIImageAsset`). May be used on any thread.
///
/// Which one is best is undocumented in UIKit. Here the traits of the image list decide, one after
/// the other: idiom, style, contrast, gamut, direction, size classes, text size, legibility weight,
/// scale. A variant that names another idiom or size class is out of the question; of scales the
/// exact one is best, then the smallest larger one, then the largest; of equals the one that was
/// registered first.
public final class ImageAsset: Sendable {
    /// One registered image.
    public struct Entry: Sendable {
        /// What it is registered for. A scale that was not given is 1.
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

    /// What is registered, in that order.
    public var entries: [Entry] { state.withLock { $0.entries } }

    /// Registers an image for traits, in place of one for equivalent traits. Give the scale: without
    /// it the image counts as one of scale 1, whatever the device's.
    public func register(_ image: Image, with traitCollection: TraitCollection) {
        let traits = Self.complete(traitCollection)
        let image = Image(
            image.name, configuration: Image.Configuration(traitCollection: traits),
            imageAsset: self)
        state.withLock { state in
            let entry = Entry(traits: traits, image: image)
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

    /// Takes out the image that is registered for equivalent traits.
    public func unregister(imageWith traitCollection: TraitCollection) {
        unregister(with: traitCollection)
    }

    /// Takes out the image that is registered for equivalent traits.
    public func unregisterImage(with configuration: Image.Configuration) {
        unregister(with: configuration.traitCollection ?? TraitCollection())
    }

    /// The best image for a configuration's traits; nil when none is registered.
    public func image(with configuration: Image.Configuration) -> Image? {
        image(with: configuration.traitCollection ?? TraitCollection())
    }

    /// Takes out the image that is registered for equivalent traits.
    public func unregister(with traitCollection: TraitCollection) {
        let traits = Self.complete(traitCollection)
        state.withLock { state in
            state.entries.removeAll { $0.traits == traits }
            state.choices = Self.choices(state.entries)
        }
    }

    /// The best image for the traits, the first when all are out of the question; nil when none is
    /// registered.
    ///
    /// - Parameters:
    ///   - traitCollection: what the image is to be shown for.
    ///   - device: where scale and idiom come from when the traits do not say.
    public func image(
        with traitCollection: TraitCollection, device: TraitCollection? = nil
    ) -> Image? {
        let (entries, choices) = state.withLock { ($0.entries, $0.choices) }
        guard let choices else { return nil }
        let choice = choices.resolve(traitCollection.comparable, device: device?.comparable)
        traitCollection.reads?.insert(choice.dependsOn)
        return entries.indices.contains(choice.index) ? entries[choice.index].image : nil
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

extension ImageAsset: Hashable {
    /// Assets are equal when they are the same one.
    public static func == (left: ImageAsset, right: ImageAsset) -> Bool { left === right }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(ObjectIdentifier(self))
    }
}
