// Every member of UIControl that TraitKitUI has, each under its name; see docs/uikit.md.

import TraitKitUI

@MainActor func use(_ control: UIControl) {
    //: isEnabled
    control.isEnabled = false
    //: isSelected
    control.isSelected = true
    //: isHighlighted
    control.isHighlighted = true
    //: state
    _ = control.state == .normal
    //: State
    let states: UIControl.State = [.selected, .highlighted, .disabled]
    _ = states
    //: Event
    let events: UIControl.Event = [.touchUpInside, .valueChanged]
    _ = events
    //: addAction(_:for:)
    control.addAction(UIAction { _ in }, for: .touchUpInside)
    //: sendActions(for:)
    control.sendActions(for: .valueChanged)
}
