// Every member of UIFont that TraitKitUI has, each under its name; see docs/uikit.md.

import TraitKitUI

@MainActor func use() {
    //: preferredFont(forTextStyle:)
    let font: UIFont = .preferredFont(forTextStyle: .body)
    //: preferredFont(forTextStyle:compatibleWith:)
    _ = UIFont.preferredFont(forTextStyle: .title1, compatibleWith: UITraitCollection())
    //: pointSize
    let size: CGFloat = font.pointSize
    _ = size
    //: withSize(_:)
    _ = font.withSize(12)
}

@MainActor func useMore() {
    //: systemFont(ofSize:)
    _ = UIFont.systemFont(ofSize: 12)
    //: systemFont(ofSize:weight:)
    _ = UIFont.systemFont(ofSize: 12, weight: .medium)
    //: boldSystemFont(ofSize:)
    _ = UIFont.boldSystemFont(ofSize: 12)
    //: monospacedDigitSystemFont(ofSize:weight:)
    _ = UIFont.monospacedDigitSystemFont(ofSize: 12, weight: .regular)
}
