// Every member of UIButton that TraitKitUI has, each under its name; see docs/uikit.md.

import TraitKitUI

@MainActor func use(_ button: UIButton) {
    //: updateConfiguration()
    button.updateConfiguration()
    //: setNeedsUpdateConfiguration()
    button.setNeedsUpdateConfiguration()
    //: configurationUpdateHandler
    button.configurationUpdateHandler = { (button: UIButton) in }
    //: ConfigurationUpdateHandler
    let handler: UIButton.ConfigurationUpdateHandler = { _ in }
    _ = handler
    //: isSelected
    button.isSelected = true
    //: isHighlighted
    button.isHighlighted = true
    //: isEnabled
    button.isEnabled = true
}
