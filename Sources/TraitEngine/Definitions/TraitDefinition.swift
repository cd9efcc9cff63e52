// What a trait is. Definitions are immutable once made and constant for the life of a hierarchy,
// as in UIKit.

/// The definition of one trait, system or custom.
public struct TraitDefinition: Hashable, Sendable {
    public enum Origin: Hashable, Sendable {
        /// One of UIKit's 22 public traits.
        case system
        /// A member of the printed lists that no header declares; nothing can set or read it.
        case systemPrivate
        /// Defined by the session's client.
        case custom
        /// Holds the values of an environment key: listed and named nowhere.
        case environment
    }

    /// How a session addresses the trait: the accessor's name for system traits.
    public let key: String
    /// Unique in a session and disjoint from keys and set names; nil when none was declared.
    public let identifier: String?
    /// For people: defaults to the key.
    public let name: String
    public let type: TraitType
    /// Whether `.null` is a value.
    public let isNullable: Bool
    /// The value at an environment when neither it nor a node above sets the trait.
    public let defaultValue: TraitValue
    public let affectsColorAppearance: Bool
    public let origin: Origin

    public init(
        key: String, identifier: String? = nil, name: String? = nil, type: TraitType,
        isNullable: Bool = false, defaultValue: TraitValue, affectsColorAppearance: Bool = false,
        origin: Origin = .custom
    ) {
        self.key = key
        self.identifier = identifier
        self.name = name ?? key
        self.type = type
        self.isNullable = isNullable
        self.defaultValue = defaultValue
        self.affectsColorAppearance = affectsColorAppearance
        self.origin = origin
    }
}
