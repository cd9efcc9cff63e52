// Layers, whose colours have to be set again when the style changes.

import TraitKitUI

class ShadowView: UIView {
    private let gradientLayer = CAGradientLayer()
    private(set) var refreshes = 0

    override init(frame: CGRect) {
        super.init(frame: frame)
        layer.insertSublayer(gradientLayer, at: 0)
        layer.shadowOpacity = 0.25
        layer.shadowRadius = 8
        layer.shadowOffset = .zero
        layer.shouldRasterize = true
        layer.rasterizationScale = UIScreen.main.scale
        gradientLayer.locations = [0, 0.6, 1]
        gradientLayer.startPoint = CGPoint(x: 0, y: 0.5)
        gradientLayer.endPoint = CGPoint(x: 1, y: 0.5)
        refresh()
        if #available(iOS 17.0, tvOS 17.0, *) {
            registerForTraitChanges([UITraitUserInterfaceStyle.self]) {
                (view: Self, previous: UITraitCollection) in
                view.refresh()
            }
        }
    }

    required init?(coder: NSCoder) {
        fatalError("init(coder:) has not been implemented")
    }

    override func traitCollectionDidChange(_ previousTraitCollection: UITraitCollection?) {
        super.traitCollectionDidChange(previousTraitCollection)
        if #available(iOS 17.0, *) { return }
        if traitCollection.hasDifferentColorAppearance(comparedTo: previousTraitCollection) {
            refresh()
        }
    }

    override func layoutSubviews() {
        super.layoutSubviews()
        gradientLayer.frame = bounds
        gradientLayer.cornerRadius = layer.cornerRadius
    }

    private func refresh() {
        refreshes += 1
        traitCollection.performAsCurrent {
            gradientLayer.colors = [UIColor.systemBlue, .systemPurple, .clear].map(\.cgColor)
            layer.shadowColor = UIColor.label.cgColor
        }
    }
}
