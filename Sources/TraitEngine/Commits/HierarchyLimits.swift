// The engine's limits: each with a name, its unit last.

/// What one hierarchy may hold. Each refusal names the limit and its value.
public struct HierarchyLimits: Hashable, Sendable {
    /// At most 16,777,214; deleted nodes that are not yet reclaimed take places of these.
    public var nodesMax = 4_000_000
    /// Levels of the trait tree; keeps every walk bounded.
    public var depthMax = 10_000
    public var customTraitsMax = 1_000
    public var registrationsMax = 1_000_000
    public var scopesMax = 1_000_000
    public var environmentKeysMax = 1_000
    /// Colours and images together.
    public var dynamicsMax = 10_000
    /// Variants of one colour or image.
    public var variantsMax = 1_000
    public var identifierBytesMax = 128
    public var labelBytesMax = 1_024
    public var stringValueBytesMax = 16_384
    public var enumCasesMax = 1_000
    public var structFieldsMax = 64
    /// Snapshots that are neither materialized nor let go.
    public var snapshotsMax = 8

    public init() {}
}
