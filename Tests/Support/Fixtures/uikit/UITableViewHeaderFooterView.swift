// Every member of UITableViewHeaderFooterView that TraitKitUI has, each under its name; see docs/uikit.md.

import TraitKitUI

@MainActor func use(_ view: UITableViewHeaderFooterView) {
    //: updateConfiguration(using:)
    let state: UIViewConfigurationState = view.configurationState
    view.updateConfiguration(using: state)
    //: setNeedsUpdateConfiguration()
    view.setNeedsUpdateConfiguration()
    //: configurationUpdateHandler
    view.configurationUpdateHandler = {
        (view: UITableViewHeaderFooterView, state: UIViewConfigurationState) in
    }
    //: ConfigurationUpdateHandler
    let handler: UITableViewHeaderFooterView.ConfigurationUpdateHandler = { _, _ in }
    _ = handler
    //: configurationState
    _ = view.configurationState.traitCollection
    //: contentView
    let contentView: UIView = view.contentView
    _ = contentView
    //: contentConfiguration
    view.contentConfiguration = UIHostingConfiguration { $0.colorScheme }
}
