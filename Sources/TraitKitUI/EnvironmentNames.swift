// UIKit's names of environments, of their parts, and of SwiftUI content in them.

/// ``Responder`` under UIKit's name.
public typealias UIResponder = Responder

/// ``WindowScene`` under UIKit's name.
public typealias UIWindowScene = WindowScene

/// ``Window`` under UIKit's name.
public typealias UIWindow = Window

/// ``PresentationController`` under UIKit's name.
public typealias UIPresentationController = PresentationController

/// ``ViewController`` under UIKit's name.
public typealias UIViewController = ViewController

/// ``View`` under UIKit's name.
public typealias UIView = View

/// ``Button`` under UIKit's name.
public typealias UIButton = Button

/// ``ImageView`` under UIKit's name.
public typealias UIImageView = ImageView

/// ``CollectionView`` under UIKit's name.
public typealias UICollectionView = CollectionView

/// ``CollectionViewCell`` under UIKit's name.
public typealias UICollectionViewCell = CollectionViewCell

/// ``CollectionViewCompositionalLayout`` under UIKit's name.
public typealias UICollectionViewCompositionalLayout = CollectionViewCompositionalLayout

/// ``CollectionLayoutEnvironment`` under UIKit's name.
public typealias NSCollectionLayoutEnvironment = CollectionLayoutEnvironment

/// ``CollectionLayoutSection`` under UIKit's name.
public typealias NSCollectionLayoutSection = CollectionLayoutSection

/// ``CollectionViewCompositionalLayoutSectionProvider`` under UIKit's name.
public typealias UICollectionViewCompositionalLayoutSectionProvider =
    CollectionViewCompositionalLayoutSectionProvider

/// ``Label`` under UIKit's name.
public typealias UILabel = Label

/// ``ContentSizeCategoryAdjusting`` under UIKit's name.
public typealias UIContentSizeCategoryAdjusting = ContentSizeCategoryAdjusting

/// ``ViewInvalidating`` under UIKit's name.
public typealias UIViewInvalidating = ViewInvalidating

/// ``TableViewCell`` under UIKit's name.
public typealias UITableViewCell = TableViewCell

/// ``TableViewHeaderFooterView`` under UIKit's name.
public typealias UITableViewHeaderFooterView = TableViewHeaderFooterView

/// ``CellConfigurationState`` under UIKit's name.
public typealias UICellConfigurationState = CellConfigurationState

/// ``ContentUnavailableConfigurationState`` under UIKit's name.
public typealias UIContentUnavailableConfigurationState = ContentUnavailableConfigurationState

/// ``ContentConfiguration`` under UIKit's name.
public typealias UIContentConfiguration = ContentConfiguration

/// ``HostingConfiguration`` under UIKit's name.
public typealias UIHostingConfiguration = HostingConfiguration

/// ``HostingController`` under UIKit's name.
public typealias UIHostingController = HostingController

/// ``Screen`` under UIKit's name.
public typealias UIScreen = Screen

/// ``SplitViewController`` under UIKit's name.
public typealias UISplitViewController = SplitViewController

/// ``SheetPresentationController`` under UIKit's name.
public typealias UISheetPresentationController = SheetPresentationController

/// ``ModalPresentationStyle`` under UIKit's name.
public typealias UIModalPresentationStyle = ModalPresentationStyle

/// ``AdaptivePresentationControllerDelegate`` under UIKit's name.
public typealias UIAdaptivePresentationControllerDelegate = AdaptivePresentationControllerDelegate

/// ``ViewControllerTransitioningDelegate`` under UIKit's name.
public typealias UIViewControllerTransitioningDelegate = ViewControllerTransitioningDelegate

/// ``SheetPresentationControllerDetentResolutionContext`` under UIKit's name.
public typealias UISheetPresentationControllerDetentResolutionContext =
    SheetPresentationControllerDetentResolutionContext

/// ``ViewControllerTransitionCoordinator`` under UIKit's name.
public typealias UIViewControllerTransitionCoordinator = ViewControllerTransitionCoordinator

/// ``ConfigurationState`` under UIKit's name.
public typealias UIConfigurationState = ConfigurationState

/// ``ViewConfigurationState`` under UIKit's name.
public typealias UIViewConfigurationState = ViewConfigurationState

/// ``Appearance`` under UIKit's name.
public typealias UIAppearance = Appearance

/// ``AppearanceContainer`` under UIKit's name.
public typealias UIAppearanceContainer = AppearanceContainer

/// ``View.SemanticContentAttribute`` under UIKit's name.
public typealias UISemanticContentAttribute = View.SemanticContentAttribute

/// ``LayoutDirection`` under UIKit's name.
public typealias UIUserInterfaceLayoutDirection = LayoutDirection

/// ``ViewRepresentable`` under UIKit's name.
public typealias UIViewRepresentable = ViewRepresentable

/// ``ViewControllerRepresentable`` under UIKit's name.
public typealias UIViewControllerRepresentable = ViewControllerRepresentable

/// ``ViewRepresentableContext`` under UIKit's name.
public typealias UIViewRepresentableContext = ViewRepresentableContext

/// ``ViewControllerRepresentableContext`` under UIKit's name.
public typealias UIViewControllerRepresentableContext = ViewControllerRepresentableContext
