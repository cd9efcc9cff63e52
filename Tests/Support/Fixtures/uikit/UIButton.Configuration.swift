// Every member of UIButton.Configuration that TraitKitUI has, each under its name; see docs/uikit.md.

import TraitKitUI

@MainActor func use() {
    //: plain()
    var configuration = UIButton.Configuration.plain()
    //: gray()
    configuration = .gray()
    //: tinted()
    configuration = .tinted()
    //: filled()
    configuration = .filled()
    //: title
    configuration.title = "title"
    //: subtitle
    configuration.subtitle = "subtitle"
    //: image
    configuration.image = nil
    //: baseForegroundColor
    configuration.baseForegroundColor = .white
    //: baseBackgroundColor
    configuration.baseBackgroundColor = .red
    //: contentInsets
    configuration.contentInsets = .zero
    //: imagePadding
    configuration.imagePadding = 4
    //: titlePadding
    configuration.titlePadding = 4
    //: imagePlacement
    configuration.imagePlacement = .trailing
    //: cornerStyle
    configuration.cornerStyle = .capsule
    //: buttonSize
    configuration.buttonSize = .large
    //: showsActivityIndicator
    configuration.showsActivityIndicator = true
}
