// A cell of a grid that configures itself for its state and its traits.

import TraitKitUI

final class ProductCell: UICollectionViewCell {
    static let reuseIdentifier = String(describing: ProductCell.self)
    private let priceLabel = UILabel()
    private(set) var isCompact = false

    override init(frame: CGRect) {
        super.init(frame: frame)
        contentView.addSubview(priceLabel)
        contentView.layer.cornerRadius = 10
        priceLabel.font = UIFontMetrics(forTextStyle: .footnote).scaledFont(
            for: .monospacedDigitSystemFont(ofSize: 13, weight: .medium))
        priceLabel.adjustsFontForContentSizeCategory = true
        priceLabel.textAlignment = .right
        contentView.pin(priceLabel)
    }

    required init?(coder: NSCoder) {
        fatalError("not from a nib")
    }

    override func prepareForReuse() {
        super.prepareForReuse()
        priceLabel.text = nil
    }

    override func updateConfiguration(using state: UICellConfigurationState) {
        super.updateConfiguration(using: state)
        isCompact = state.traitCollection.horizontalSizeClass == .compact
        var content = UIListContentConfiguration.subtitleCell().updated(for: state)
        content.text = isCompact ? "Short" : "A long title"
        content.secondaryText = "In stock"
        content.textProperties.color = state.isSelected ? .tintColor : .label
        contentConfiguration = content
        let background = backgroundView ?? UIView()
        background.backgroundColor =
            state.isHighlighted ? .systemGray5 : .secondarySystemGroupedBackground
        background.layer.cornerRadius = 10
        backgroundView = background
    }
}

extension UIView {
    func pin(_ view: UIView, insets: NSDirectionalEdgeInsets = .zero) {
        view.translatesAutoresizingMaskIntoConstraints = false
        view.topAnchor.constraint(equalTo: topAnchor, constant: insets.top).isActive = true
        view.leadingAnchor.constraint(equalTo: leadingAnchor, constant: insets.leading).isActive =
            true
        view.trailingAnchor.constraint(equalTo: trailingAnchor, constant: -insets.trailing)
            .isActive = true
        view.bottomAnchor.constraint(equalTo: bottomAnchor, constant: -insets.bottom).isActive =
            true
    }
}
