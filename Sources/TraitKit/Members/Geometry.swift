// Insets, edges and the like: values that members take.

public import Foundation

/// Distances from the four edges of a rectangle (`UIEdgeInsets`).
public struct EdgeInsets: Hashable, Sendable {
    /// The distances in points.
    public var top, left, bottom, right: CGFloat
    /// No distances.
    public static let zero = EdgeInsets()

    /// Insets of the given distances.
    public init(
        top: CGFloat = 0, left: CGFloat = 0, bottom: CGFloat = 0, right: CGFloat = 0
    ) {
        (self.top, self.left, self.bottom, self.right) = (top, left, bottom, right)
    }
}

/// Distances from the edges of a rectangle, by the direction of text (`NSDirectionalEdgeInsets`).
public struct DirectionalEdgeInsets: Hashable, Sendable {
    /// The distances in points.
    public var top, leading, bottom, trailing: CGFloat
    /// No distances.
    public static let zero = DirectionalEdgeInsets()

    /// Insets of the given distances.
    public init(
        top: CGFloat = 0, leading: CGFloat = 0, bottom: CGFloat = 0, trailing: CGFloat = 0
    ) {
        (self.top, self.leading, self.bottom, self.trailing) = (top, leading, bottom, trailing)
    }
}

extension Rect {
    /// The rectangle without the insets (`inset(by:)`).
    public func inset(by insets: EdgeInsets) -> Rect {
        Rect(
            x: minX + insets.left, y: minY + insets.top,
            width: width - insets.left - insets.right, height: height - insets.top - insets.bottom)
    }
}

/// A number with a meaning, which can be compared and moved: a priority, a weight or a level.
public protocol NumericRawRepresentable: RawRepresentable, Comparable
where RawValue: Comparable & Numeric {
    /// The value of a number.
    init(rawValue: RawValue)
}

extension NumericRawRepresentable {
    /// Compares the numbers.
    public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
    /// The value so much higher.
    public static func + (left: Self, right: RawValue) -> Self {
        Self(rawValue: left.rawValue + right)
    }
    /// The value so much lower.
    public static func - (left: Self, right: RawValue) -> Self {
        Self(rawValue: left.rawValue - right)
    }
}
