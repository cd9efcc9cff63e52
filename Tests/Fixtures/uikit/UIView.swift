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
