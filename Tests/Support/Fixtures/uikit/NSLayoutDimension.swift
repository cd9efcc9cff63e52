// Every member of NSLayoutDimension that TraitKitUI has, each under its name; see docs/uikit.md.

import TraitKitUI

@MainActor func use(_ width: NSLayoutDimension, _ other: NSLayoutDimension) {
    //: constraint(equalTo:constant:)
    _ = width.constraint(equalTo: other, constant: 1)
    //: constraint(equalTo:multiplier:constant:)
    _ = width.constraint(equalTo: other, multiplier: 2, constant: 1)
    //: constraint(greaterThanOrEqualTo:constant:)
    _ = width.constraint(greaterThanOrEqualTo: other)
    //: constraint(lessThanOrEqualTo:constant:)
    _ = width.constraint(lessThanOrEqualTo: other)
    //: constraint(equalToConstant:)
    _ = width.constraint(equalToConstant: 1)
    //: constraint(greaterThanOrEqualToConstant:)
    _ = width.constraint(greaterThanOrEqualToConstant: 1)
    //: constraint(lessThanOrEqualToConstant:)
    _ = width.constraint(lessThanOrEqualToConstant: 1)
}
