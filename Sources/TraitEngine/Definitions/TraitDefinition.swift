// Definitions of traits, and when two of them mean the same. Definitions are immutable once made and
// constant for the life of a hierarchy, as in UIKit.

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
    /// Whether `.null` is a value. Always for the type `json`.
    public let isNullable: Bool
    /// The value at an environment when neither it nor a node above sets the trait.
    public let defaultValue: TraitValue
    public let affectsColorAppearance: Bool
    public let origin: Origin
    /// Whether clients should no longer set the trait. It works as before.
    public let isDeprecated: Bool
    /// The names of cases that clients should no longer set, in the order of their bytes.
    public let deprecatedCases: [String]
    public let notes: DefinitionNotes

    public init(
        key: String, identifier: String? = nil, name: String? = nil, type: TraitType,
        isNullable: Bool = false, defaultValue: TraitValue, affectsColorAppearance: Bool = false,
        origin: Origin = .custom, isDeprecated: Bool = false, deprecatedCases: [String] = [],
        notes: DefinitionNotes = DefinitionNotes()
    ) {
        self.key = key
        self.identifier = identifier
        self.name = name ?? key
        self.type = type
        self.isNullable = isNullable || type == .json
        self.defaultValue = defaultValue
        self.affectsColorAppearance = affectsColorAppearance
        self.origin = origin
        self.isDeprecated = isDeprecated
        self.deprecatedCases = deprecatedCases.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
        self.notes = notes
    }

    /// Whether both define the same trait in the same way, in any order of cases or fields, which
    /// are found by name. Names are compared as bytes. O(n log n) for n cases or fields.
    package func isSame(as other: TraitDefinition) -> Bool {
        TraitValue.isSameUTF8(key, other.key) && TraitValue.isSameUTF8(name, other.name)
            && identifier.map { Array($0.utf8) } == other.identifier.map { Array($0.utf8) }
            && isNullable == other.isNullable
            && affectsColorAppearance == other.affectsColorAppearance && origin == other.origin
            && isDeprecated == other.isDeprecated && notes.isSame(as: other.notes)
            && deprecatedCases.elementsEqual(other.deprecatedCases) {
                TraitValue.isSameUTF8($0, $1)
            }
            && type.isSame(as: other.type)
            && other.type.rearranged(other.defaultValue, for: type) == defaultValue
    }
}

extension TraitType {
    func isSame(as other: TraitType) -> Bool {
        switch (self, other) {
        case (.enumeration(let cases), .enumeration(let others)):
            Self.sorted(cases, \.name).elementsEqual(Self.sorted(others, \.name)) {
                TraitValue.isSameUTF8($0.name, $1.name) && $0.raw == $1.raw
            }
        case (.stringEnumeration(let cases), .stringEnumeration(let others)):
            Self.sorted(cases, \.name).elementsEqual(Self.sorted(others, \.name)) {
                TraitValue.isSameUTF8($0.name, $1.name)
                    && TraitValue.isSameUTF8($0.raw, $1.raw)
            }
        case (.structure(let fields), .structure(let others)):
            Self.sorted(fields, \.name).elementsEqual(Self.sorted(others, \.name)) {
                TraitValue.isSameUTF8($0.name, $1.name) && $0.type == $1.type
            }
        default: self == other
        }
    }

    /// A value of this type with its fields in the other type's order, when both have the same
    /// fields; any other value as it is. O(fields²).
    func rearranged(_ value: TraitValue, for other: TraitType) -> TraitValue {
        guard case .structure(let fields) = self, case .structure(let others) = other,
            case .structure(let values) = value, values.count == fields.count, isSame(as: other)
        else { return value }
        return .structure(
            others.compactMap { field in
                fields.firstIndex { TraitValue.isSameUTF8($0.name, field.name) }
                    .map { values[$0] }
            })
    }

    /// By the bytes of their names.
    private static func sorted<Item>(_ items: [Item], _ name: (Item) -> String) -> [Item] {
        items.sorted { name($0).utf8.lexicographicallyPrecedes(name($1).utf8) }
    }
}
