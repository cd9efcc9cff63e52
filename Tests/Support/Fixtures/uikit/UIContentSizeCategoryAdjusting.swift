// Every member of UIContentSizeCategoryAdjusting that TraitKitUI has, under its name; see docs/uikit.md.

import TraitKitUI

@MainActor func use(_ label: UILabel) {
    //: adjustsFontForContentSizeCategory
    label.adjustsFontForContentSizeCategory = true
    let adjusting: any UIContentSizeCategoryAdjusting = label
    _ = adjusting
}
