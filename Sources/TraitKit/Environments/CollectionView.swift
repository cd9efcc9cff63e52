// Collection views, as far as their layout depends on traits: the section provider is tracked.

public import Foundation

/// A collection view (`UICollectionView`) with a compositional layout.
open class CollectionView: View {
    /// What makes the sections; changing it asks for them again.
    public var collectionViewLayout: CollectionViewCompositionalLayout {
        didSet { setNeedsSections() }
    }
    /// How many sections there are; changing it asks for all of them again.
    public var numberOfSections = 0 {
        didSet { if numberOfSections != oldValue { setNeedsSections() } }
    }
    /// What the section provider made last.
    public private(set) var sections: [CollectionLayoutSection?] = []

    /// A collection view that stands nowhere yet.
    public init(frame: Rect, collectionViewLayout: CollectionViewCompositionalLayout) {
        self.collectionViewLayout = collectionViewLayout
        super.init(frame: frame)
        setNeedsSections()
    }

    /// Asks the layout for its sections again in the next update, and for a layout after it.
    private func setNeedsSections() {
        wait(for: .configuration)
        setNeedsLayout()
    }

    override func invalidate(_ method: TrackedMethod) {
        super.invalidate(method)
        if method == .sectionProvider { setNeedsSections() }
    }

    override func runConfiguration() {
        track(.sectionProvider) {
            let environment = CollectionLayoutEnvironment(traitCollection: traitCollection)
            sections = (0..<max(0, numberOfSections)).map {
                collectionViewLayout.sectionProvider($0, environment)
            }
        }
    }
}

/// A layout that asks for its sections (`UICollectionViewCompositionalLayout`).
@MainActor
public final class CollectionViewCompositionalLayout {
    let sectionProvider: @MainActor (Int, CollectionLayoutEnvironment) -> CollectionLayoutSection?

    /// - Parameter sectionProvider: makes a section, by its number. Traits that it reads from the
    ///   environment are tracked; when one changes, it is asked again (iOS 18).
    public init(
        sectionProvider:
            @escaping @MainActor (Int, CollectionLayoutEnvironment) -> CollectionLayoutSection?
    ) {
        self.sectionProvider = sectionProvider
    }
}

/// Where a layout makes its sections (`NSCollectionLayoutEnvironment`).
public struct CollectionLayoutEnvironment: Sendable {
    /// The collection view's traits.
    public let traitCollection: TraitCollection
}

/// A section (`NSCollectionLayoutSection`), as far as anything here depends on it.
public struct CollectionLayoutSection: Hashable, Sendable {
    /// How many columns the section has.
    public var columnCount: Int

    /// A section of so many columns.
    public init(columnCount: Int) {
        self.columnCount = columnCount
    }
}
