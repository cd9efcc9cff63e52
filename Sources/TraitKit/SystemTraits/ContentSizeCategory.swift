// The text size that a person prefers. Its raw values are strings, in ascending order of size.

public import Foundation
internal import TraitEngine

/// A content size category (`UIContentSizeCategory`).
///
/// Categories are ordered by size. The unspecified one has no place in that order: every
/// comparison with it but `==` and `!=` is false.
public struct ContentSizeCategory: RawRepresentable, Hashable, Sendable {
    /// UIKit's name of the size.
    public let rawValue: String

    /// A size by its name. An unknown name has no place in the order.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// No size is specified.
    public static let unspecified = named("unspecified")
    /// The smallest size.
    public static let extraSmall = named("extraSmall")
    /// A small size.
    public static let small = named("small")
    /// One size below the default.
    public static let medium = named("medium")
    /// The default size of a device.
    public static let large = named("large")
    /// One size above the default.
    public static let extraLarge = named("extraLarge")
    /// Two sizes above the default.
    public static let extraExtraLarge = named("extraExtraLarge")
    /// The largest size that is not for accessibility.
    public static let extraExtraExtraLarge = named("extraExtraExtraLarge")
    /// The smallest size for accessibility.
    public static let accessibilityMedium = named("accessibilityMedium")
    /// The second size for accessibility.
    public static let accessibilityLarge = named("accessibilityLarge")
    /// The third size for accessibility.
    public static let accessibilityExtraLarge = named("accessibilityExtraLarge")
    /// The fourth size for accessibility.
    public static let accessibilityExtraExtraLarge = named("accessibilityExtraExtraLarge")
    /// The largest size there is.
    public static let accessibilityExtraExtraExtraLarge = named(
        "accessibilityExtraExtraExtraLarge")

    /// Whether this is one of the five largest, meant for accessibility.
    public var isAccessibilityCategory: Bool {
        guard let rank, let first = Self.accessibilityMedium.rank else { return false }
        return rank >= first
    }

    /// The place among the categories, by size; nil for the unspecified and for unknown ones.
    private var rank: Int? {
        let position = SystemTraits.contentSizeCategories.firstIndex { $0.raw == rawValue }
        return position.flatMap { $0 > 0 ? $0 : nil }
    }

    private static func named(_ name: String) -> ContentSizeCategory {
        let category = SystemTraits.contentSizeCategories.first { $0.name == name }
        return ContentSizeCategory(rawValue: category?.raw ?? "")
    }
}

extension ContentSizeCategory {
    /// Posted when the text size of the application has changed (`UIContentSizeCategory`). Its user
    /// info has the size under `newValueUserInfoKey`.
    public static let didChangeNotification = Notification.Name(
        "UIContentSizeCategoryDidChangeNotification")

    /// The key of the text size in the user info of `didChangeNotification`.
    public static let newValueUserInfoKey = "UIContentSizeCategoryNewValueKey"
}

extension ContentSizeCategory: CaseIterable {
    /// The twelve sizes, the smallest first; the unspecified one is not among them.
    public static let allCases = SystemTraits.contentSizeCategories.dropFirst()
        .map { ContentSizeCategory(rawValue: $0.raw) }
}

extension ContentSizeCategory: Comparable {
    private static func compare(
        _ left: Self, _ right: Self, _ isInOrder: (Int, Int) -> Bool
    ) -> Bool {
        guard let left = left.rank, let right = right.rank else { return false }
        return isInOrder(left, right)
    }

    public static func < (left: Self, right: Self) -> Bool { compare(left, right, <) }
    public static func > (left: Self, right: Self) -> Bool { compare(left, right, >) }
    public static func <= (left: Self, right: Self) -> Bool { compare(left, right, <=) }
    public static func >= (left: Self, right: Self) -> Bool { compare(left, right, >=) }
}

/// The text size that the person prefers (`UITraitPreferredContentSizeCategory`).
public struct TraitPreferredContentSizeCategory: TraitDefinition {
    /// The value that an environment reads when no value is set above it.
    public static let defaultValue = ContentSizeCategory.unspecified
}

extension TraitCollection {
    /// The text size that the person prefers.
    public var preferredContentSizeCategory: ContentSizeCategory {
        self[TraitPreferredContentSizeCategory.self]
    }

    /// A collection of this trait alone. Deprecated since iOS 17: use `init(mutations:)`.
    public init(preferredContentSizeCategory: ContentSizeCategory) {
        self.init(TraitPreferredContentSizeCategory.self, value: preferredContentSizeCategory)
    }
}

extension MutableTraits {
    /// The text size that the person prefers: one of the categories.
    public var preferredContentSizeCategory: ContentSizeCategory {
        get { self[TraitPreferredContentSizeCategory.self] }
        set { self[TraitPreferredContentSizeCategory.self] = newValue }
    }
}
