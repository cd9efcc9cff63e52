// A view whose image follows its traits.

internal import TraitEngine

/// A view that shows an image (`UIImageView`). An image with an asset is replaced by the asset's
/// best image for the view's traits, whenever a trait that affects image lookup changes.
open class ImageView: View {
    /// The image as it was set.
    public var image: Image? {
        didSet { chooseImage() }
    }
    /// The image that is shown.
    public private(set) var shownImage: Image?

    private func chooseImage() {
        // Read without tracking: no method of the application reads here.
        let traits = TraitCollection(node.shownTraits)
        let chosen = image.map { $0.imageAsset?.image(with: traits) ?? $0 }
        if chosen == shownImage { return }
        shownImage = chosen
        setNeedsDisplay()
    }

    override func traitsChanged(_ changed: TraitSet) {
        super.traitsChanged(changed)
        let lookup = TraitTable.traits(TraitCollection.systemTraitsAffectingImageLookup)
        if changed.intersects(lookup) { chooseImage() }
    }
}
