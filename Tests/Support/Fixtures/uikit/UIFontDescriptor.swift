// Every member of UIFontDescriptor that TraitKitUI has, each under its name; see docs/uikit.md.

import TraitKitUI

@MainActor func use(_ traits: UITraitCollection) {
    //: preferredFontDescriptor(withTextStyle:compatibleWith:)
    let descriptor = UIFontDescriptor.preferredFontDescriptor(
        withTextStyle: .body, compatibleWith: traits)
    //: preferredFontDescriptor(withTextStyle:)
    _ = UIFontDescriptor.preferredFontDescriptor(withTextStyle: .title1)
    //: pointSize
    let size: CGFloat = descriptor.pointSize
    _ = size
    //: symbolicTraits
    _ = descriptor.symbolicTraits.contains(.traitBold)
    //: withSymbolicTraits(_:)
    _ = descriptor.withSymbolicTraits([.traitBold, .traitItalic])
    //: withSize(_:)
    _ = descriptor.withSize(12)
}
