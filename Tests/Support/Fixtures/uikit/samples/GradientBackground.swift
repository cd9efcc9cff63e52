// A file as public code for UIKit has it: its traits, and the members around them.

import TraitKitUI

class GradientBackground: UIView {
    override class var layerClass: AnyClass { CAGradientLayer.self }
    private var gradient: CAGradientLayer { layer as! CAGradientLayer }
    private let highlight = CALayer()

    override func didMoveToWindow() {
        super.didMoveToWindow()
        if highlight.superlayer == nil { layer.addSublayer(highlight) }
        apply(for: traitCollection)
    }

    override func layoutSubviews() {
        super.layoutSubviews()
        highlight.frame = bounds.inset(by: safeAreaInsets)
        highlight.opacity = traitCollection.userInterfaceLevel == .elevated ? 0.3 : 0.1
        gradient.mask = nil
    }

    override func safeAreaInsetsDidChange() {
        super.safeAreaInsetsDidChange()
        setNeedsLayout()
    }

    private func apply(for traits: UITraitCollection) {
        traits.performAsCurrent {
            gradient.colors = [UIColor.systemBackground.cgColor, UIColor.systemGray6.cgColor]
        }
        highlight.backgroundColor = UIColor(white: 1, alpha: 0.2).cgColor
        precondition(highlight.backgroundColor?.numberOfComponents == 2)
    }
}

@MainActor
func screenWidth() -> CGFloat {
    let isMirrored = UIApplication.shared.userInterfaceLayoutDirection.rawValue == 1
    return isMirrored ? -UIScreen.main.bounds.width : UIScreen.main.bounds.width
}
