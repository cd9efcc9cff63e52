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

@MainActor func use2(_ button: UIButton) {
    //: init(type:)
    _ = UIButton(type: .system)
    //: init(primaryAction:)
    _ = UIButton(primaryAction: UIAction(title: "a") { _ in })
    //: buttonType
    _ = button.buttonType == .custom
    //: titleLabel
    button.titleLabel?.font = .systemFont(ofSize: 12)
    //: setTitle(_:for:)
    button.setTitle("a", for: .normal)
    //: title(for:)
    _ = button.title(for: .selected)
    //: setTitleColor(_:for:)
    button.setTitleColor(.red, for: .normal)
    //: titleColor(for:)
    _ = button.titleColor(for: .normal)
    //: setImage(_:for:)
    button.setImage(nil, for: .highlighted)
    //: image(for:)
    _ = button.image(for: .normal)
    //: currentTitle
    _ = button.currentTitle
    //: currentTitleColor
    _ = button.currentTitleColor
    //: currentImage
    _ = button.currentImage
}

@MainActor func useMore(_ button: UIButton) {
    //: configuration
    button.configuration = .plain()
    //: init(configuration:primaryAction:)
    _ = UIButton(configuration: .filled(), primaryAction: nil)
    //: Configuration
    let configuration: UIButton.Configuration = .gray()
    _ = configuration
}
