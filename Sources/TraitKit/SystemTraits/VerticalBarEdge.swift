// The edge of the screen with the system's vertical bar (iOS 27.1). UIKit derives the edge from the
// device and the language; here the program supplies it, like all values of the system.

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
/// `scene.suppliedTraits[TraitVerticalBarEdge.self] = .leading`. UIKit has no such trait, since
/// there only the system sets the edge.
public struct TraitVerticalBarEdge: TraitDefinition {
    /// The value that an environment reads when no value is set above it.
    public static let defaultValue = VerticalBarEdge.unspecified
    /// For printing.
    public static let name = "VerticalBarEdge"
}

extension TraitCollection {
    /// The edge where the system puts the vertical bar, whether or not it shows one (iOS 27.1).
    public var verticalBarEdge: VerticalBarEdge { self[TraitVerticalBarEdge.self] }

    /// The traits that `verticalBarEdge` depends on, for registrations (iOS 27.1).
    public static let systemTraitsAffectingVerticalBarEdge: [TraitKey] = [
        TraitVerticalBarEdge.self
    ]
}
