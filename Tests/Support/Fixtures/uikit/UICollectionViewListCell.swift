// Every member of UICollectionViewListCell that TraitKitUI has, each under its name; see docs/uikit.md.

import TraitKitUI

@MainActor func use() {
    //: init(frame:)
    let cell = UICollectionViewListCell(frame: .zero)
    //: defaultContentConfiguration()
    var content = cell.defaultContentConfiguration()
    content.text = "row"
    cell.contentConfiguration = content
}
