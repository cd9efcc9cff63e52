// What subclasses override, with the calls of `super`. Each part is a form of its own.

import TraitKitUI

//: UIWindow.init(windowScene:)
class SceneWindow: UIWindow {
    override init(windowScene: UIWindowScene) {
        super.init(windowScene: windowScene)
    }
    required init?(coder: NSCoder) { super.init(coder: coder) }
}
//: UIWindow.init(frame:)
class FrameWindow: UIWindow {
    override init(frame: CGRect) { super.init(frame: frame) }
    @available(*, unavailable)
    required init?(coder: NSCoder) { fatalError() }
}
//: UIWindow.traitCollectionDidChange(_:)
class ListeningWindow: UIWindow {
    override func traitCollectionDidChange(_ previousTraitCollection: UITraitCollection?) {
        super.traitCollectionDidChange(previousTraitCollection)
    }
}
//: UIWindow.makeKeyAndVisible()
class LoudWindow: UIWindow {
    override func makeKeyAndVisible() { super.makeKeyAndVisible() }
}
//: UIViewController.init(nibName:bundle:)
class NamedController: UIViewController {
    override init(nibName nibNameOrNil: String?, bundle nibBundleOrNil: Bundle?) {
        super.init(nibName: nibNameOrNil, bundle: nibBundleOrNil)
    }
    required init?(coder: NSCoder) { super.init(coder: coder) }
}
//: UIViewController.init() by super.init(nibName:bundle:)
class PlainController: UIViewController {
    let content: UIView
    init(content: UIView) {
        self.content = content
        super.init(nibName: nil, bundle: nil)
    }
    required init?(coder: NSCoder) { fatalError("init(coder:) has not been implemented") }
}
//: UIViewController.loadView()
class LoadingController: UIViewController {
    override func loadView() { view = SceneView() }
}
//: UIViewController.viewDidLoad()
class LoadedController: UIViewController {
    override func viewDidLoad() {
        super.viewDidLoad()
        view.backgroundColor = .systemBackground
    }
}
//: UIViewController.viewWillAppear(_:)
class LifeController: UIViewController {
    override func viewWillAppear(_ animated: Bool) { super.viewWillAppear(animated) }
    //: UIViewController.viewIsAppearing(_:)
    override func viewIsAppearing(_ animated: Bool) { super.viewIsAppearing(animated) }
    //: UIViewController.viewDidAppear(_:)
    override func viewDidAppear(_ animated: Bool) { super.viewDidAppear(animated) }
    //: UIViewController.viewWillDisappear(_:)
    override func viewWillDisappear(_ animated: Bool) { super.viewWillDisappear(animated) }
    //: UIViewController.viewDidDisappear(_:)
    override func viewDidDisappear(_ animated: Bool) { super.viewDidDisappear(animated) }
    //: UIViewController.viewWillLayoutSubviews()
    override func viewWillLayoutSubviews() { super.viewWillLayoutSubviews() }
    //: UIViewController.viewDidLayoutSubviews()
    override func viewDidLayoutSubviews() { super.viewDidLayoutSubviews() }
    //: UIViewController.updateViewConstraints()
    override func updateViewConstraints() { super.updateViewConstraints() }
    //: UIViewController.updateProperties()
    override func updateProperties() { super.updateProperties() }
    //: UIViewController.traitCollectionDidChange(_:)
    override func traitCollectionDidChange(_ previousTraitCollection: UITraitCollection?) {
        super.traitCollectionDidChange(previousTraitCollection)
        guard previousTraitCollection?.userInterfaceStyle != traitCollection.userInterfaceStyle
        else { return }
    }
    //: UIViewController.willTransition(to:with:)
    override func willTransition(
        to newCollection: UITraitCollection,
        with coordinator: UIViewControllerTransitionCoordinator
    ) {
        super.willTransition(to: newCollection, with: coordinator)
        coordinator.animate(alongsideTransition: { _ in }, completion: nil)
    }
    //: UIViewController.viewWillTransition(to:with:)
    override func viewWillTransition(
        to size: CGSize, with coordinator: UIViewControllerTransitionCoordinator
    ) {
        super.viewWillTransition(to: size, with: coordinator)
        coordinator.animate { _ in
        } completion: { _ in
        }
    }
    //: UIViewController.overrideTraitCollection(forChild:)
    override func overrideTraitCollection(
        forChild childViewController: UIViewController
    ) -> UITraitCollection? {
        UITraitCollection(traitsFrom: [
            super.overrideTraitCollection(forChild: childViewController) ?? UITraitCollection(),
            UITraitCollection(horizontalSizeClass: .compact),
        ])
    }
    //: UIViewController.setOverrideTraitCollection(_:forChild:)
    override func setOverrideTraitCollection(
        _ collection: UITraitCollection?, forChild childViewController: UIViewController
    ) {
        super.setOverrideTraitCollection(collection, forChild: childViewController)
    }
    //: UIViewController.addChild(_:)
    override func addChild(_ childController: UIViewController) {
        super.addChild(childController)
    }
    //: UIViewController.removeFromParent()
    override func removeFromParent() { super.removeFromParent() }
    //: UIViewController.willMove(toParent:)
    override func willMove(toParent parent: UIViewController?) { super.willMove(toParent: parent) }
    //: UIViewController.didMove(toParent:)
    override func didMove(toParent parent: UIViewController?) { super.didMove(toParent: parent) }
    //: UIViewController.present(_:animated:completion:)
    override func present(
        _ viewControllerToPresent: UIViewController, animated flag: Bool,
        completion: (() -> Void)? = nil
    ) {
        super.present(viewControllerToPresent, animated: flag, completion: completion)
    }
    //: UIViewController.dismiss(animated:completion:)
    override func dismiss(animated flag: Bool, completion: (() -> Void)? = nil) {
        super.dismiss(animated: flag, completion: completion)
    }
    //: UIViewController.overrideUserInterfaceStyle
    override var overrideUserInterfaceStyle: UIUserInterfaceStyle {
        didSet { setNeedsUpdateProperties() }
    }
    //: UIViewController.traitCollection
    override var traitCollection: UITraitCollection { super.traitCollection }
    //: UIViewController.modalPresentationStyle
    override var modalPresentationStyle: UIModalPresentationStyle {
        get { .formSheet }
        set {}
    }
    //: UIViewController.beginAppearanceTransition(_:animated:)
    override func beginAppearanceTransition(_ isAppearing: Bool, animated: Bool) {
        super.beginAppearanceTransition(isAppearing, animated: animated)
    }
    //: UIViewController.endAppearanceTransition()
    override func endAppearanceTransition() { super.endAppearanceTransition() }
    //: UIViewController.shouldAutomaticallyForwardAppearanceMethods
    override var shouldAutomaticallyForwardAppearanceMethods: Bool { false }
    //: UIViewController.preferredContentSize
    override var preferredContentSize: CGSize {
        get { CGSize(width: 1, height: 1) }
        set { super.preferredContentSize = newValue }
    }
    //: UIViewController.title
    override var title: String? { didSet {} }
    //: UIViewController.presentedViewController
    override var presentedViewController: UIViewController? { super.presentedViewController }
    //: UIViewController.navigationController
    override var navigationController: UINavigationController? { super.navigationController }
    //: UIViewController.next
    override var next: UIResponder? { super.next }
    //: UIViewController.view
    override var view: UIView! {
        get { super.view }
        set { super.view = newValue }
    }
    //: UIViewController.updateTraitsIfNeeded()
    override func updateTraitsIfNeeded() { super.updateTraitsIfNeeded() }
    //: UIViewController.updateContentUnavailableConfiguration(using:)
    override func updateContentUnavailableConfiguration(
        using state: UIContentUnavailableConfigurationState
    ) {
        super.updateContentUnavailableConfiguration(using: state)
    }
}
//: UIView.init(frame:)
class SceneView: UIView {
    override init(frame: CGRect) {
        super.init(frame: frame)
        registerForTraitChanges([UITraitUserInterfaceStyle.self]) {
            (self: Self, previousTraitCollection: UITraitCollection) in
            self.setNeedsDisplay()
        }
    }
    //: UIView.init(coder:)
    required init?(coder: NSCoder) { super.init(coder: coder) }
    //: UIView.layoutSubviews()
    override func layoutSubviews() { super.layoutSubviews() }
    //: UIView.updateConstraints()
    override func updateConstraints() { super.updateConstraints() }
    //: UIView.updateProperties()
    override func updateProperties() { super.updateProperties() }
    //: UIView.draw(_:)
    override func draw(_ rect: CGRect) { super.draw(rect) }
    //: UIView.tintColorDidChange()
    override func tintColorDidChange() { super.tintColorDidChange() }
    //: UIView.tintColor
    override var tintColor: UIColor! { didSet { setNeedsDisplay() } }
    //: UIView.backgroundColor
    override var backgroundColor: UIColor? { didSet { setNeedsDisplay() } }
    //: UIView.willMove(toWindow:)
    override func willMove(toWindow newWindow: UIWindow?) { super.willMove(toWindow: newWindow) }
    //: UIView.didMoveToWindow()
    override func didMoveToWindow() { super.didMoveToWindow() }
    //: UIView.willMove(toSuperview:)
    override func willMove(toSuperview newSuperview: UIView?) {
        super.willMove(toSuperview: newSuperview)
    }
    //: UIView.didMoveToSuperview()
    override func didMoveToSuperview() { super.didMoveToSuperview() }
    //: UIView.didAddSubview(_:)
    override func didAddSubview(_ subview: UIView) { super.didAddSubview(subview) }
    //: UIView.willRemoveSubview(_:)
    override func willRemoveSubview(_ subview: UIView) { super.willRemoveSubview(subview) }
    //: UIView.addSubview(_:)
    override func addSubview(_ view: UIView) { super.addSubview(view) }
    //: UIView.removeFromSuperview()
    override func removeFromSuperview() { super.removeFromSuperview() }
    //: UIView.layerClass
    override class var layerClass: AnyClass { CAGradientLayer.self }
    //: UIView.isHidden
    override var isHidden: Bool { didSet {} }
    //: UIView.alpha
    override var alpha: CGFloat { didSet {} }
    //: UIView.isUserInteractionEnabled
    override var isUserInteractionEnabled: Bool {
        get { true }
        set {}
    }
    //: UIView.tag
    override var tag: Int { didSet {} }
    //: UIView.frame
    override var frame: CGRect { didSet {} }
    //: UIView.bounds
    override var bounds: CGRect { didSet {} }
    //: UIView.traitCollection
    override var traitCollection: UITraitCollection { super.traitCollection }
    //: UIView.traitCollectionDidChange(_:)
    override func traitCollectionDidChange(_ previousTraitCollection: UITraitCollection?) {
        super.traitCollectionDidChange(previousTraitCollection)
    }
    //: UIView.overrideUserInterfaceStyle
    override var overrideUserInterfaceStyle: UIUserInterfaceStyle { didSet {} }
    //: UIView.setNeedsLayout()
    override func setNeedsLayout() { super.setNeedsLayout() }
    //: UIView.layoutIfNeeded()
    override func layoutIfNeeded() { super.layoutIfNeeded() }
    //: UIView.setNeedsDisplay()
    override func setNeedsDisplay() { super.setNeedsDisplay() }
    //: UIView.next
    override var next: UIResponder? { super.next }
    //: UIView.semanticContentAttribute
    override var semanticContentAttribute: UISemanticContentAttribute { didSet {} }
    //: UIView.window
    override var window: UIWindow? { super.window }
}
//: UIView.init() by super.init(frame:)
class Chip: UIView {
    init() { super.init(frame: .zero) }
    required init?(coder: NSCoder) { fatalError("init(coder:) has not been implemented") }
}
//: UIView.init(frame:) as convenience
class Badge: UIView {
    convenience init(text: String) { self.init(frame: .zero) }
}
//: UITableViewCell.init(style:reuseIdentifier:)
class Row: UITableViewCell {
    override init(style: UITableViewCell.CellStyle, reuseIdentifier: String?) {
        super.init(style: style, reuseIdentifier: reuseIdentifier)
    }
    required init?(coder: NSCoder) { super.init(coder: coder) }
    //: UITableViewCell.prepareForReuse()
    override func prepareForReuse() { super.prepareForReuse() }
    //: UITableViewCell.updateConfiguration(using:)
    override func updateConfiguration(using state: UICellConfigurationState) {
        super.updateConfiguration(using: state)
        var content = defaultContentConfiguration()
        content.text = "row"
        contentConfiguration = content
    }
    //: UITableViewCell.isSelected
    override var isSelected: Bool { didSet {} }
}
//: UITableViewHeaderFooterView.init(reuseIdentifier:)
class Header: UITableViewHeaderFooterView {
    override init(reuseIdentifier: String?) { super.init(reuseIdentifier: reuseIdentifier) }
    required init?(coder: NSCoder) { super.init(coder: coder) }
}
//: UICollectionViewCell.init(frame:)
class Tile: UICollectionViewCell {
    override init(frame: CGRect) { super.init(frame: frame) }
    required init?(coder: NSCoder) { super.init(coder: coder) }
    //: UICollectionViewCell.prepareForReuse()
    override func prepareForReuse() { super.prepareForReuse() }
    //: UICollectionViewCell.updateConfiguration(using:)
    override func updateConfiguration(using state: UICellConfigurationState) {
        super.updateConfiguration(using: state)
    }
}
//: UICollectionViewListCell.updateConfiguration(using:)
class ListRow: UICollectionViewListCell {
    override func updateConfiguration(using state: UICellConfigurationState) {
        var content = defaultContentConfiguration().updated(for: state)
        content.secondaryText = "row"
        contentConfiguration = content
    }
}
//: UINavigationController.init(rootViewController:)
class Stack: UINavigationController {
    override init(rootViewController: UIViewController) {
        super.init(rootViewController: rootViewController)
    }
    required init?(coder: NSCoder) { super.init(coder: coder) }
    //: UINavigationController.pushViewController(_:animated:)
    override func pushViewController(_ viewController: UIViewController, animated: Bool) {
        super.pushViewController(viewController, animated: animated)
    }
    //: UINavigationController.popViewController(animated:)
    override func popViewController(animated: Bool) -> UIViewController? {
        super.popViewController(animated: animated)
    }
    //: UINavigationController.setViewControllers(_:animated:)
    override func setViewControllers(_ viewControllers: [UIViewController], animated: Bool) {
        super.setViewControllers(viewControllers, animated: animated)
    }
}
//: UITabBarController.viewDidLoad()
class Tabs: UITabBarController {
    override func viewDidLoad() {
        super.viewDidLoad()
        viewControllers = [UIViewController(), UINavigationController()]
    }
    //: UITabBarController.selectedIndex
    override var selectedIndex: Int { didSet {} }
}
//: UISplitViewController.init(style:)
class Split: UISplitViewController {
    override init(style: UISplitViewController.Style) { super.init(style: style) }
    required init?(coder: NSCoder) { super.init(coder: coder) }
}
//: UIPresentationController.init(presentedViewController:presenting:)
class Overlay: UIPresentationController {
    override init(
        presentedViewController: UIViewController,
        presenting presentingViewController: UIViewController?
    ) {
        super.init(
            presentedViewController: presentedViewController, presenting: presentingViewController)
    }
    //: UIPresentationController.presentationTransitionWillBegin()
    override func presentationTransitionWillBegin() { super.presentationTransitionWillBegin() }
    //: UIPresentationController.containerViewWillLayoutSubviews()
    override func containerViewWillLayoutSubviews() { super.containerViewWillLayoutSubviews() }
    //: UIPresentationController.overrideTraitCollection
    override var overrideTraitCollection: UITraitCollection? { didSet {} }
}
//: UIButton.updateConfiguration()
class Push: UIButton {
    override func updateConfiguration() { super.updateConfiguration() }
    //: UIButton.isHighlighted
    override var isHighlighted: Bool { didSet {} }
}
//: UILabel.font
class Caption: UILabel {
    override var font: UIFont! { didSet {} }
    //: UILabel.textColor
    override var textColor: UIColor! { didSet {} }
    //: UILabel.text
    override var text: String? { didSet {} }
}
//: UIImageView.image
class Photo: UIImageView {
    override var image: UIImage? { didSet {} }
}
//: UISheetPresentationControllerDelegate beside UIAdaptivePresentationControllerDelegate
class Presenter: NSObject, UIAdaptivePresentationControllerDelegate,
    UISheetPresentationControllerDelegate, UIPopoverPresentationControllerDelegate
{}
