// UIKit's names of the values, controls and items whose members only keep what they are given.

/// Distances from the four edges. The type is ``EdgeInsets``.
public typealias UIEdgeInsets = EdgeInsets

/// Distances from the edges, by the direction of text. The type is ``DirectionalEdgeInsets``.
public typealias NSDirectionalEdgeInsets = DirectionalEdgeInsets

/// Edges of a rectangle. The type is ``RectEdge``.
public typealias UIRectEdge = RectEdge

/// Corners of a layer. The type is ``CornerMask``.
public typealias CACornerMask = CornerMask

/// How text is aligned. The type is ``TextAlignment``.
public typealias NSTextAlignment = TextAlignment

/// What kind of element a view is. The type is ``AccessibilityTraits``.
public typealias UIAccessibilityTraits = AccessibilityTraits

/// How much a constraint weighs. The type is ``LayoutPriority``.
public typealias UILayoutPriority = LayoutPriority

/// A relation between two anchors. The type is ``LayoutConstraint``.
public typealias NSLayoutConstraint = LayoutConstraint

/// An edge from side to side. The type is ``LayoutAnchor``.
public typealias NSLayoutXAxisAnchor = LayoutAnchor<LayoutXAxis>

/// An edge from top to bottom. The type is ``LayoutAnchor``.
public typealias NSLayoutYAxisAnchor = LayoutAnchor<LayoutYAxis>

/// A width or a height. The type is ``LayoutAnchor``.
public typealias NSLayoutDimension = LayoutAnchor<LayoutDimension>

/// A rectangle that constraints may name. The type is ``LayoutGuide``.
public typealias UILayoutGuide = LayoutGuide

/// A row or a column of views. The type is ``StackView``.
public typealias UIStackView = StackView

/// The superclass of controls. The type is ``Control``.
public typealias UIControl = Control

/// A titled closure. The type is ``Action``.
public typealias UIAction = Action

/// A line of text. The type is ``TextField``.
public typealias UITextField = TextField

/// Decides about editing. The type is ``TextFieldDelegate``.
public typealias UITextFieldDelegate = TextFieldDelegate

/// What bars would show. The type is ``BarItem``.
public typealias UIBarItem = BarItem

/// A button in a bar. The type is ``BarButtonItem``.
public typealias UIBarButtonItem = BarButtonItem

/// What the navigation bar would show. The type is ``NavigationItem``.
public typealias UINavigationItem = NavigationItem

/// How a presentation would move. The type is ``ModalTransitionStyle``.
public typealias UIModalTransitionStyle = ModalTransitionStyle

/// The look of the status bar. The type is ``StatusBarStyle``.
public typealias UIStatusBarStyle = StatusBarStyle

/// An object that is asked about a scene. The type is ``SceneDelegate``.
public typealias UISceneDelegate = SceneDelegate

/// A delegate of a window scene. The type is ``WindowSceneDelegate``.
public typealias UIWindowSceneDelegate = WindowSceneDelegate

/// Is told when a split view controller collapses or expands. The type is
/// ``SplitViewControllerDelegate``.
public typealias UISplitViewControllerDelegate = SplitViewControllerDelegate

/// The looks of a navigation bar. The type is ``BarAppearance``.
public typealias UINavigationBarAppearance = BarAppearance

/// The looks of a tab bar. The type is ``BarAppearance``.
public typealias UITabBarAppearance = BarAppearance

/// The looks of a bar. The type is ``BarAppearance``.
public typealias UIBarAppearance = BarAppearance

/// What a tab bar would show. The type is ``TabBarItem``.
public typealias UITabBarItem = TabBarItem

/// The person's settings. The type is ``Accessibility``.
public typealias UIAccessibility = Accessibility

/// Is asked about the application. The type is ``ApplicationDelegate``.
public typealias UIApplicationDelegate = ApplicationDelegate

/// How a device may be held. The type is ``InterfaceOrientationMask``.
public typealias UIInterfaceOrientationMask = InterfaceOrientationMask

/// How lines break. The type is ``LineBreakMode``.
public typealias NSLineBreakMode = LineBreakMode

/// Edges of a rectangle, by the direction of text. The type is ``DirectionalRectEdge``.
public typealias NSDirectionalRectEdge = DirectionalRectEdge

/// The form of rounded corners. The type is ``LayerCornerCurve``.
public typealias CALayerCornerCurve = LayerCornerCurve

/// Chooses how a sheet adapts to traits. The type is ``SheetPresentationControllerDelegate``.
public typealias UISheetPresentationControllerDelegate = SheetPresentationControllerDelegate
