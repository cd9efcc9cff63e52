// Every member of UIListContentConfiguration that TraitKitUI has, each under its name; see docs/uikit.md.

import TraitKitUI

@MainActor func use() {
    //: cell()
    var content = UIListContentConfiguration.cell()
    //: subtitleCell()
    _ = UIListContentConfiguration.subtitleCell()
    //: valueCell()
    _ = UIListContentConfiguration.valueCell()
    //: text
    content.text = "one"
    //: secondaryText
    content.secondaryText = "two"
    //: image
    content.image = UIImage()
    //: textProperties
    content.textProperties.color = .label
    content.textProperties.font = .preferredFont(forTextStyle: .body)
    //: secondaryTextProperties
    content.secondaryTextProperties.color = .secondaryLabel
    //: imageProperties
    content.imageProperties.tintColor = .systemRed
}
