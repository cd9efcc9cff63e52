// Every member of NSLayoutConstraint that TraitKitUI has, each under its name; see docs/uikit.md.

import TraitKitUI

@MainActor func use(_ constraint: NSLayoutConstraint, _ view: UIView) {
    //: init(item:attribute:relatedBy:toItem:attribute:multiplier:constant:)
    _ = NSLayoutConstraint(
        item: view, attribute: .width, relatedBy: .equal, toItem: nil, attribute: .notAnAttribute,
        multiplier: 1, constant: 1)
    //: activate(_:)
    NSLayoutConstraint.activate([constraint])
    //: deactivate(_:)
    NSLayoutConstraint.deactivate([constraint])
    //: isActive
    constraint.isActive = true
    //: constant
    constraint.constant = 8
    //: priority
    constraint.priority = UILayoutPriority(999)
    //: identifier
    constraint.identifier = "a"
    //: multiplier
    _ = constraint.multiplier
    //: firstItem
    _ = constraint.firstItem
    //: secondItem
    _ = constraint.secondItem
    //: firstAttribute
    _ = constraint.firstAttribute == .width
    //: secondAttribute
    _ = constraint.secondAttribute == .notAnAttribute
    //: relation
    _ = constraint.relation == .equal
    //: Axis
    let axis: NSLayoutConstraint.Axis = .vertical
    _ = axis
}
