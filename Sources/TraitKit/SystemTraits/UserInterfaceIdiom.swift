// The kind of device an interface is made for.

/// The kind of interface (`UIUserInterfaceIdiom`). There is no 4.
public enum UserInterfaceIdiom: SystemEnumeration, Sendable {
    /// No value is specified.
    case unspecified
    /// An iPhone.
    case phone
    /// An iPad.
    case pad
    /// An Apple TV.
    case tv
    /// The screen of a car.
    case carPlay
    /// A Mac.
    case mac
    /// An Apple Vision.
    case vision
    /// A raw value outside the cases: UIKit takes and keeps it.
    case other(Int)

    init(raw: Int) {
        self =
            switch raw {
            case -1: .unspecified
            case 0: .phone
            case 1: .pad
            case 2: .tv
            case 3: .carPlay
            case 5: .mac
            case 6: .vision
            default: .other(raw)
            }
    }

    /// UIKit's number for the value.
    public var rawValue: Int {
        switch self {
        case .unspecified: -1
        case .phone: 0
        case .pad: 1
        case .tv: 2
        case .carPlay: 3
        case .mac: 5
        case .vision: 6
        case .other(let rawValue): rawValue
        }
    }
}

/// The kind of device that the interface is made for (`UITraitUserInterfaceIdiom`).
public struct TraitUserInterfaceIdiom: TraitDefinition {
    /// The value that an environment reads when no value is set above it.
    public static let defaultValue = UserInterfaceIdiom.unspecified
}

extension TraitCollection {
    /// The kind of device; the system supplies it at the scene.
    public var userInterfaceIdiom: UserInterfaceIdiom { self[TraitUserInterfaceIdiom.self] }

    /// A collection of this trait alone. Deprecated since iOS 17: use `init(mutations:)`.
    public init(userInterfaceIdiom: UserInterfaceIdiom) {
        self.init(TraitUserInterfaceIdiom.self, value: userInterfaceIdiom)
    }
}

extension MutableTraits {
    /// The kind of device; the system supplies it at the scene.
    public var userInterfaceIdiom: UserInterfaceIdiom {
        get { self[TraitUserInterfaceIdiom.self] }
        set { self[TraitUserInterfaceIdiom.self] = newValue }
    }
}
