// In which kind of list content stands.

/// The kind of list around the content (`UIListEnvironment`).
public enum ListEnvironment: SystemEnumeration, Sendable {
    /// No value is specified.
    case unspecified
    /// The content is in no list.
    case none
    /// A plain list.
    case plain
    /// A list of groups.
    case grouped
    /// A list of groups that are inset.
    case insetGrouped
    /// A list in a sidebar.
    case sidebar
    /// A plain list in a sidebar.
    case sidebarPlain
    /// A raw value outside the cases: UIKit takes and keeps it.
    case other(Int)

    init(raw: Int) {
        self =
            switch raw {
            case 0: .unspecified
            case 1: .none
            case 2: .plain
            case 3: .grouped
            case 4: .insetGrouped
            case 5: .sidebar
            case 6: .sidebarPlain
            default: .other(raw)
            }
    }

    /// UIKit's number for the value.
    public var rawValue: Int {
        switch self {
        case .unspecified: 0
        case .none: 1
        case .plain: 2
        case .grouped: 3
        case .insetGrouped: 4
        case .sidebar: 5
        case .sidebarPlain: 6
        case .other(let rawValue): rawValue
        }
    }
}

/// The kind of list that the content is in (`UITraitListEnvironment`).
public struct TraitListEnvironment: TraitDefinition {
    /// The value that an environment reads when no value is set above it.
    public static let defaultValue = ListEnvironment.unspecified
}

extension TraitCollection {
    /// The kind of list around the content. Its flag affects colours though it is in neither list.
    public var listEnvironment: ListEnvironment { self[TraitListEnvironment.self] }

    /// A collection of this trait alone.
    public init(listEnvironment: ListEnvironment) {
        self.init(TraitListEnvironment.self, value: listEnvironment)
    }
}

extension MutableTraits {
    /// The kind of list around the content. Its flag affects colours though it is in neither list.
    public var listEnvironment: ListEnvironment {
        get { self[TraitListEnvironment.self] }
        set { self[TraitListEnvironment.self] = newValue }
    }
}
