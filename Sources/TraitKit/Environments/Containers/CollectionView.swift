// Collection views, as far as their layout depends on traits: the section provider is tracked.

public import Foundation

/// A collection view (`UICollectionView`) with a compositional layout.
@preconcurrency @MainActor
open class CollectionView: View {
    /// The layout that makes the sections. A new layout is asked for all sections in the next
    /// update.
    open var collectionViewLayout: CollectionViewCompositionalLayout {
        didSet { setNeedsSections() }
    }
    /// How many sections there are. A new number asks the layout for all sections again.
    public var numberOfSections = 0 {
        didSet { if numberOfSections != oldValue { setNeedsSections() } }
    }
    /// The sections that the provider returned last.
    public private(set) var sections: [CollectionLayoutSection?] = []

    /// A collection view without a superview.
    public init(frame: Rect, collectionViewLayout: CollectionViewCompositionalLayout) {
        self.collectionViewLayout = collectionViewLayout
        super.init(frame: frame)
        setNeedsSections()
    }

    /// A collection view whose layout has no sections. Nothing is decoded: views are not archived.
    public required init?(coder: NSCoder) {
        collectionViewLayout = CollectionViewCompositionalLayout { _, _ in nil }
        super.init(coder: coder)
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

/// Makes a section of a layout, by its number; nil for an empty section
/// (`UICollectionViewCompositionalLayoutSectionProvider`).
public typealias CollectionViewCompositionalLayoutSectionProvider =
    @MainActor (Int, CollectionLayoutEnvironment) -> CollectionLayoutSection?

/// A layout that asks for its sections (`UICollectionViewCompositionalLayout`).
@preconcurrency @MainActor
public final class CollectionViewCompositionalLayout {
    let sectionProvider: CollectionViewCompositionalLayoutSectionProvider

    /// A layout with a section provider.
    ///
    /// - Parameter sectionProvider: makes a section, by its number. Traits that it reads from the
    ///   environment are tracked; when one changes, the provider runs again (iOS 18).
    public init(
        sectionProvider: @escaping CollectionViewCompositionalLayoutSectionProvider
    ) {
        self.sectionProvider = sectionProvider
    }
}

/// The environment for which a layout makes its sections (`NSCollectionLayoutEnvironment`).
public struct CollectionLayoutEnvironment: Sendable {
    /// The collection view's traits.
    public let traitCollection: TraitCollection
}

/// A section (`NSCollectionLayoutSection`), reduced to its number of columns.
public struct CollectionLayoutSection: Hashable, Sendable {
    /// How many columns the section has.
    public var columnCount: Int

    /// A section with a number of columns.
    public init(columnCount: Int) {
        self.columnCount = columnCount
    }
}
