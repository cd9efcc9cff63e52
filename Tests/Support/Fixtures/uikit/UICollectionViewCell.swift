// Every member of UICollectionViewCell that TraitKitUI has, each under its name; see docs/uikit.md.

import TraitKitUI

@MainActor func use(_ view: UICollectionViewCell) {
    //: updateConfiguration(using:)
    let state: UICellConfigurationState = view.configurationState
    view.updateConfiguration(using: state)
    //: setNeedsUpdateConfiguration()
    view.setNeedsUpdateConfiguration()
    //: configurationUpdateHandler
    view.configurationUpdateHandler = {
        (view: UICollectionViewCell, state: UICellConfigurationState) in
    }
    //: ConfigurationUpdateHandler
    let handler: UICollectionViewCell.ConfigurationUpdateHandler = { _, _ in }
    _ = handler
    //: configurationState
    _ = view.configurationState.traitCollection
    //: contentView
    let contentView: UIView = view.contentView
    _ = contentView
    //: contentConfiguration
    view.contentConfiguration = UIHostingConfiguration { $0.colorScheme }
}
