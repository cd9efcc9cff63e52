// Colours, fonts, images, and functions that name no actor.

import TraitKitUI

//: extension of UIColor with a convenience initialiser
extension UIColor {
    convenience init(light: UIColor, dark: UIColor) {
        self.init { $0.userInterfaceStyle == .dark ? dark : light }
    }
    //: extension of UIColor with a failable initialiser
    convenience init?(hex: String) {
        guard let number = UInt32(hex, radix: 16) else { return nil }
        self.init(
            red: CGFloat(number >> 16 & 255) / 255, green: CGFloat(number >> 8 & 255) / 255,
            blue: CGFloat(number & 255) / 255, alpha: 1)
    }
    //: extension of UIColor with a static member
    static let brand = UIColor(light: .black, dark: .white)
    //: extension of UIColor with a class member
    class var accent: UIColor { .tintColor }
}
#if swift(<6)
    // Mode 5: UIKit's isolation concerns only code that asks for it.
    //: function without an actor that styles a view
    func style(_ v: UIView) { v.backgroundColor = .systemRed }
    //: function without an actor that registers
    func observe(_ view: UIView, _ controller: UIViewController) {
        let token = view.registerForTraitChanges([UITraitUserInterfaceStyle.self]) {
            (view: UIView, _) in view.setNeedsLayout()
        }
        view.unregisterForTraitChanges(token)
        controller.traitOverrides.userInterfaceStyle = .dark
        controller.present(UIViewController(), animated: true) { style(view) }
    }
    //: function without an actor that registers an action
    class Card: UIView {
        func changed() {}
        func styleChanged(_ view: UIView, _ previous: UITraitCollection) {}
    }
    func observe(_ view: UIView, _ card: Card) {
        view.registerForTraitChanges(
            [UITraitUserInterfaceStyle.self], target: card, action: Card.changed)
        card.registerForTraitChanges([UITraitUserInterfaceStyle.self], action: Card.changed)
        card.registerForTraitChanges([UITraitUserInterfaceStyle.self], action: Card.styleChanged)
    }
    //: class without an actor that is the target of an action
    final class Follower {
        let view = UIView()
        init() {
            view.registerForTraitChanges(
                [UITraitUserInterfaceStyle.self], target: self, action: Follower.changed)
        }
        func changed() { view.setNeedsLayout() }
    }
    //: function without an actor that makes objects
    func make() -> UIWindow {
        let window = UIWindow(frame: .zero)
        window.rootViewController = UINavigationController(rootViewController: UIViewController())
        UIApplication.shared.windows.first?.overrideUserInterfaceStyle = .dark
        UIView.appearance().tintColor = .systemRed
        return window
    }
    //: class without an actor that has views
    final class Coordinator {
        let view = UIView()
        var controller: UIViewController? { didSet { controller?.view.addSubview(view) } }
        lazy var style = view.traitCollection.userInterfaceStyle
    }
    //: protocol of a delegate without an actor
    protocol Painter { func paint(_ view: UIView) }
    struct RedPainter: Painter { func paint(_ view: UIView) { view.tintColor = .red } }
    //: function passed as a value
    let painters: [(UIView) -> Void] = [style, { $0.isHidden = true }]
#endif
@MainActor func colors(_ view: UIView) {
    //: UIColor { traits in … }
    let color = UIColor { traits in traits.accessibilityContrast == .high ? .black : .darkGray }
    //: UIColor(dynamicProvider:)
    _ = UIColor(dynamicProvider: { traits in
        switch traits.userInterfaceStyle {
        case .dark: return .white
        default: return .black
        }
    })
    //: UIColor.resolvedColor(with:)
    view.layer.borderColor = color.resolvedColor(with: view.traitCollection).cgColor
    //: UIColor.getRed(_:green:blue:alpha:)
    var (r, g, b, a): (CGFloat, CGFloat, CGFloat, CGFloat) = (0, 0, 0, 0)
    color.getRed(&r, green: &g, blue: &b, alpha: &a)
    //: UIColor.getHue(_:saturation:brightness:alpha:)
    _ = color.getHue(&r, saturation: &g, brightness: &b, alpha: &a)
    //: UIColor.init(hue:saturation:brightness:alpha:)
    _ = UIColor(hue: 0.5, saturation: 1, brightness: 1, alpha: 1)
    //: UIColor.getWhite(_:alpha:)
    _ = color.getWhite(&r, alpha: &a)
    //: UIColor.withAlphaComponent(_:)
    _ = color.withAlphaComponent(0.5)
    //: UIColor.tintColor
    view.tintColor = .tintColor
    //: UIColor.cgColor.components
    _ = color.cgColor.components?.count
    //: UIColor(named:)
    _ = UIColor(named: "Brand") ?? .systemRed
    //: UIColor(named:in:compatibleWith:)
    _ = UIColor(named: "Brand", in: nil, compatibleWith: view.traitCollection)
    //: UIColor as an object
    let box = NSMutableArray()
    box.add(color)
    //: UIFont.preferredFont(forTextStyle:)
    let label = UILabel()
    label.font = .preferredFont(forTextStyle: .headline)
    //: UIFont.preferredFont(forTextStyle:compatibleWith:)
    _ = UIFont.preferredFont(forTextStyle: .body, compatibleWith: view.traitCollection)
    //: UIFontMetrics(forTextStyle:).scaledFont(for:)
    label.font = UIFontMetrics(forTextStyle: .body).scaledFont(for: .systemFont(ofSize: 17))
    //: UIFontMetrics.default.scaledValue(for:)
    let width: CGFloat = UIFontMetrics.default.scaledValue(for: 10)
    _ = width
    //: UIFontDescriptor.preferredFontDescriptor(withTextStyle:)
    let descriptor = UIFontDescriptor.preferredFontDescriptor(withTextStyle: .title1)
    //: UIFontDescriptor.withSymbolicTraits(_:)
    let bold = descriptor.withSymbolicTraits(.traitBold)
    //: UIFont(descriptor:size:)
    _ = UIFont(descriptor: bold ?? descriptor, size: 0)
    //: UIFontDescriptor.preferredFontDescriptor(withTextStyle:compatibleWith:)
    _ = UIFontDescriptor.preferredFontDescriptor(
        withTextStyle: .body, compatibleWith: view.traitCollection)
    //: UILabel.adjustsFontForContentSizeCategory
    label.adjustsFontForContentSizeCategory = true
    //: UIImage.imageAsset
    let image = UIImage()
    image.imageAsset?.register(UIImage(), with: UITraitCollection(userInterfaceStyle: .dark))
    //: UIImageAsset.image(with:)
    let chosen: UIImage = UIImageAsset().image(with: view.traitCollection)
    _ = chosen
    //: UIImage.configuration
    if let configuration = image.configuration { _ = image.withConfiguration(configuration) }
    //: UIImage(named:in:compatibleWith:)
    _ = UIImage(named: "sun", in: .main, compatibleWith: view.traitCollection)
}
@MainActor func application() {
    //: UIApplication.shared.connectedScenes
    let scenes = UIApplication.shared.connectedScenes
    //: UIScene.session.persistentIdentifier
    _ = scenes.map(\.session.persistentIdentifier)
    //: UIWindowScene.windows
    let window = (scenes.first as? UIWindowScene)?.windows.first { $0.isKeyWindow }
    //: UIWindow.screen
    _ = window?.screen.scale
    //: UIScreen.main.traitCollection
    _ = UIScreen.main.traitCollection.displayScale
    //: UIScreen.main.scale
    let scale: CGFloat = UIScreen.main.scale
    _ = scale
    //: UIApplication.shared.preferredContentSizeCategory
    _ = UIApplication.shared.preferredContentSizeCategory
    //: UIApplication.shared.userInterfaceLayoutDirection
    _ = UIApplication.shared.userInterfaceLayoutDirection == .rightToLeft
    //: UIContentSizeCategory.didChangeNotification
    let token = NotificationCenter.default.addObserver(
        forName: UIContentSizeCategory.didChangeNotification, object: nil, queue: .main
    ) { _ in }
    NotificationCenter.default.removeObserver(token)
    //: UIWindow(windowScene:)
    let scene = UIWindowScene()
    let shown = UIWindow(windowScene: scene)
    //: UIWindow.rootViewController
    shown.rootViewController = UINavigationController(rootViewController: UIViewController())
    //: UITabBarController.viewControllers
    let tabs = UITabBarController()
    tabs.viewControllers = [UIViewController()]
    tabs.selectedIndex = 0
    //: UIViewController.tabBarController
    _ = tabs.selectedViewController?.tabBarController?.selectedIndex
    //: UINavigationController.topViewController
    let stack = UINavigationController()
    stack.pushViewController(UIViewController(), animated: false)
    stack.popToRootViewController(animated: true)
    _ = stack.topViewController?.navigationController?.viewControllers.last
    //: UIDevice.current.userInterfaceIdiom
    _ = UIDevice.current.userInterfaceIdiom == .pad
}
//: UIViewRepresentable with a coordinator that is dismantled
struct Shown: UIViewRepresentable {
    final class Coordinator { var count = 0 }
    func makeCoordinator() -> Coordinator { Coordinator() }
    func makeUIView(context: Context) -> UIView { UIView() }
    func updateUIView(_ uiView: UIView, context: Context) {}
    static func dismantleUIView(_ uiView: UIView, coordinator: Coordinator) {}
}
//: UIViewControllerRepresentable that is dismantled
struct ShownController: UIViewControllerRepresentable {
    func makeUIViewController(context: Context) -> UIViewController { UIViewController() }
    func updateUIViewController(_ uiViewController: UIViewController, context: Context) {}
    static func dismantleUIViewController(
        _ uiViewController: UIViewController, coordinator: ()
    ) {}
}
