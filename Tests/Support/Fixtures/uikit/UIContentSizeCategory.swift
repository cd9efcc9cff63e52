// Every member of UIContentSizeCategory that TraitKitUI has, each under its name; see docs/uikit.md.

import TraitKitUI

@MainActor func use() {
    //: unspecified
    let unspecified: UIContentSizeCategory = .unspecified
    _ = unspecified
    //: extraSmall
    let extraSmall: UIContentSizeCategory = .extraSmall
    _ = extraSmall
    //: small
    let small: UIContentSizeCategory = .small
    _ = small
    //: medium
    let medium: UIContentSizeCategory = .medium
    _ = medium
    //: large
    let large: UIContentSizeCategory = .large
    _ = large
    //: extraLarge
    let extraLarge: UIContentSizeCategory = .extraLarge
    _ = extraLarge
    //: extraExtraLarge
    let extraExtraLarge: UIContentSizeCategory = .extraExtraLarge
    _ = extraExtraLarge
    //: extraExtraExtraLarge
    let extraExtraExtraLarge: UIContentSizeCategory = .extraExtraExtraLarge
    _ = extraExtraExtraLarge
    //: accessibilityMedium
    let accessibilityMedium: UIContentSizeCategory = .accessibilityMedium
    _ = accessibilityMedium
    //: accessibilityLarge
    let accessibilityLarge: UIContentSizeCategory = .accessibilityLarge
    _ = accessibilityLarge
    //: accessibilityExtraLarge
    let accessibilityExtraLarge: UIContentSizeCategory = .accessibilityExtraLarge
    _ = accessibilityExtraLarge
    //: accessibilityExtraExtraLarge
    let accessibilityExtraExtraLarge: UIContentSizeCategory = .accessibilityExtraExtraLarge
    _ = accessibilityExtraExtraLarge
    //: accessibilityExtraExtraExtraLarge
    let accessibilityExtraExtraExtraLarge: UIContentSizeCategory =
        .accessibilityExtraExtraExtraLarge
    _ = accessibilityExtraExtraExtraLarge
    //: isAccessibilityCategory
    let isAccessibility: Bool = UIContentSizeCategory.large.isAccessibilityCategory
    _ = isAccessibility
    //: init(rawValue:)
    _ = UIContentSizeCategory(rawValue: "UICTContentSizeCategoryL")
    //: init(_:)
    _ = UIContentSizeCategory(DynamicTypeSize.large)
    //: didChangeNotification
    _ = UIContentSizeCategory.didChangeNotification
    //: newValueUserInfoKey
    _ = UIContentSizeCategory.newValueUserInfoKey
}
