// The types of SwiftUI's environment that stand for system traits, and how they convert.

/// Light or dark, as SwiftUI has it (`ColorScheme`).
public enum ColorScheme: CaseIterable, Sendable {
    /// Dark on light.
    case light
    /// Light on dark.
    case dark

    /// Nil for an unspecified style.
    public init?(_ style: UserInterfaceStyle) {
        switch style {
        case .light: self = .light
        case .dark: self = .dark
        default: return nil
        }
    }
}

extension UserInterfaceStyle {
    /// Unspecified for nil.
    public init(_ colorScheme: ColorScheme?) {
        self = colorScheme.map { $0 == .dark ? .dark : .light } ?? .unspecified
    }
}

/// The contrast, as SwiftUI has it (`ColorSchemeContrast`).
public enum ColorSchemeContrast: CaseIterable, Sendable {
    /// The default contrast.
    case standard
    /// More contrast.
    case increased

    /// Nil for an unspecified contrast.
    public init?(_ contrast: AccessibilityContrast) {
        switch contrast {
        case .normal: self = .standard
        case .high: self = .increased
        default: return nil
        }
    }
}

extension AccessibilityContrast {
    /// Unspecified for nil.
    public init(_ contrast: ColorSchemeContrast?) {
        self = contrast.map { $0 == .increased ? .high : .normal } ?? .unspecified
    }
}

/// The direction of layout, as SwiftUI has it (`LayoutDirection`), with the raw values of UIKit's
/// `UIUserInterfaceLayoutDirection`.
public enum LayoutDirection: Int, CaseIterable, Sendable {
    /// From left to right.
    case leftToRight
    /// From right to left.
    case rightToLeft

    /// Nil for an unspecified direction.
    public init?(_ direction: TraitEnvironmentLayoutDirection) {
        switch direction {
        case .leftToRight: self = .leftToRight
        case .rightToLeft: self = .rightToLeft
        default: return nil
        }
    }
}

extension TraitEnvironmentLayoutDirection {
    /// Unspecified for nil.
    public init(_ direction: LayoutDirection?) {
        self = direction.map { $0 == .rightToLeft ? .rightToLeft : .leftToRight } ?? .unspecified
    }
}

/// A text size, as SwiftUI has it (`DynamicTypeSize`), the smallest first.
public enum DynamicTypeSize: Int, CaseIterable, Comparable, Sendable {
    /// The smallest size.
    case xSmall
    /// A small size.
    case small
    /// One size below the default.
    case medium
    /// The default size of a device.
    case large
    /// One size above the default.
    case xLarge
    /// Two sizes above the default.
    case xxLarge
    /// The largest size that is not for accessibility.
    case xxxLarge
    /// The smallest size for accessibility.
    case accessibility1
    /// The second size for accessibility.
    case accessibility2
    /// The third size for accessibility.
    case accessibility3
    /// The fourth size for accessibility.
    case accessibility4
    /// The largest size there is.
    case accessibility5

    /// Nil for an unspecified or unknown category.
    public init?(_ category: ContentSizeCategory) {
        guard let index = ContentSizeCategory.allCases.firstIndex(of: category) else { return nil }
        self.init(rawValue: index)
    }

    /// Whether this is one of the five largest, meant for accessibility.
    public var isAccessibilitySize: Bool { self >= .accessibility1 }

    public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}

extension ContentSizeCategory {
    /// Unspecified for nil.
    public init(_ size: DynamicTypeSize?) {
        self = size.map { Self.allCases[$0.rawValue] } ?? .unspecified
    }
}

extension UserInterfaceSizeClass {
    /// The size class of SwiftUI's optional value: unspecified for nil.
    public init(_ sizeClass: UserInterfaceSizeClass?) { self = sizeClass ?? .unspecified }
}

extension LegibilityWeight {
    /// The weight of SwiftUI's optional value: unspecified for nil.
    public init(_ weight: LegibilityWeight?) { self = weight ?? .unspecified }
}
