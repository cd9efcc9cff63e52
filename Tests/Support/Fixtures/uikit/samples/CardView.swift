// A file as public code for UIKit has it: its traits, and the members around them.

import TraitKitUI

class CardView: UIView {
    var cornerRadius: CGFloat = 12 { didSet { layer.cornerRadius = cornerRadius } }

    override init(frame: CGRect) {
        super.init(frame: frame)
        commonInit()
    }

    required init?(coder: NSCoder) {
        super.init(coder: coder)
        commonInit()
    }

    override func awakeFromNib() {
        super.awakeFromNib()
        updateColors()
    }

    override var intrinsicContentSize: CGSize {
        CGSize(width: UIView.noIntrinsicMetric, height: 88)
    }

    private func commonInit() {
        layoutMargins = UIEdgeInsets(top: 8, left: 16, bottom: 8, right: 16)
        isAccessibilityElement = true
        accessibilityTraits = [.button]
        accessibilityIdentifier = "card"
        layer.cornerRadius = cornerRadius
        layer.maskedCorners = [.layerMinXMinYCorner, .layerMaxXMinYCorner]
        layer.masksToBounds = false
        layer.shadowOpacity = 0.2
        layer.shadowRadius = 6
        layer.shadowOffset = CGSize(width: 0, height: 3)
        layer.borderWidth = 1 / max(traitCollection.displayScale, 1)
        updateColors()
        registerForTraitChanges(UITraitCollection.systemTraitsAffectingColorAppearance) {
            (self: Self, previous: UITraitCollection) in
            if self.traitCollection.hasDifferentColorAppearance(comparedTo: previous) {
                self.updateColors()
            }
        }
    }

    private func updateColors() {
        backgroundColor = .secondarySystemBackground
        layer.borderColor = UIColor.separator.resolvedColor(with: traitCollection).cgColor
        layer.shadowColor = UIColor.black.cgColor
    }
}
