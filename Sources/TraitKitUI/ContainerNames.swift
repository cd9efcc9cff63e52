// UIKit's names of the application, its scenes, and the controllers that contain others.

/// The application. The type is ``Application``.
public typealias UIApplication = Application

/// The device. The type is ``Device``.
public typealias UIDevice = Device

/// A scene. The type is ``Scene``.
public typealias UIScene = Scene

/// The session of a scene. The type is ``SceneSession``.
public typealias UISceneSession = SceneSession

/// A controller of a stack. The type is ``NavigationController``.
public typealias UINavigationController = NavigationController

/// The bar of a navigation controller. The type is ``NavigationBar``.
public typealias UINavigationBar = NavigationBar

/// A controller of tabs. The type is ``TabBarController``.
public typealias UITabBarController = TabBarController

/// The bar of a tab bar controller. The type is ``TabBar``.
public typealias UITabBar = TabBar

/// A presentation as a popover. The type is ``PopoverPresentationController``.
public typealias UIPopoverPresentationController = PopoverPresentationController

/// Chooses how a popover adapts to traits. The type is
/// ``PopoverPresentationControllerDelegate``.
public typealias UIPopoverPresentationControllerDelegate = PopoverPresentationControllerDelegate

/// The sides of a popover. The type is ``PopoverPresentationController/ArrowDirection``.
public typealias UIPopoverArrowDirection = PopoverPresentationController.ArrowDirection

/// A cell of a list in a collection view. The type is ``CollectionViewListCell``.
public typealias UICollectionViewListCell = CollectionViewListCell

/// Texts and an image for a cell. The type is ``ListContentConfiguration``.
public typealias UIListContentConfiguration = ListContentConfiguration
