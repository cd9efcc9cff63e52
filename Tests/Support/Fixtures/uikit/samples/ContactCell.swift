// A cell from before iOS 17: the old callback stacks its labels for large text.

import TraitKitUI

class ContactCell: UITableViewCell {
    private let stackView = UIStackView()
    let nameLabel = UILabel()
    let numberLabel = UILabel()
    private(set) var callbacks: [UIContentSizeCategory?] = []

    override init(style: UITableViewCell.CellStyle, reuseIdentifier: String?) {
        super.init(style: style, reuseIdentifier: reuseIdentifier)
        for label in [nameLabel, numberLabel] {
            label.font = .preferredFont(
                forTextStyle: label === nameLabel ? .headline : .subheadline)
            label.adjustsFontForContentSizeCategory = true
            label.numberOfLines = 0
            stackView.addArrangedSubview(label)
        }
        stackView.spacing = UIStackView.spacingUseSystem
        contentView.addSubview(stackView)
        selectionStyle = .none
        separatorInset = UIEdgeInsets(top: 0, left: 16, bottom: 0, right: 0)
        updateAxis()
    }

    required init?(coder aDecoder: NSCoder) {
        super.init(coder: aDecoder)
    }

    override func traitCollectionDidChange(_ previousTraitCollection: UITraitCollection?) {
        super.traitCollectionDidChange(previousTraitCollection)
        let category = traitCollection.preferredContentSizeCategory
        callbacks.append(previousTraitCollection?.preferredContentSizeCategory)
        guard category != previousTraitCollection?.preferredContentSizeCategory else { return }
        updateAxis()
    }

    var isStacked: Bool { stackView.axis == .vertical }

    private func updateAxis() {
        let isLarge = traitCollection.preferredContentSizeCategory >= .accessibilityMedium
        stackView.axis = isLarge ? .vertical : .horizontal
        stackView.alignment = isLarge ? .leading : .firstBaseline
    }
}
