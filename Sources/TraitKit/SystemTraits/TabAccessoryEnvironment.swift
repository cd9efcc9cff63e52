// Where a tab bar shows its accessory.

/// A tab accessory's place (`UITabAccessory.Environment`).
public enum TabAccessoryEnvironment: SystemEnumeration, Sendable {
    /// No value is specified.
    case unspecified
    /// The content is in no accessory.
    case none
    /// Above the tab bar.
    case regular
    /// In the tab bar, which is collapsed.
    case inline
    /// A raw value outside the cases: UIKit takes and keeps it.
    case other(Int)

    init(raw: Int) {
        self =
            switch raw {
            case 0: .unspecified
            case 1: .none
            case 2: .regular
            case 3: .inline
            default: .other(raw)
            }
    }

    /// UIKit's number for the value.
    public var rawValue: Int {
        switch self {
        case .unspecified: 0
        case .none: 1
        case .regular: 2
        case .inline: 3
        case .other(let rawValue): rawValue
        }
    }
}

/// Where a tab bar shows its accessory (`UITraitTabAccessoryEnvironment`).
public struct TraitTabAccessoryEnvironment: TraitDefinition {
    /// The value that an environment reads when no value is set above it.
    public static let defaultValue = TabAccessoryEnvironment.unspecified
}

extension TraitCollection {
    /// The place of the tab accessory that shows the content.
    public var tabAccessoryEnvironment: TabAccessoryEnvironment {
        self[TraitTabAccessoryEnvironment.self]
    }

    /// A collection of this trait alone.
    public init(tabAccessoryEnvironment: TabAccessoryEnvironment) {
        self.init(TraitTabAccessoryEnvironment.self, value: tabAccessoryEnvironment)
    }
}

extension MutableTraits {
    /// The place of the tab accessory that shows the content.
    public var tabAccessoryEnvironment: TabAccessoryEnvironment {
        get { self[TraitTabAccessoryEnvironment.self] }
        set { self[TraitTabAccessoryEnvironment.self] = newValue }
    }
}
