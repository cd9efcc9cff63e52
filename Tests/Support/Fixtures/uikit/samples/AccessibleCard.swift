// A card that follows the accessibility traits and speaks for itself.

import TraitKitUI

final class AccessibleCard: UIControl {
    private let titleLabel = UILabel()
    var title: String? {
        get { titleLabel.text }
        set {
            titleLabel.text = newValue
            accessibilityLabel = newValue
        }
    }

    override init(frame: CGRect) {
        super.init(frame: frame)
        addSubview(titleLabel)
        isAccessibilityElement = true
        accessibilityTraits = .button
        accessibilityHint = NSLocalizedString("Opens the card.", comment: "")
        accessibilityIdentifier = "AccessibleCard"
        shouldGroupAccessibilityChildren = true
        accessibilityElements = [titleLabel]
        adjust()
        let traits: [UITrait] = [UITraitAccessibilityContrast.self, UITraitLegibilityWeight.self]
        registerForTraitChanges(traits, target: self, action: Self.adjust)
    }

    required init?(coder: NSCoder) { super.init(coder: coder) }

    override var isSelected: Bool {
        didSet {
            if isSelected {
                accessibilityTraits.insert(.selected)
            } else {
                accessibilityTraits.remove(.selected)
            }
        }
    }

    override var isHighlighted: Bool {
        didSet {
            guard !UIAccessibility.isReduceMotionEnabled else {
                alpha = isHighlighted ? 0.6 : 1
                return
            }
            UIView.animate(
                withDuration: 0.2, delay: 0, options: [.curveEaseInOut, .beginFromCurrentState]
            ) {
                self.alpha = self.isHighlighted ? 0.6 : 1
            }
        }
    }

    func adjust() {
        layer.borderWidth = traitCollection.accessibilityContrast == .high ? 2 : 0
        let isBold = traitCollection.legibilityWeight == .bold || UIAccessibility.isBoldTextEnabled
        titleLabel.font = isBold ? .boldSystemFont(ofSize: 17) : .systemFont(ofSize: 17)
        UIAccessibility.post(notification: .layoutChanged, argument: self)
    }

    override func accessibilityActivate() -> Bool {
        sendActions(for: .touchUpInside)
        return true
    }
}
