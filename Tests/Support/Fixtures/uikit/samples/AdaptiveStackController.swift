// A file as public code for UIKit has it: its traits, and the members around them.

import TraitKitUI

final class AdaptiveStackController: UIViewController {
    private let stack = UIStackView()
    private let image = UIImageView()
    private let caption = UILabel()

    override func viewDidLoad() {
        super.viewDidLoad()
        view.backgroundColor = .systemBackground
        navigationItem.title = "Details"
        navigationItem.largeTitleDisplayMode = .never
        caption.numberOfLines = 0
        caption.textAlignment = .natural
        caption.font = .preferredFont(forTextStyle: .body)
        caption.adjustsFontForContentSizeCategory = true
        caption.setContentHuggingPriority(.required, for: .vertical)
        stack.spacing = 16
        stack.translatesAutoresizingMaskIntoConstraints = false
        [image, caption].forEach(stack.addArrangedSubview)
        view.addSubview(stack)
        NSLayoutConstraint.activate([
            stack.topAnchor.constraint(equalTo: view.safeAreaLayoutGuide.topAnchor, constant: 16),
            stack.leadingAnchor.constraint(equalTo: view.layoutMarginsGuide.leadingAnchor),
            stack.trailingAnchor.constraint(equalTo: view.layoutMarginsGuide.trailingAnchor),
            image.heightAnchor.constraint(equalTo: image.widthAnchor, multiplier: 0.75),
        ])
        updateAxis()
        registerForTraitChanges(
            [UITraitHorizontalSizeClass.self, UITraitPreferredContentSizeCategory.self]
        ) { (self: Self, _: UITraitCollection) in
            self.updateAxis()
        }
    }

    private func updateAxis() {
        let isLarge = traitCollection.preferredContentSizeCategory.isAccessibilityCategory
        let isCompact = traitCollection.horizontalSizeClass == .compact
        stack.axis = isCompact || isLarge ? .vertical : .horizontal
        stack.alignment = isCompact ? .fill : .center
        stack.distribution = isCompact ? .fill : .fillEqually
    }
}
