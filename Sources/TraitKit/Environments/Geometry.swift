// The geometry that views need. The types are Foundation's, so that `CGRect` is one type in files
// that import Foundation and TraitKit.

public import Foundation

/// A rectangle in points: Foundation's `CGRect`.
public typealias Rect = CGRect

/// A width and a height in points: Foundation's `CGSize`.
public typealias Size = CGSize
