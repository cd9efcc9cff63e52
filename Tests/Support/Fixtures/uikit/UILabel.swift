// Every member of UILabel that TraitKitUI has, each under its name; see docs/uikit.md.

import TraitKitUI

@MainActor func use(_ label: UILabel) {
    //: text
    label.text = "a"
    //: font
    label.font = .systemFont(ofSize: 12)
    //: textColor
    label.textColor = .label
    //: numberOfLines
    label.numberOfLines = 0
    //: textAlignment
    label.textAlignment = .center
    //: isHighlighted
    label.isHighlighted = true
    //: highlightedTextColor
    label.highlightedTextColor = .red
    //: isEnabled
    label.isEnabled = false
}

@MainActor func useMore(_ label: UILabel) {
    //: lineBreakMode
    label.lineBreakMode = .byWordWrapping
}
