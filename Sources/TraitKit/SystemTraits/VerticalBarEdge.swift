// Where the system puts a vertical bar, as of iOS 27.1. A system derives the edge from the device
// and the language; here a program supplies it, as it supplies all that a system knows.

/// An edge of the screen (`UIVerticalBarEdge`).
public enum VerticalBarEdge: Int, Sendable {
    /// There is no vertical bar.
    case unspecified
    /// The leading edge.
    case leading
    /// The trailing edge.
    case trailing
}

/// The edge of the vertical bar as a trait: set it with
/// `scene.suppliedTraits[TraitVerticalBarEdge.self] = .leading`. UIKit has no such trait, as nothing
/// but the system decides the edge there.
public struct TraitVerticalBarEdge: TraitDefinition {
    /// What an environment reads when nothing above it sets the trait.
    public static let defaultValue = VerticalBarEdge.unspecified
    /// For printing.
    public static let name = "VerticalBarEdge"
}

extension TraitCollection {
    /// The edge where the system puts the vertical bar, whether or not it shows one (iOS 27.1).
    public var verticalBarEdge: VerticalBarEdge { self[TraitVerticalBarEdge.self] }

    /// What `verticalBarEdge` depends on, to register for (iOS 27.1).
    public static let systemTraitsAffectingVerticalBarEdge: [TraitKey] = [
        TraitVerticalBarEdge.self
    ]
}
