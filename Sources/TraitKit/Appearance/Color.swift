// Colours that may depend on traits.

public import Foundation

/// A colour (`UIColor`): plain, or a function of a trait collection.
///
///     let background = Color { traitCollection in
///         traitCollection.userInterfaceStyle == .dark ? .black : .white
///     }
///
/// Asking a dynamic colour for its components resolves it against `TraitCollection.current`. The
/// result is plain: it follows no later change.
///
/// A class, as in UIKit, so that extensions can declare convenience initializers. Colours never
/// change, so references to one may be shared freely. Plain colours are equal when their components
/// are, dynamic ones when their providers are the same.
public final class Color: Sendable {
    private enum Storage: Sendable {
        case plain(GraphicsColor)
        case dynamic(Provider)
    }

    /// Dynamic colours are equal when they are the same one.
    private final class Provider: @unchecked Sendable {
        // Unchecked: the closure is a constant; what it captures is its author's to confine, as
        // `init(dynamicProvider:)` says.
        let resolve: (TraitCollection) -> Color

        init(_ resolve: @escaping (TraitCollection) -> Color) {
            self.resolve = resolve
        }
    }

    private let storage: Storage

    /// The same colour as another object.
    init(_ color: Color) {
        storage = color.storage
    }

    /// Components of sRGB from 0 to 1.
    public init(red: Double, green: Double, blue: Double, alpha: Double = 1) {
        storage = .plain(GraphicsColor(red: red, green: green, blue: blue, alpha: alpha))
    }

    /// A gray of sRGB, from 0 for black to 1 for white.
    public convenience init(white: Double, alpha: Double = 1) {
        self.init(cgColor: GraphicsColor(gray: white, alpha: alpha))
    }

    /// A colour that stays as it is.
    public init(cgColor: GraphicsColor) {
        storage = .plain(cgColor)
    }

    /// A dynamic colour.
    ///
    /// - Parameter dynamicProvider: has to go by the collection it gets alone, not by
    ///   `TraitCollection.current`. A custom trait that it reads should declare
    ///   `affectsColorAppearance`, or views will not draw anew when it changes. Runs wherever the
    ///   colour is resolved: views do that on the main actor, so a provider may read the members of
    ///   a view or controller as long as nothing else resolves the colour on another thread.
    public init(dynamicProvider: @escaping (TraitCollection) -> Color) {
        storage = .dynamic(Provider(dynamicProvider))
    }

    /// Colours that are the same for all traits.
    public static let black = Color(white: 0), white = Color(white: 1),
        clear = Color(white: 0, alpha: 0),
        red = Color(red: 1, green: 0, blue: 0), green = Color(red: 0, green: 1, blue: 0),
        blue = Color(red: 0, green: 0, blue: 1)

    // MARK: - Resolving

    /// A provider may return another dynamic colour. After this many providers the colour is clear.
    static let providersMax = 100

    /// The plain colour for these traits; a plain colour returns itself. A dynamic colour that a
    /// provider returns is resolved with the same traits.
    public func resolvedColor(with traitCollection: TraitCollection) -> Color {
        var color = self
        for _ in 0..<Self.providersMax {
            guard case .dynamic(let provider) = color.storage else { return color }
            color = provider.resolve(traitCollection)
        }
        return .clear
    }

    /// The same colour with another opacity. A dynamic colour stays dynamic.
    public func withAlphaComponent(_ alpha: Double) -> Color {
        switch storage {
        case .plain(let color):
            return Color(cgColor: color.with(alpha: alpha))
        case .dynamic:
            return Color(dynamicProvider: { traits in
                self.resolvedColor(with: traits).withAlphaComponent(alpha)
            })
        }
    }

    /// The components of a plain colour; nil for a dynamic one.
    var plain: GraphicsColor? {
        guard case .plain(let color) = storage else { return nil }
        return color
    }

    /// The colour as graphics code takes it, resolved against the current traits now.
    public var cgColor: GraphicsColor {
        resolvedColor(with: .current).plain ?? GraphicsColor(red: 0, green: 0, blue: 0, alpha: 0)
    }
}

extension Color {
    /// Writes the components of sRGB, from 0 to 1, of the colour resolved against the current
    /// traits. Components that are passed as nil are left out.
    ///
    /// - Returns: true; UIKit returns false for patterns, which are not there.
    @discardableResult
    public func getRed(
        _ red: UnsafeMutablePointer<CGFloat>?, green: UnsafeMutablePointer<CGFloat>?,
        blue: UnsafeMutablePointer<CGFloat>?, alpha: UnsafeMutablePointer<CGFloat>?
    ) -> Bool {
        let color = cgColor
        red?.pointee = CGFloat(color.red)
        green?.pointee = CGFloat(color.green)
        blue?.pointee = CGFloat(color.blue)
        alpha?.pointee = CGFloat(color.alpha)
        return true
    }

    /// Writes the gray and the opacity, from 0 to 1, of the colour resolved against the current
    /// traits. Components that are passed as nil are left out.
    ///
    /// - Returns: false for a colour that is no gray; nothing is written then.
    @discardableResult
    public func getWhite(
        _ white: UnsafeMutablePointer<CGFloat>?, alpha: UnsafeMutablePointer<CGFloat>?
    ) -> Bool {
        let color = cgColor
        guard color.red == color.green, color.green == color.blue else { return false }
        white?.pointee = CGFloat(color.red)
        alpha?.pointee = CGFloat(color.alpha)
        return true
    }
}

extension Color: Hashable {
    public static func == (left: Color, right: Color) -> Bool {
        switch (left.storage, right.storage) {
        case (.plain(let left), .plain(let right)): left == right
        case (.dynamic(let left), .dynamic(let right)): left === right
        default: false
        }
    }

    public func hash(into hasher: inout Hasher) {
        switch storage {
        case .plain(let color): hasher.combine(color)
        case .dynamic(let provider): hasher.combine(ObjectIdentifier(provider))
        }
    }
}
