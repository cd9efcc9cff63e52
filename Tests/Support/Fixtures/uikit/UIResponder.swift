// Every member of UIResponder that TraitKitUI has, each under its name; see docs/uikit.md.

import TraitKitUI

@MainActor func use() {
    //: keyboardWillShowNotification
    _ = UIResponder.keyboardWillShowNotification
    //: keyboardWillHideNotification
    _ = UIResponder.keyboardWillHideNotification
}
