// What subclasses override of the looks of buttons, bars, cells and windows, and how public code sets them.

import TraitKitUI

//: UIWindow.canBecomeKey
class KeptOverlay: UIWindow {
    override var canBecomeKey: Bool { false }
}
//: UILabel.lineBreakMode
class KeptLines: UILabel {
    override var lineBreakMode: NSLineBreakMode { didSet {} }
}
//: UITableViewCell.selectionStyle
class KeptSelection: UITableViewCell {
    override var selectionStyle: UITableViewCell.SelectionStyle { didSet {} }
    //: UITableViewCell.separatorInset
    override var separatorInset: UIEdgeInsets { didSet {} }
}
//: UIButton.configuration
class KeptButton2: UIButton {
    override var configuration: UIButton.Configuration? { didSet {} }
}
//: UINavigationBar.prefersLargeTitles
class KeptBar: UINavigationBar {
    override var prefersLargeTitles: Bool { didSet {} }
    //: UINavigationBar.standardAppearance
    override var standardAppearance: UINavigationBarAppearance { didSet {} }
    //: UINavigationBar.barTintColor
    override var barTintColor: UIColor? { didSet {} }
}
//: button.configuration?.title = …
@MainActor func configure(_ button: UIButton) {
    button.configuration?.title = "title"
    //: var configuration = UIButton.Configuration.filled()
    var configuration = UIButton.Configuration.filled()
    configuration.contentInsets.leading = 8
    button.configuration = configuration
    //: UINavigationBar.appearance().standardAppearance
    UINavigationBar.appearance().standardAppearance = UINavigationBarAppearance()
    //: UIImage(systemName:)
    _ = UIImageView(image: UIImage(systemName: "star"))
    //: UIView.animate with options
    UIView.animate(withDuration: 0.3, delay: 0, options: [.curveEaseOut]) {
        button.alpha = 1
    } completion: { _ in
    }
    //: windowLevel above another
    button.window?.windowLevel = .normal + 1
}
