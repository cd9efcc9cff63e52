// What a registration is made of, for those who list them.

/// A registration or watch, as it was made.
public struct RegistrationInfo: Hashable, Sendable {
    public let index: RegistrationIndex
    /// Nil for a watch.
    public let identifier: String?
    public let node: NodeIndex
    public let traits: TraitSet
    /// The colours that it names.
    public let colors: [String]
    /// The images that it names.
    public let images: [String]
    /// The revision of the commit that made it; for a watch the revision at which it was made.
    public let createdRevision: Int64
}
