// Generic constraints, existentials and conformances of the program.

import TraitKitUI

//: constraint T: UIView
@MainActor func first<T: UIView>(_ type: T.Type, in view: UIView) -> T? {
    view as? T ?? view.subviews.lazy.compactMap { first(type, in: $0) }.first
}
//: constraint T: UIViewController
@MainActor func find<T: UIViewController>(_ type: T.Type, in root: UIViewController) -> T? {
    root as? T ?? root.children.lazy.compactMap { find(type, in: $0) }.first
}
//: constraint T: UITraitEnvironment
@MainActor func style<T: UITraitEnvironment>(of environment: T) -> UIUserInterfaceStyle {
    environment.traitCollection.userInterfaceStyle
}
//: some UITraitEnvironment
@MainActor func isDark(_ environment: some UITraitEnvironment) -> Bool {
    style(of: environment) == .dark
}
//: any UITraitEnvironment
@MainActor func scale(_ environment: any UITraitEnvironment) -> CGFloat {
    environment.traitCollection.displayScale
}
//: UITraitEnvironment without any
@MainActor func level(_ environment: UITraitEnvironment) -> UIUserInterfaceLevel {
    environment.traitCollection.userInterfaceLevel
}
//: UITraitEnvironment & UITraitChangeObservable
@MainActor func observe(_ object: any UITraitEnvironment & UITraitChangeObservable) {
    object.registerForTraitChanges([UITraitUserInterfaceStyle.self]) {
        (object: any UITraitEnvironment, previous: UITraitCollection) in
    }
}
//: some UITraitChangeObservable
@MainActor func follow(_ object: some UITraitChangeObservable & UIView) {
    object.registerForTraitChanges([UITraitDisplayScale.self]) { (view: UIView, _) in
        view.setNeedsLayout()
    }
}
//: constraint Value: UITraitDefinition
func value<Trait: UITraitDefinition>(_ trait: Trait.Type, in traits: UITraitCollection)
    -> Trait.Value
{
    traits[trait]
}
//: [UITrait]
let styles: [UITrait] = [UITraitUserInterfaceStyle.self, UITraitAccessibilityContrast.self]
//: UITraitCollection.systemTraitsAffectingColorAppearance
let colors: [UITrait] = UITraitCollection.systemTraitsAffectingColorAppearance
//: protocol that UIView conforms to
@MainActor protocol Themed: AnyObject { func applyTheme() }
extension UIView: Themed {
    func applyTheme() { for view in subviews { view.applyTheme() } }
}
//: protocol that is limited to UIViewController
@MainActor protocol Routed where Self: UIViewController {}
extension Routed { var depth: Int { navigationController?.viewControllers.count ?? 0 } }
final class RoutedController: UIViewController, Routed {}
//: protocol that refines UITraitEnvironment
@MainActor protocol Adaptive: UITraitEnvironment {}
extension Adaptive { var isCompact: Bool { traitCollection.horizontalSizeClass == .compact } }
final class AdaptiveView: UIView, Adaptive {}
//: class of the program that conforms to UITraitEnvironment
final class Reporter: UITraitEnvironment {
    var traitCollection: UITraitCollection { .current }
    func traitCollectionDidChange(_ previousTraitCollection: UITraitCollection?) {}
}
//: generic subclass of UIViewController
class Container<Content: UIView>: UIViewController {
    let content: Content
    init(_ content: Content) {
        self.content = content
        super.init(nibName: nil, bundle: nil)
    }
    @available(*, unavailable)
    required init?(coder: NSCoder) { fatalError() }
    override func loadView() { view = content }
}
//: generic subclass of UICollectionViewCell
class HostCell<Content: UIView>: UICollectionViewCell {
    var content: Content?
}
//: weak reference
final class Box<T: AnyObject> {
    weak var value: T?
    init(_ value: T) { self.value = value }
}
@MainActor func box(_ view: UIView) -> Box<UIView> { Box(view) }
//: key path to a view's property
@MainActor func set<T: UIView, V>(_ view: T, _ path: ReferenceWritableKeyPath<T, V>, _ value: V) {
    view[keyPath: path] = value
}
@MainActor func hide(_ view: UIView) { set(view, \.isHidden, true) }
//: delegate of a presentation
final class Delegate: NSObject, UIAdaptivePresentationControllerDelegate {
    func adaptivePresentationStyle(
        for controller: UIPresentationController, traitCollection: UITraitCollection
    ) -> UIModalPresentationStyle { .none }
}
//: delegate of a popover
final class PopoverDelegate: NSObject, UIPopoverPresentationControllerDelegate {
    func adaptivePresentationStyle(for controller: UIPresentationController)
        -> UIModalPresentationStyle
    { .none }
    func prepareForPopoverPresentation(
        _ popoverPresentationController: UIPopoverPresentationController
    ) {}
}
//: delegate of a transition
final class Transition: NSObject, UIViewControllerTransitioningDelegate {
    func presentationController(
        forPresented presented: UIViewController, presenting: UIViewController?,
        source: UIViewController
    ) -> UIPresentationController? {
        UIPresentationController(presentedViewController: presented, presenting: presenting)
    }
}
//: controller that is its own delegate
final class Presenter: UIViewController, UIPopoverPresentationControllerDelegate {
    func show(_ controller: UIViewController, from source: UIView) {
        controller.modalPresentationStyle = .popover
        controller.popoverPresentationController?.delegate = self
        controller.popoverPresentationController?.sourceView = source
        controller.popoverPresentationController?.permittedArrowDirections = [.up, .down]
        present(controller, animated: true)
    }
}
