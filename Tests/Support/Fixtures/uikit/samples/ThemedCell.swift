// A file as public code for UIKit has it: its traits, and the members around them.

import TraitKitUI

struct AccentTrait: UITraitDefinition {
    static let defaultValue: UIColor = .systemBlue
    static let affectsColorAppearance = true
    static let name = "accent"
}

extension UITraitCollection {
    var accent: UIColor { self[AccentTrait.self] }
}

extension UIMutableTraits {
    var accent: UIColor {
        get { self[AccentTrait.self] }
        set { self[AccentTrait.self] = newValue }
    }
}

struct AccentKey: UITraitBridgedEnvironmentKey {
    static let defaultValue: UIColor = .systemBlue
    static func read(from traitCollection: UITraitCollection) -> UIColor { traitCollection.accent }
    static func write(to mutableTraits: inout UIMutableTraits, value: UIColor) {
        mutableTraits.accent = value
    }
}

extension EnvironmentValues {
    var accent: UIColor {
        get { self[AccentKey.self] }
        set { self[AccentKey.self] = newValue }
    }
}

@MainActor
struct AccentRow {
    @Environment(\.accent) private var accent
    let title: String
    var description: String { "\(title) in \(accent)" }
}

final class ThemedCell: UITableViewCell {
    static let reuseIdentifier = "ThemedCell"

    override init(style: UITableViewCell.CellStyle, reuseIdentifier: String?) {
        super.init(style: .subtitle, reuseIdentifier: reuseIdentifier)
        accessoryType = .disclosureIndicator
        selectedBackgroundView = UIView()
        contentConfiguration = UIHostingConfiguration { AccentRow(title: "row") }
    }

    required init?(coder: NSCoder) {
        super.init(coder: coder)
    }

    override func setSelected(_ selected: Bool, animated: Bool) {
        super.setSelected(selected, animated: animated)
        selectedBackgroundView?.backgroundColor = traitCollection.accent.withAlphaComponent(0.2)
    }

    override func setHighlighted(_ highlighted: Bool, animated: Bool) {
        super.setHighlighted(highlighted, animated: animated)
        contentView.alpha = highlighted ? 0.5 : 1
    }
}
