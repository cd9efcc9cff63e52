// Every member of UICollectionViewCompositionalLayout that TraitKitUI has, each under its name; see docs/uikit.md.

import TraitKitUI

@MainActor func use() {
    //: init(sectionProvider:)
    let layout = UICollectionViewCompositionalLayout {
        (section: Int, environment: NSCollectionLayoutEnvironment) in
        environment.traitCollection.horizontalSizeClass == .compact
            ? nil : NSCollectionLayoutSection(columnCount: 2)
    }
    _ = layout
    //: UICollectionViewCompositionalLayoutSectionProvider
    let provider: UICollectionViewCompositionalLayoutSectionProvider = { _, _ in nil }
    _ = UICollectionViewCompositionalLayout(sectionProvider: provider)
}
