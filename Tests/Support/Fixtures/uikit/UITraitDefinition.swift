// Every member of UITraitDefinition that TraitKitUI has, each under its name; see docs/uikit.md.

import TraitKitUI

struct Mark: UITraitDefinition {
    static let defaultValue = 0
}

@MainActor func use() {
    //: Value
    let value: Mark.Value = 1
    _ = value
    //: defaultValue
    _ = Mark.defaultValue
    //: affectsColorAppearance
    let affects: Bool = Mark.affectsColorAppearance
    _ = affects
    //: name
    let name: String = Mark.name
    _ = name
    //: identifier
    let identifier: String = Mark.identifier
    _ = identifier
}
