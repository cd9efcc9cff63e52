// Every member of UITableViewCell that TraitKitUI has, each under its name; see docs/uikit.md.

import TraitKitUI

@MainActor func use(_ view: UITableViewCell) {
    //: updateConfiguration(using:)
    let state: UICellConfigurationState = view.configurationState
    view.updateConfiguration(using: state)
    //: setNeedsUpdateConfiguration()
    view.setNeedsUpdateConfiguration()
    //: configurationUpdateHandler
    view.configurationUpdateHandler = { (view: UITableViewCell, state: UICellConfigurationState) in
    }
    //: ConfigurationUpdateHandler
    let handler: UITableViewCell.ConfigurationUpdateHandler = { _, _ in }
    _ = handler
    //: configurationState
    _ = view.configurationState.traitCollection
    //: contentView
    let contentView: UIView = view.contentView
    _ = contentView
    //: contentConfiguration
    view.contentConfiguration = UIHostingConfiguration { $0.colorScheme }
    //: init(style:reuseIdentifier:)
    _ = UITableViewCell(style: .value1, reuseIdentifier: "row")
    //: prepareForReuse()
    view.prepareForReuse()
    //: reuseIdentifier
    _ = view.reuseIdentifier
    //: defaultContentConfiguration()
    _ = view.defaultContentConfiguration()
}

@MainActor func use2(_ cell: UITableViewCell) {
    //: setSelected(_:animated:)
    cell.setSelected(true, animated: false)
    //: setHighlighted(_:animated:)
    cell.setHighlighted(true, animated: false)
    //: accessoryType
    cell.accessoryType = .disclosureIndicator
    //: accessoryView
    cell.accessoryView = nil
    //: backgroundView
    cell.backgroundView = nil
    //: selectedBackgroundView
    cell.selectedBackgroundView = UIView()
}

@MainActor func useMore(_ cell: UITableViewCell) {
    //: selectionStyle
    cell.selectionStyle = .none
    //: separatorInset
    cell.separatorInset = .zero
}
