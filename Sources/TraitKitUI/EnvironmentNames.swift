// UIKit's names of environments, of their parts, and of SwiftUI content in them.

/// The common superclass of all trait environments. The type is ``Responder``.
public typealias UIResponder = Responder

/// A window scene: the root of a trait hierarchy. The type is ``WindowScene``.
public typealias UIWindowScene = WindowScene

/// A window: inherits from its scene. The type is ``Window``.
public typealias UIWindow = Window

/// A presentation controller. The type is ``PresentationController``.
public typealias UIPresentationController = PresentationController

/// A view controller, as far as traits are concerned. The type is ``ViewController``.
public typealias UIViewController = ViewController

/// A view, as far as traits are concerned. The type is ``View``.
public typealias UIView = View

/// A button, as far as traits are concerned. The type is ``Button``.
public typealias UIButton = Button

/// A view that shows an image. The type is ``ImageView``.
public typealias UIImageView = ImageView

/// A collection view with a compositional layout. The type is ``CollectionView``.
public typealias UICollectionView = CollectionView

/// A cell of a collection view. The type is ``CollectionViewCell``.
public typealias UICollectionViewCell = CollectionViewCell

/// A layout that asks for its sections. The type is ``CollectionViewCompositionalLayout``.
public typealias UICollectionViewCompositionalLayout = CollectionViewCompositionalLayout

/// The environment for which a layout makes its sections. The type is
/// ``CollectionLayoutEnvironment``.
public typealias NSCollectionLayoutEnvironment = CollectionLayoutEnvironment

/// A section, reduced to its number of columns. The type is ``CollectionLayoutSection``.
public typealias NSCollectionLayoutSection = CollectionLayoutSection

/// Makes a section of a layout, by its number; nil for an empty section. The type is
/// ``CollectionViewCompositionalLayoutSectionProvider``.
public typealias UICollectionViewCompositionalLayoutSectionProvider =
    CollectionViewCompositionalLayoutSectionProvider

/// A view with a text, as far as traits are concerned. The type is ``Label``.
public typealias UILabel = Label

/// A view whose fonts can follow the text size. The type is ``ContentSizeCategoryAdjusting``.
public typealias UIContentSizeCategoryAdjusting = ContentSizeCategoryAdjusting

/// A part of a view that a change makes invalid. The type is ``ViewInvalidating``.
public typealias UIViewInvalidating = ViewInvalidating

/// A cell of a table. The type is ``TableViewCell``.
public typealias UITableViewCell = TableViewCell

/// A header or footer of a table. The type is ``TableViewHeaderFooterView``.
public typealias UITableViewHeaderFooterView = TableViewHeaderFooterView

/// The state for which a cell configures itself. The type is ``CellConfigurationState``.
public typealias UICellConfigurationState = CellConfigurationState

/// The state for which a controller without content configures itself. The type is
/// ``ContentUnavailableConfigurationState``.
public typealias UIContentUnavailableConfigurationState = ContentUnavailableConfigurationState

/// Makes the view that shows a cell's content. The type is ``ContentConfiguration``.
public typealias UIContentConfiguration = ContentConfiguration

/// Shows SwiftUI content in a cell. The type is ``HostingConfiguration``.
public typealias UIHostingConfiguration = HostingConfiguration

/// A controller whose view shows SwiftUI content. The type is ``HostingController``.
public typealias UIHostingController = HostingController

/// The screen of a scene. The type is ``Screen``.
public typealias UIScreen = Screen

/// A controller of columns, as far as traits are concerned. The type is ``SplitViewController``.
public typealias UISplitViewController = SplitViewController

/// A presentation as a sheet, for controllers whose `modalPresentationStyle` is one of a sheet. The
/// type is ``SheetPresentationController``.
public typealias UISheetPresentationController = SheetPresentationController

/// How a controller is presented, as far as traits differ. The type is ``ModalPresentationStyle``.
public typealias UIModalPresentationStyle = ModalPresentationStyle

/// Chooses how a presentation adapts to traits. The type is
/// ``AdaptivePresentationControllerDelegate``.
public typealias UIAdaptivePresentationControllerDelegate = AdaptivePresentationControllerDelegate

/// Makes the presentation controllers of controllers whose style is `custom`. The type is
/// ``ViewControllerTransitioningDelegate``.
public typealias UIViewControllerTransitioningDelegate = ViewControllerTransitioningDelegate

/// The inputs for computing the height of a sheet. The type is
/// ``SheetPresentationControllerDetentResolutionContext``.
public typealias UISheetPresentationControllerDetentResolutionContext =
    SheetPresentationControllerDetentResolutionContext

/// Takes the closures of a transition. The type is ``ViewControllerTransitionCoordinator``.
public typealias UIViewControllerTransitionCoordinator = ViewControllerTransitionCoordinator

/// The protocol of configuration states. The type is ``ConfigurationState``.
public typealias UIConfigurationState = ConfigurationState

/// The state for which a header or footer configures itself. The type is
/// ``ViewConfigurationState``.
public typealias UIViewConfigurationState = ViewConfigurationState

/// A type that has appearance proxies. The type is ``Appearance``.
public typealias UIAppearance = Appearance

/// A type that an appearance can name as a container of views: views and view controllers conform.
/// The type is ``AppearanceContainer``.
public typealias UIAppearanceContainer = AppearanceContainer

/// Whether the view is mirrored for languages that read from right to left. The type is
/// ``View.SemanticContentAttribute``.
public typealias UISemanticContentAttribute = View.SemanticContentAttribute

/// The direction of layout, as SwiftUI has it (`LayoutDirection`). The type is ``LayoutDirection``.
public typealias UIUserInterfaceLayoutDirection = LayoutDirection

/// SwiftUI content that is a view. The type is ``ViewRepresentable``.
public typealias UIViewRepresentable = ViewRepresentable

/// SwiftUI content that is a controller. The type is ``ViewControllerRepresentable``.
public typealias UIViewControllerRepresentable = ViewControllerRepresentable

/// The context of `makeUIView` and `updateUIView`. The type is ``ViewRepresentableContext``.
public typealias UIViewRepresentableContext = ViewRepresentableContext

/// The context of `makeUIViewController` and `updateUIViewController`. The type is
/// ``ViewControllerRepresentableContext``.
public typealias UIViewControllerRepresentableContext = ViewControllerRepresentableContext
