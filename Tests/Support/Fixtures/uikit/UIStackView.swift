// Every member of UIStackView that TraitKitUI has, each under its name; see docs/uikit.md.

import TraitKitUI

@MainActor func use(_ stack: UIStackView) {
    //: init(arrangedSubviews:)
    _ = UIStackView(arrangedSubviews: [UIView()])
    //: axis
    stack.axis = .vertical
    //: alignment
    stack.alignment = .center
    //: distribution
    stack.distribution = .fillEqually
    //: spacing
    stack.spacing = 8
    //: isLayoutMarginsRelativeArrangement
    stack.isLayoutMarginsRelativeArrangement = true
    //: arrangedSubviews
    _ = stack.arrangedSubviews.count
    //: addArrangedSubview(_:)
    stack.addArrangedSubview(UIView())
    //: insertArrangedSubview(_:at:)
    stack.insertArrangedSubview(UIView(), at: 0)
    //: removeArrangedSubview(_:)
    stack.removeArrangedSubview(UIView())
    //: setCustomSpacing(_:after:)
    stack.setCustomSpacing(4, after: UIView())
    //: customSpacing(after:)
    _ = stack.customSpacing(after: UIView())
    //: spacingUseDefault
    _ = UIStackView.spacingUseDefault
}

@MainActor func useMore() {
    //: spacingUseSystem
    _ = UIStackView.spacingUseSystem
}
