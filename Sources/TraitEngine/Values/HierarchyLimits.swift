// The engine's limits: each with a name, its unit last.

import Limits

/// The limits of one hierarchy. Each refusal names the limit and its value.
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
    /// Snapshots that are neither materialized nor cancelled.
    public var snapshotsMax = 8

    public init() {}
}

extension HierarchyLimits: LimitTable {
    private static let quota = LimitConsequence.refused(status: 507, code: "quota")
    private static let tooLarge = LimitConsequence.refused(status: 422, code: "value-too-large")
    private static let tooMany = LimitConsequence.refused(status: 429, code: "too-many-reads")

    package static let all: [Limit<HierarchyLimits>] = [
        Limit(
            "nodesMax", \.nodesMax, 1...16_777_213, beyond: quota,
            help: "Nodes of one session."),
        Limit(
            "depthMax", \.depthMax, beyond: quota,
            help: "Levels of a session's tree."),
        Limit(
            "customTraitsMax", \.customTraitsMax, beyond: quota,
            help: "Traits that one session defines."),
        Limit(
            "registrationsMax", \.registrationsMax, 1...1_000_000_000, beyond: quota,
            help: "Registrations of one session."),
        Limit(
            "scopesMax", \.scopesMax, beyond: quota,
            help: "Tracked scopes of one session."),
        Limit(
            "environmentKeysMax", \.environmentKeysMax, beyond: quota,
            help: "Environment keys of one session."),
        Limit(
            "dynamicsMax", \.dynamicsMax, beyond: quota,
            help: "Colors and images of one session together."),
        Limit(
            "variantsMax", \.variantsMax, beyond: tooLarge,
            help: "Variants of one color or image."),
        Limit(
            "identifierBytesMax", \.identifierBytesMax, beyond: tooLarge,
            help: "Bytes of a name of a trait's case or field."),
        Limit(
            "labelBytesMax", \.labelBytesMax, beyond: tooLarge,
            help: "Bytes of a node's label or a trait's name."),
        Limit(
            "stringValueBytesMax", \.stringValueBytesMax, beyond: tooLarge,
            help: "Bytes of a value that is a string or JSON."),
        Limit(
            "enumCasesMax", \.enumCasesMax, beyond: tooLarge,
            help: "Cases of one enum trait, and pairs of an environment key's map."),
        Limit(
            "structFieldsMax", \.structFieldsMax, beyond: tooLarge,
            help: "Fields of one struct trait."),
        Limit(
            "snapshotsMax", \.snapshotsMax, beyond: tooMany,
            help: "Snapshots of one session that are not copied yet."),
    ]
}
