// What subclasses override of the members that keep a value, and how public code uses these members.
// Each part is a form of its own.

import TraitKitUI

//: UIView.clipsToBounds
class KeptView: UIView {
    override var clipsToBounds: Bool { didSet {} }
    //: UIView.isOpaque
    override var isOpaque: Bool { didSet {} }
    //: UIView.contentMode
    override var contentMode: UIView.ContentMode { didSet {} }
    //: UIView.autoresizingMask
    override var autoresizingMask: UIView.AutoresizingMask { didSet {} }
    //: UIView.translatesAutoresizingMaskIntoConstraints
    override var translatesAutoresizingMaskIntoConstraints: Bool { didSet {} }
    //: UIView.safeAreaInsets
    override var safeAreaInsets: UIEdgeInsets { didSet {} }
    //: UIView.layoutMargins
    override var layoutMargins: UIEdgeInsets { didSet {} }
    //: UIView.directionalLayoutMargins
    override var directionalLayoutMargins: NSDirectionalEdgeInsets { didSet {} }
    //: UIView.accessibilityIdentifier
    override var accessibilityIdentifier: String? { didSet {} }
    //: UIView.accessibilityLabel
    override var accessibilityLabel: String? { didSet {} }
    //: UIView.accessibilityHint
    override var accessibilityHint: String? { didSet {} }
    //: UIView.accessibilityValue
    override var accessibilityValue: String? { didSet {} }
    //: UIView.isAccessibilityElement
    override var isAccessibilityElement: Bool { didSet {} }
    //: UIView.accessibilityTraits
    override var accessibilityTraits: UIAccessibilityTraits { didSet {} }
    //: UIView.intrinsicContentSize
    override var intrinsicContentSize: CGSize { super.intrinsicContentSize }
    //: UIView.sizeThatFits(_:)
    override func sizeThatFits(_ size: CGSize) -> CGSize { super.sizeThatFits(size) }
    //: UIView.safeAreaInsetsDidChange()
    override func safeAreaInsetsDidChange() { super.safeAreaInsetsDidChange() }
    //: UIView.layoutMarginsDidChange()
    override func layoutMarginsDidChange() { super.layoutMarginsDidChange() }
    //: UIView.awakeFromNib()
    override func awakeFromNib() { super.awakeFromNib() }
    //: UIView.canBecomeFirstResponder
    override var canBecomeFirstResponder: Bool { true }
    //: UIView.accessibilityElements
    override var accessibilityElements: [Any]? { didSet {} }
    //: UIView.shouldGroupAccessibilityChildren
    override var shouldGroupAccessibilityChildren: Bool { didSet {} }
    //: UIView.accessibilityActivate()
    override func accessibilityActivate() -> Bool { super.accessibilityActivate() }
    //: UIView.showsLargeContentViewer
    override var showsLargeContentViewer: Bool { didSet {} }
    //: UIView.largeContentTitle
    override var largeContentTitle: String? { didSet {} }
    //: UIView.preservesSuperviewLayoutMargins
    override var preservesSuperviewLayoutMargins: Bool { didSet {} }
    //: UIView.tintAdjustmentMode
    override var tintAdjustmentMode: UIView.TintAdjustmentMode { didSet {} }
}
//: UIViewController.hidesBottomBarWhenPushed
class KeptController: UIViewController {
    override var hidesBottomBarWhenPushed: Bool { didSet {} }
    //: UIViewController.edgesForExtendedLayout
    override var edgesForExtendedLayout: UIRectEdge { didSet {} }
    //: UIViewController.isModalInPresentation
    override var isModalInPresentation: Bool { didSet {} }
    //: UIViewController.definesPresentationContext
    override var definesPresentationContext: Bool { didSet {} }
    //: UIViewController.modalTransitionStyle
    override var modalTransitionStyle: UIModalTransitionStyle { didSet {} }
    //: UIViewController.isEditing
    override var isEditing: Bool { didSet {} }
    //: UIViewController.tabBarItem
    override var tabBarItem: UITabBarItem! {
        get { super.tabBarItem }
        set { super.tabBarItem = newValue }
    }
    //: UIViewController.additionalSafeAreaInsets
    override var additionalSafeAreaInsets: UIEdgeInsets { didSet {} }
    //: UIViewController.childForStatusBarStyle
    override var childForStatusBarStyle: UIViewController? { children.first }
    //: UIViewController.childForStatusBarHidden
    override var childForStatusBarHidden: UIViewController? { children.first }
    //: UIViewController.supportedInterfaceOrientations
    override var supportedInterfaceOrientations: UIInterfaceOrientationMask {
        [.portrait, .landscapeLeft]
    }
    //: UIViewController.shouldAutorotate
    override var shouldAutorotate: Bool { false }
    //: UIViewController.prefersHomeIndicatorAutoHidden
    override var prefersHomeIndicatorAutoHidden: Bool { true }
    //: UIViewController.navigationItem
    override var navigationItem: UINavigationItem { super.navigationItem }
    //: UIViewController.setEditing(_:animated:)
    override func setEditing(_ editing: Bool, animated: Bool) {
        super.setEditing(editing, animated: animated)
    }
    //: UIViewController.preferredStatusBarStyle
    override var preferredStatusBarStyle: UIStatusBarStyle { .lightContent }
    //: UIViewController.prefersStatusBarHidden
    override var prefersStatusBarHidden: Bool { true }
    //: UIViewController.setNeedsStatusBarAppearanceUpdate()
    override func setNeedsStatusBarAppearanceUpdate() { super.setNeedsStatusBarAppearanceUpdate() }
    //: UIViewController.didReceiveMemoryWarning()
    override func didReceiveMemoryWarning() { super.didReceiveMemoryWarning() }
    //: UIViewController.viewSafeAreaInsetsDidChange()
    override func viewSafeAreaInsetsDidChange() { super.viewSafeAreaInsetsDidChange() }
    //: UIViewController.awakeFromNib()
    override func awakeFromNib() { super.awakeFromNib() }
    //: UIViewController.canBecomeFirstResponder
    override var canBecomeFirstResponder: Bool { true }
}
//: UIControl.isEnabled
class KeptControl: UIControl {
    override var isEnabled: Bool { didSet {} }
    //: UIControl.isSelected
    override var isSelected: Bool { didSet {} }
    //: UIControl.isHighlighted
    override var isHighlighted: Bool { didSet {} }
    //: UIControl.state
    override var state: UIControl.State { super.state }
    //: UIControl.addAction(_:for:)
    override func addAction(_ action: UIAction, for controlEvents: UIControl.Event) {
        super.addAction(action, for: controlEvents)
    }
    //: UIControl.sendActions(for:)
    override func sendActions(for controlEvents: UIControl.Event) {
        super.sendActions(for: controlEvents)
    }
}
//: UITextField.text
class KeptField: UITextField {
    override var text: String? { didSet {} }
    //: UITextField.placeholder
    override var placeholder: String? { didSet {} }
    //: UITextField.font
    override var font: UIFont? { didSet {} }
    //: UITextField.textColor
    override var textColor: UIColor? { didSet {} }
    //: UITextField.textAlignment
    override var textAlignment: NSTextAlignment { didSet {} }
    //: UITextField.borderStyle
    override var borderStyle: UITextField.BorderStyle { didSet {} }
    //: UITextField.isSecureTextEntry
    override var isSecureTextEntry: Bool { didSet {} }
    //: UITextField.adjustsFontForContentSizeCategory
    override var adjustsFontForContentSizeCategory: Bool { didSet {} }
}
//: UILabel.numberOfLines
class KeptLabel: UILabel {
    override var numberOfLines: Int { didSet {} }
    //: UILabel.textAlignment
    override var textAlignment: NSTextAlignment { didSet {} }
    //: UILabel.isHighlighted
    override var isHighlighted: Bool { didSet {} }
    //: UILabel.highlightedTextColor
    override var highlightedTextColor: UIColor? { didSet {} }
    //: UILabel.isEnabled
    override var isEnabled: Bool { didSet {} }
    //: UILabel.adjustsFontForContentSizeCategory
    override var adjustsFontForContentSizeCategory: Bool { didSet {} }
}
//: UIStackView.axis
class KeptStack: UIStackView {
    override var axis: NSLayoutConstraint.Axis { didSet {} }
    //: UIStackView.alignment
    override var alignment: UIStackView.Alignment { didSet {} }
    //: UIStackView.distribution
    override var distribution: UIStackView.Distribution { didSet {} }
    //: UIStackView.spacing
    override var spacing: CGFloat { didSet {} }
    //: UIStackView.isLayoutMarginsRelativeArrangement
    override var isLayoutMarginsRelativeArrangement: Bool { didSet {} }
    //: UIStackView.addArrangedSubview(_:)
    override func addArrangedSubview(_ view: UIView) { super.addArrangedSubview(view) }
    //: UIStackView.insertArrangedSubview(_:at:)
    override func insertArrangedSubview(_ view: UIView, at stackIndex: Int) {
        super.insertArrangedSubview(view, at: stackIndex)
    }
    //: UIStackView.removeArrangedSubview(_:)
    override func removeArrangedSubview(_ view: UIView) { super.removeArrangedSubview(view) }
    //: UIStackView.init(frame:)
    override init(frame: CGRect) { super.init(frame: frame) }
    //: UIStackView.init(coder:)
    required init?(coder: NSCoder) { super.init(coder: coder) }
}
//: UITableViewCell.accessoryType
class KeptCell: UITableViewCell {
    override var accessoryType: UITableViewCell.AccessoryType { didSet {} }
    //: UITableViewCell.accessoryView
    override var accessoryView: UIView? { didSet {} }
    //: UITableViewCell.backgroundView
    override var backgroundView: UIView? { didSet {} }
    //: UITableViewCell.selectedBackgroundView
    override var selectedBackgroundView: UIView? { didSet {} }
    //: UITableViewCell.isHighlighted
    override var isHighlighted: Bool { didSet {} }
    //: UITableViewCell.setSelected(_:animated:)
    override func setSelected(_ selected: Bool, animated: Bool) {
        super.setSelected(selected, animated: animated)
    }
    //: UITableViewCell.setHighlighted(_:animated:)
    override func setHighlighted(_ highlighted: Bool, animated: Bool) {
        super.setHighlighted(highlighted, animated: animated)
    }
}
//: UIWindow.windowLevel
class KeptWindow: UIWindow {
    override var windowLevel: UIWindow.Level { didSet {} }
}
//: UINavigationItem.title
class KeptItem: UINavigationItem {
    override var title: String? { didSet {} }
    //: UINavigationItem.prompt
    override var prompt: String? { didSet {} }
    //: UINavigationItem.titleView
    override var titleView: UIView? { didSet {} }
    //: UINavigationItem.backButtonTitle
    override var backButtonTitle: String? { didSet {} }
    //: UINavigationItem.hidesBackButton
    override var hidesBackButton: Bool { didSet {} }
    //: UINavigationItem.largeTitleDisplayMode
    override var largeTitleDisplayMode: UINavigationItem.LargeTitleDisplayMode { didSet {} }
    //: UINavigationItem.leftBarButtonItems
    override var leftBarButtonItems: [UIBarButtonItem]? { didSet {} }
    //: UINavigationItem.rightBarButtonItems
    override var rightBarButtonItems: [UIBarButtonItem]? { didSet {} }
    //: UINavigationItem.leftBarButtonItem
    override var leftBarButtonItem: UIBarButtonItem? { didSet {} }
    //: UINavigationItem.rightBarButtonItem
    override var rightBarButtonItem: UIBarButtonItem? { didSet {} }
}
//: UIBarButtonItem.title
class KeptBarButton: UIBarButtonItem {
    override var title: String? { didSet {} }
    //: UIBarButtonItem.image
    override var image: UIImage? { didSet {} }
    //: UIBarButtonItem.isEnabled
    override var isEnabled: Bool { didSet {} }
    //: UIBarButtonItem.tag
    override var tag: Int { didSet {} }
    //: UIBarButtonItem.tintColor
    override var tintColor: UIColor? { didSet {} }
    //: UIBarButtonItem.width
    override var width: CGFloat { didSet {} }
    //: UIBarButtonItem.customView
    override var customView: UIView? { didSet {} }
    //: UIBarButtonItem.primaryAction
    override var primaryAction: UIAction? { didSet {} }
    //: UIBarButtonItem.accessibilityLabel
    override var accessibilityLabel: String? { didSet {} }
    //: UIBarButtonItem.accessibilityIdentifier
    override var accessibilityIdentifier: String? { didSet {} }
}
//: NSLayoutConstraint.constant
class KeptConstraint: NSLayoutConstraint {
    override var constant: CGFloat { didSet {} }
    //: NSLayoutConstraint.priority
    override var priority: UILayoutPriority { didSet {} }
    //: NSLayoutConstraint.identifier
    override var identifier: String? { didSet {} }
    //: NSLayoutConstraint.isActive
    override var isActive: Bool { didSet {} }
}
//: CALayer.backgroundColor
class KeptLayer: CALayer {
    override var backgroundColor: CGColor? { didSet {} }
    //: CALayer.frame
    override var frame: CGRect { didSet {} }
}
//: UIScene.title
class KeptScene: UIScene {
    override var title: String? { didSet {} }
    //: UIScene.activationState
    override var activationState: UIScene.ActivationState { didSet {} }
}
//: UIButton.isEnabled
class KeptButton: UIButton {
    override var isEnabled: Bool { didSet {} }
    //: UIButton.isSelected
    override var isSelected: Bool { didSet {} }
    //: UIButton.init(frame:)
    override init(frame: CGRect) { super.init(frame: frame) }
    //: UIButton.init(coder:)
    required init?(coder: NSCoder) { super.init(coder: coder) }
    //: UIButton.intrinsicContentSize
    override var intrinsicContentSize: CGSize { super.intrinsicContentSize }
}

@MainActor
func useMembers(
    _ view: UIView, _ other: UIView, _ stack: UIStackView, _ button: UIButton, _ scene: UIScene,
    _ controller: UIViewController
) {
    //: NSLayoutConstraint.activate([…])
    NSLayoutConstraint.activate([
        view.topAnchor.constraint(equalTo: other.topAnchor),
        view.widthAnchor.constraint(equalToConstant: 1),
    ])
    //: anchor.constraint(…).isActive = true
    view.topAnchor.constraint(equalTo: other.safeAreaLayoutGuide.topAnchor).isActive = true
    //: constraint with a priority
    let low = view.heightAnchor.constraint(equalToConstant: 44)
    low.priority = .defaultHigh
    //: constraint kept in a property
    let kept: NSLayoutConstraint? = view.constraints.first
    kept?.constant += 1
    //: UIStackView.axis by a condition
    stack.axis = view.bounds.width > 100 ? .horizontal : .vertical
    //: forEach(stack.addArrangedSubview)
    [view, other].forEach(stack.addArrangedSubview)
    //: stack.arrangedSubviews.forEach { $0.removeFromSuperview() }
    // swift-format-ignore: ReplaceForEachWithForLoop
    stack.arrangedSubviews.forEach { $0.removeFromSuperview() }
    //: UIEdgeInsets(…) as an argument
    view.layoutMargins = .init(top: 1, left: 1, bottom: 1, right: 1)
    //: view.frame.inset(by:)
    view.frame = view.frame.inset(by: UIEdgeInsets(top: 1, left: 1, bottom: 1, right: 1))
    //: autoresizingMask of two members
    view.autoresizingMask = [.flexibleWidth, .flexibleHeight]
    //: accessibilityTraits.insert(_:)
    view.accessibilityTraits.insert(.header)
    //: layer.maskedCorners of two members
    view.layer.maskedCorners = [.layerMinXMinYCorner, .layerMaxXMinYCorner]
    //: layer.shadowOffset = .zero
    view.layer.shadowOffset = .zero
    //: layer.mask as? CAGradientLayer
    _ = view.layer.mask as? CAGradientLayer
    //: UIView.animate with a trailing closure
    UIView.animate(withDuration: 0.2) { view.alpha = 0 }
    //: UIView.animate with two trailing closures
    // swift-format-ignore: OnlyOneTrailingClosureArgument
    UIView.animate(withDuration: 0.2, animations: { view.alpha = 0 }) { _ in
        view.removeFromSuperview()
    }
    //: button.addAction(UIAction { … }, for:)
    button.addAction(UIAction { [weak view] _ in view?.setNeedsLayout() }, for: .touchUpInside)
    //: button.setTitle(_:for: .normal)
    button.setTitle("a", for: .normal)
    //: button.setTitleColor(_:for: [.selected, .highlighted])
    button.setTitleColor(.red, for: [.selected, .highlighted])
    //: button.titleLabel?.font
    button.titleLabel?.font = .preferredFont(forTextStyle: .body)
    //: control.state.contains(_:)
    _ = button.state.contains(.selected)
    //: switch over UIScene.ActivationState
    switch scene.activationState {
    case .foregroundActive, .foregroundInactive: break
    case .background, .unattached: break
    @unknown default: break
    }
    //: connectedScenes.first(where:) as? UIWindowScene
    _ =
        UIApplication.shared.connectedScenes.first { $0.activationState == .foregroundActive }
        as? UIWindowScene
    //: NotificationCenter observer of a scene
    _ = NotificationCenter.default.addObserver(
        forName: UIScene.didActivateNotification, object: nil, queue: .main
    ) { _ in }
    //: navigationItem.rightBarButtonItem = …
    controller.navigationItem.rightBarButtonItem = UIBarButtonItem(
        systemItem: .done, primaryAction: UIAction { _ in })
    //: navigationItem.titleView = UIStackView(…)
    controller.navigationItem.titleView = UIStackView(arrangedSubviews: [view])
    //: UIWindow.Level with a raw value
    let above = UIWindow.Level(rawValue: UIWindow.Level.alert.rawValue + 1)
    _ = above
    //: UIScreen.main.bounds in init(frame:)
    _ = UIWindow(frame: UIScreen.main.bounds)
    //: controller.view = nil
    controller.view = nil
    //: UIColor.cgColor.components?.count
    _ = UIColor.white.cgColor.components?.count == 2
    //: UITraitCollection.current.userInterfaceStyle
    _ = UITraitCollection.current.userInterfaceStyle == .dark
    //: UIUserInterfaceLayoutDirection(rawValue:)
    _ = UIUserInterfaceLayoutDirection(rawValue: 1) == .rightToLeft
    //: UIHostingConfiguration with a closure without parameters
    _ = UIHostingConfiguration { "content" }
    //: UIHostingController(rootView:)
    _ = UIHostingController(rootView: "content")
    //: traits.resolvesNaturalAlignmentWithBaseWritingDirection as Bool
    let natural: Bool = view.traitCollection.resolvesNaturalAlignmentWithBaseWritingDirection
    _ = natural
    //: print(traitOverrides)
    print(view.traitOverrides)
}
