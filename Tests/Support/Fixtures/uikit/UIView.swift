// Every member of UIView that TraitKitUI has, each under its name; see docs/uikit.md.

import TraitKitUI

@MainActor func use() {
    //: init(frame:)
    let view = UIView(frame: CGRect(x: 0, y: 0, width: 10, height: 10))
    //: traitCollection
    let traits: UITraitCollection = view.traitCollection
    _ = traits
    //: traitOverrides
    view.traitOverrides.userInterfaceStyle = .dark
    //: updateTraitsIfNeeded()
    view.updateTraitsIfNeeded()
    //: overrideUserInterfaceStyle
    view.overrideUserInterfaceStyle = .light
    //: minimumContentSizeCategory
    view.minimumContentSizeCategory = .small
    //: maximumContentSizeCategory
    view.maximumContentSizeCategory = .accessibilityLarge
    //: appliedContentSizeCategoryLimitsDescription
    let limits: String = view.appliedContentSizeCategoryLimitsDescription
    _ = limits
    //: layoutSubviews()
    view.layoutSubviews()
    //: setNeedsLayout()
    view.setNeedsLayout()
    //: layoutIfNeeded()
    view.layoutIfNeeded()
    //: updateConstraints()
    view.updateConstraints()
    //: setNeedsUpdateConstraints()
    view.setNeedsUpdateConstraints()
    //: draw(_:)
    view.draw(CGRect.zero)
    //: setNeedsDisplay()
    view.setNeedsDisplay()
    //: updateProperties()
    view.updateProperties()
    //: setNeedsUpdateProperties()
    view.setNeedsUpdateProperties()
    //: updatePropertiesIfNeeded()
    view.updatePropertiesIfNeeded()
    //: traitCollectionDidChange(_:)
    view.traitCollectionDidChange(nil)
    //: semanticContentAttribute
    view.semanticContentAttribute = .forceRightToLeft
    //: effectiveUserInterfaceLayoutDirection
    let direction: UIUserInterfaceLayoutDirection = view.effectiveUserInterfaceLayoutDirection
    _ = direction
    //: userInterfaceLayoutDirection(for:)
    _ = UIView.userInterfaceLayoutDirection(for: .unspecified)
    //: userInterfaceLayoutDirection(for:relativeTo:)
    _ = UIView.userInterfaceLayoutDirection(for: .unspecified, relativeTo: .rightToLeft)
    //: backgroundColor
    view.backgroundColor = .systemBackground
    //: tintColor
    view.tintColor = .systemRed
    //: init(coder:)
    _ = UIView(coder: NSCoder())
    //: layer
    view.layer.borderColor = UIColor.separator.cgColor
    //: Invalidations.Layout
    UIView.Invalidations.Layout.layout.invalidate(view: view)
    //: Invalidations.Display
    UIView.Invalidations.Display.display.invalidate(view: view)
    //: Invalidations.Constraints
    UIView.Invalidations.Constraints.constraints.invalidate(view: view)
    //: Invalidations.Properties
    UIView.Invalidations.Properties.properties.invalidate(view: view)
    //: Invalidations.Configuration
    UIView.Invalidations.Configuration.configuration.invalidate(view: view)
    //: isHidden
    view.isHidden = true
    //: alpha
    view.alpha = 0.5
    //: isUserInteractionEnabled
    view.isUserInteractionEnabled = false
    //: tag
    view.tag = 1
    //: viewWithTag(_:)
    _ = view.viewWithTag(1)
    //: willMove(toWindow:)
    view.willMove(toWindow: nil)
    //: didMoveToWindow()
    view.didMoveToWindow()
    //: tintColorDidChange()
    view.tintColorDidChange()
    //: layerClass
    _ = UIView.layerClass
    //: next
    _ = view.next
}

@MainActor func use2(_ view: UIView, _ other: UIView) {
    //: clipsToBounds
    view.clipsToBounds = true
    //: isOpaque
    view.isOpaque = false
    //: contentMode
    view.contentMode = .scaleAspectFit
    //: autoresizingMask
    view.autoresizingMask = [.flexibleWidth, .flexibleHeight]
    //: translatesAutoresizingMaskIntoConstraints
    view.translatesAutoresizingMaskIntoConstraints = false
    //: safeAreaInsets
    view.safeAreaInsets = .zero
    //: layoutMargins
    view.layoutMargins = UIEdgeInsets(top: 1, left: 2, bottom: 3, right: 4)
    //: directionalLayoutMargins
    view.directionalLayoutMargins = NSDirectionalEdgeInsets(
        top: 1, leading: 2, bottom: 3, trailing: 4)
    //: accessibilityIdentifier
    view.accessibilityIdentifier = "a"
    //: accessibilityLabel
    view.accessibilityLabel = "a"
    //: accessibilityHint
    view.accessibilityHint = "a"
    //: accessibilityValue
    view.accessibilityValue = "a"
    //: isAccessibilityElement
    view.isAccessibilityElement = true
    //: accessibilityTraits
    view.accessibilityTraits = .button
    //: center
    view.center = CGPoint(x: 1, y: 1)
    //: intrinsicContentSize
    _ = view.intrinsicContentSize.width
    //: noIntrinsicMetric
    _ = UIView.noIntrinsicMetric
    //: invalidateIntrinsicContentSize()
    view.invalidateIntrinsicContentSize()
    //: sizeThatFits(_:)
    _ = view.sizeThatFits(.zero)
    //: sizeToFit()
    view.sizeToFit()
    //: safeAreaInsetsDidChange()
    view.safeAreaInsetsDidChange()
    //: layoutMarginsDidChange()
    view.layoutMarginsDidChange()
    //: contentHuggingPriority(for:)
    _ = view.contentHuggingPriority(for: .horizontal)
    //: setContentHuggingPriority(_:for:)
    view.setContentHuggingPriority(.required, for: .vertical)
    //: contentCompressionResistancePriority(for:)
    _ = view.contentCompressionResistancePriority(for: .vertical)
    //: setContentCompressionResistancePriority(_:for:)
    view.setContentCompressionResistancePriority(.defaultLow, for: .horizontal)
    //: animate(withDuration:delay:animations:completion:)
    UIView.animate(
        withDuration: 0.3, delay: 0, animations: { view.alpha = 0 }, completion: { _ in })
    //: performWithoutAnimation(_:)
    UIView.performWithoutAnimation { view.alpha = 1 }
    //: constraints
    _ = view.constraints.count
    //: layoutGuides
    _ = view.layoutGuides.count
    //: addLayoutGuide(_:)
    view.addLayoutGuide(UILayoutGuide())
    //: removeLayoutGuide(_:)
    view.removeLayoutGuide(UILayoutGuide())
    //: safeAreaLayoutGuide
    _ = view.safeAreaLayoutGuide.topAnchor
    //: layoutMarginsGuide
    _ = view.layoutMarginsGuide.leadingAnchor
    //: readableContentGuide
    _ = view.readableContentGuide.widthAnchor
    //: leadingAnchor
    _ = view.leadingAnchor.constraint(equalTo: other.leadingAnchor, constant: 8)
    //: trailingAnchor
    _ = view.trailingAnchor.constraint(equalTo: other.trailingAnchor)
    //: leftAnchor
    _ = view.leftAnchor.constraint(equalTo: other.leftAnchor)
    //: rightAnchor
    _ = view.rightAnchor.constraint(equalTo: other.rightAnchor)
    //: centerXAnchor
    _ = view.centerXAnchor.constraint(equalTo: other.centerXAnchor)
    //: centerYAnchor
    _ = view.centerYAnchor.constraint(equalTo: other.centerYAnchor)
    //: topAnchor
    _ = view.topAnchor.constraint(greaterThanOrEqualTo: other.topAnchor)
    //: bottomAnchor
    _ = view.bottomAnchor.constraint(lessThanOrEqualTo: other.bottomAnchor)
    //: firstBaselineAnchor
    _ = view.firstBaselineAnchor
    //: lastBaselineAnchor
    _ = view.lastBaselineAnchor
    //: widthAnchor
    _ = view.widthAnchor.constraint(equalTo: other.widthAnchor, multiplier: 0.5)
    //: heightAnchor
    _ = view.heightAnchor.constraint(equalToConstant: 44)
    //: awakeFromNib()
    view.awakeFromNib()
    //: canBecomeFirstResponder
    _ = view.canBecomeFirstResponder
    //: Invalidations.IntrinsicContentSize
    _ = UIView.Invalidations.IntrinsicContentSize.self
}

@MainActor func useMore(_ view: UIView) {
    //: accessibilityElements
    view.accessibilityElements = [UIView()]
    //: shouldGroupAccessibilityChildren
    view.shouldGroupAccessibilityChildren = true
    //: accessibilityViewIsModal
    view.accessibilityViewIsModal = true
    //: accessibilityElementsHidden
    view.accessibilityElementsHidden = true
    //: accessibilityActivate()
    _ = view.accessibilityActivate()
    //: showsLargeContentViewer
    view.showsLargeContentViewer = true
    //: largeContentTitle
    view.largeContentTitle = "title"
    //: largeContentImage
    view.largeContentImage = nil
    //: preservesSuperviewLayoutMargins
    view.preservesSuperviewLayoutMargins = true
    //: insetsLayoutMarginsFromSafeArea
    view.insetsLayoutMarginsFromSafeArea = false
    //: tintAdjustmentMode
    view.tintAdjustmentMode = .dimmed
    //: animate(withDuration:delay:options:animations:completion:)
    UIView.animate(withDuration: 1, delay: 0, options: [.curveEaseInOut, .repeat]) {
        view.alpha = 0
    }
    //: animate(withDuration:delay:usingSpringWithDamping:initialSpringVelocity:animations:)
    UIView.animate(
        withDuration: 1, delay: 0, usingSpringWithDamping: 0.8, initialSpringVelocity: 0,
        animations: { view.alpha = 1 })
    //: transition(with:duration:options:animations:completion:)
    UIView.transition(with: view, duration: 1, options: .transitionCrossDissolve) { view.alpha = 0 }
}
