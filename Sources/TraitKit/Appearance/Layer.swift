// Layers, whose colours are plain: the place where a colour that was resolved once grows stale.

/// What is drawn around a view's content (`CALayer`), as far as colours are concerned.
///
/// A layer takes plain colours, so it follows no traits. Set its colours where the traits are at
/// hand, such as in a tracked method or in a handler for
/// `TraitCollection.systemTraitsAffectingColorAppearance`.
@MainActor
public final class Layer {
    /// The colour behind the content.
    public var backgroundColor: GraphicsColor?
    /// The colour of the border.
    public var borderColor: GraphicsColor?
    /// The width of the border in points.
    public var borderWidth = 0.0
    /// The radius of the corners in points.
    public var cornerRadius = 0.0
    /// The colour of the shadow.
    public var shadowColor: GraphicsColor?

    init() {}
}
