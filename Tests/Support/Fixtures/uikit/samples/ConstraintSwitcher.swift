// Two sets of constraints, one for each width.

import TraitKitUI

final class ConstraintSwitcher: UIViewController {
    let imageView = UIImageView()
    let textView = UILabel()
    private(set) var compact: [NSLayoutConstraint] = []
    private(set) var regular: [NSLayoutConstraint] = []
    private var heightConstraint: NSLayoutConstraint?

    override func viewDidLoad() {
        super.viewDidLoad()
        for subview in [imageView, textView] {
            subview.translatesAutoresizingMaskIntoConstraints = false
            view.addSubview(subview)
        }
        textView.numberOfLines = 0
        textView.layoutMargins = UIEdgeInsets(top: 8, left: 8, bottom: 8, right: 8)
        let guide = view.safeAreaLayoutGuide
        compact = [
            imageView.topAnchor.constraint(equalTo: guide.topAnchor),
            imageView.widthAnchor.constraint(equalTo: guide.widthAnchor),
            textView.topAnchor.constraint(equalTo: imageView.bottomAnchor, constant: 12),
        ]
        regular = [
            imageView.leadingAnchor.constraint(equalTo: guide.leadingAnchor, constant: 20),
            imageView.widthAnchor.constraint(equalTo: view.widthAnchor, multiplier: 0.4),
            textView.leadingAnchor.constraint(equalTo: imageView.trailingAnchor, constant: 20),
            textView.topAnchor.constraint(greaterThanOrEqualTo: guide.topAnchor),
        ]
        let height = imageView.heightAnchor.constraint(equalToConstant: 200)
        height.priority = UILayoutPriority(rawValue: 999)
        height.isActive = true
        heightConstraint = height
        activate(for: traitCollection)
        registerForTraitChanges([UITraitHorizontalSizeClass.self, UITraitVerticalSizeClass.self]) {
            (controller: ConstraintSwitcher, previousTraitCollection: UITraitCollection) in
            controller.activate(for: controller.traitCollection)
        }
    }

    private func activate(for traits: UITraitCollection) {
        let isWide = traits.horizontalSizeClass == .regular
        NSLayoutConstraint.deactivate(isWide ? compact : regular)
        NSLayoutConstraint.activate(isWide ? regular : compact)
        heightConstraint?.constant = traits.verticalSizeClass == .compact ? 120 : 200
        view.setNeedsUpdateConstraints()
    }
}
