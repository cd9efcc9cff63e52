// Layers, which keep what is drawn around a view's content.

public import Foundation

/// The colours, border and corners around a view's content (`CALayer`). Nothing is drawn.
///
/// A layer takes plain colours, so but for the background of a view it follows no traits. Set its
/// colours where the traits are at hand, such as in a tracked method or in a handler for
/// `TraitCollection.systemTraitsAffectingColorAppearance`.
@preconcurrency @MainActor
open class Layer {
    /// The view whose background the layer has.
    weak var view: View?
    private var background: GraphicsColor?

    /// The colour behind the content. A view's layer has the view's `backgroundColor`, resolved with
    /// the view's traits, until another colour is set here: then the view has that one.
    open var backgroundColor: GraphicsColor? {
        get { background }
        set {
            background = newValue
            view?.layerBackgroundChanged(newValue)
        }
    }

    func takeBackground(of view: View) {
        // Read without tracking: no method of the application reads here.
        let traits = TraitCollection(view.node.shownTraits)
        background = view.backgroundColor?.resolvedColor(with: traits).cgColor
    }

    /// The colour of the border.
    public var borderColor: GraphicsColor?
    /// The width of the border in points.
    public var borderWidth = 0.0
    /// The radius of the corners in points.
    public var cornerRadius = 0.0
    /// The corners that are round.
    public var maskedCorners: CornerMask = [
        .layerMinXMinYCorner, .layerMaxXMinYCorner, .layerMinXMaxYCorner, .layerMaxXMaxYCorner,
    ]
    /// Whether the content is cut off at the bounds.
    public var masksToBounds = false
    /// The form of rounded corners.
    public var cornerCurve = LayerCornerCurve.circular
    /// Whether the layer is drawn as an image, and for which scale.
    public var shouldRasterize = false, rasterizationScale: CGFloat = 1
    /// The layer whose opacity cuts out the content.
    public var mask: Layer?
    /// The colour of the shadow.
    public var shadowColor: GraphicsColor?
    /// How opaque the shadow is, from 0 to 1.
    public var shadowOpacity: Float = 0
    /// How far the shadow is moved.
    public var shadowOffset = Size(width: 0, height: -3)
    /// How far the shadow is blurred.
    public var shadowRadius: CGFloat = 3
    /// How opaque the layer is, from 0 to 1.
    public var opacity: Float = 1
    /// Whether the layer is hidden.
    public var isHidden = false
    /// The layer's rectangle in its superlayer. A view's layer has the view's.
    open var frame: Rect {
        get { view?.frame ?? ownFrame }
        set { if let view { view.frame = newValue } else { ownFrame = newValue } }
    }
    private var ownFrame = Rect.zero
    /// The layer's own rectangle.
    open var bounds: Rect {
        get { view?.bounds ?? Rect(origin: .zero, size: frame.size) }
        set { if let view { view.bounds = newValue } else { ownFrame.size = newValue.size } }
    }
    /// A name for finding the layer.
    public var name: String?
    /// The layers in this one.
    public private(set) var sublayers: [Layer]?
    /// The layer that this one is in.
    public private(set) weak var superlayer: Layer?

    /// Adds a layer in front of the others.
    public func addSublayer(_ layer: Layer) {
        insertSublayer(layer, at: UInt32(clamping: sublayers?.count ?? 0))
    }

    /// Inserts a layer. Positions beyond the end mean the end.
    public func insertSublayer(_ layer: Layer, at idx: UInt32) {
        layer.removeFromSuperlayer()
        layer.superlayer = self
        var layers = sublayers ?? []
        layers.insert(layer, at: min(Int(clamping: idx), layers.count))
        sublayers = layers
    }

    /// Takes the layer out of its superlayer.
    public func removeFromSuperlayer() {
        superlayer?.sublayers?.removeAll { $0 === self }
        if superlayer?.sublayers?.isEmpty == true { superlayer?.sublayers = nil }
        superlayer = nil
    }

    /// A layer without colours.
    public required init() {}
}

/// A layer with a gradient (`CAGradientLayer`): its colours are kept, nothing is drawn.
open class GradientLayer: Layer {
    /// The colours, as objects of `GraphicsColor`.
    open var colors: [Any]?
    /// The place of each colour, from 0 to 1.
    open var locations: [NSNumber]?
    /// Where the gradient begins.
    open var startPoint = CGPoint(x: 0.5, y: 0)
    /// Where the gradient ends.
    open var endPoint = CGPoint(x: 0.5, y: 1)
}

extension Layer: Hashable, SameObject {}
