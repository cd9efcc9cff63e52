// A grid whose columns follow the width and the text size.

import TraitKitUI

final class CompositionalGrid: UIViewController {
    private(set) var requests = 0
    private(set) lazy var collectionView = UICollectionView(
        frame: view.bounds, collectionViewLayout: makeLayout())

    override func viewDidLoad() {
        super.viewDidLoad()
        collectionView.numberOfSections = 2
        collectionView.backgroundColor = .systemGroupedBackground
        view.addSubview(collectionView)
    }

    private func makeLayout() -> UICollectionViewCompositionalLayout {
        UICollectionViewCompositionalLayout { [weak self] section, environment in
            self?.requests += 1
            let traits = environment.traitCollection
            let isCompact = traits.horizontalSizeClass == .compact
            let isLarge = traits.preferredContentSizeCategory.isAccessibilityCategory
            return NSCollectionLayoutSection(
                columnCount: isLarge ? 1 : isCompact ? 2 : section == 0 ? 3 : 4)
        }
    }
}
