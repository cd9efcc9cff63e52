// Every member of UITextField that TraitKitUI has, each under its name; see docs/uikit.md.

import TraitKitUI

@MainActor func use(_ field: UITextField) {
    //: text
    field.text = "a"
    //: placeholder
    field.placeholder = "a"
    //: font
    field.font = .preferredFont(forTextStyle: .body)
    //: textColor
    field.textColor = .label
    //: textAlignment
    field.textAlignment = .center
    //: borderStyle
    field.borderStyle = .roundedRect
    //: isSecureTextEntry
    field.isSecureTextEntry = true
    //: adjustsFontForContentSizeCategory
    field.adjustsFontForContentSizeCategory = true
    //: delegate
    field.delegate = nil
}
