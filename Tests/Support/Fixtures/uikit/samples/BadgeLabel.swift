// A label with insets, whose font and corners follow the text size.

import TraitKitUI

final class BadgeLabel: UILabel {
    var contentInsets = UIEdgeInsets(top: 2, left: 6, bottom: 2, right: 6) {
        didSet { invalidateIntrinsicContentSize() }
    }

    override init(frame: CGRect) {
        super.init(frame: frame)
        textColor = .white
        backgroundColor = .systemRed
        minimumContentSizeCategory = .medium
        maximumContentSizeCategory = .accessibilityLarge
        updateFont()
        registerForTraitChanges([
            UITraitPreferredContentSizeCategory.self, UITraitLegibilityWeight.self,
        ]) {
            (label: BadgeLabel, _: UITraitCollection) in
            label.updateFont()
        }
    }

    required init?(coder: NSCoder) { super.init(coder: coder) }

    override var intrinsicContentSize: CGSize {
        let size = super.intrinsicContentSize
        return CGSize(
            width: size.width + contentInsets.left + contentInsets.right,
            height: size.height + contentInsets.top + contentInsets.bottom)
    }

    override func layoutSubviews() {
        super.layoutSubviews()
        layer.cornerRadius = bounds.height / 2
        layer.masksToBounds = true
    }

    private func updateFont() {
        let weight: UIFont.Weight = traitCollection.legibilityWeight == .bold ? .black : .semibold
        let base = UIFont.systemFont(ofSize: 12, weight: weight)
        font = UIFontMetrics(forTextStyle: .caption1).scaledFont(
            for: base, maximumPointSize: 24, compatibleWith: traitCollection)
        setNeedsDisplay()
    }
}
