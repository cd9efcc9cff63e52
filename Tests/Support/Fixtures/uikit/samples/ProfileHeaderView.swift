// The header of a profile: a border that follows the style, and an action for several traits.

import TraitKitUI

final class ProfileHeaderView: UIView {
    private let avatar = UIImageView(image: UIImage(systemName: "person.circle"))
    private(set) lazy var nameLabel: UILabel = {
        let label = UILabel()
        label.font = UIFont.systemFont(ofSize: 22, weight: .heavy)
        label.textColor = .label
        label.lineBreakMode = .byTruncatingTail
        label.translatesAutoresizingMaskIntoConstraints = false
        return label
    }()
    private(set) var borderUpdates = 0

    override init(frame: CGRect) {
        super.init(frame: frame)
        setUp()
    }

    @available(*, unavailable)
    required init?(coder: NSCoder) { fatalError("init(coder:) has not been implemented") }

    private func setUp() {
        avatar.contentMode = .scaleAspectFill
        avatar.clipsToBounds = true
        avatar.layer.cornerCurve = .continuous
        avatar.layer.cornerRadius = 32
        avatar.tintColor = .secondaryLabel
        addSubview(avatar)
        addSubview(nameLabel)
        NSLayoutConstraint.activate([
            nameLabel.leadingAnchor.constraint(
                equalToSystemSpacingAfter: avatar.trailingAnchor, multiplier: 1),
            nameLabel.centerYAnchor.constraint(equalTo: avatar.centerYAnchor),
        ])
        updateBorder()
        registerForTraitChanges(
            [
                UITraitUserInterfaceStyle.self, UITraitAccessibilityContrast.self,
                UITraitDisplayScale.self,
            ],
            action: Self.updateBorder)
    }

    func updateBorder() {
        borderUpdates += 1
        let isHighContrast = traitCollection.accessibilityContrast == .high
        layer.borderWidth = isHighContrast ? 2 : 1 / max(1, traitCollection.displayScale)
        layer.borderColor = UIColor.separator.resolvedColor(with: traitCollection).cgColor
    }
}
