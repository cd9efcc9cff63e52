// Just enough geometry for a view to be told where to draw. The types are Foundation's, so that a
// program that imports Foundation as well means the same by `CGRect` as the views do.

public import Foundation

/// A rectangle in points: Foundation's `CGRect`.
public typealias Rect = CGRect

/// A width and a height in points: Foundation's `CGSize`.
public typealias Size = CGSize
