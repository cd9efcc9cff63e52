// What a library for snapshot tests does with traits, as such libraries are written for UIKit, with
// only the import changed: it shows a controller in a window of its own, under the traits of a
// device.

import Foundation
import KitTestSupport
import Testing
import TraitKitUI

/// The traits and the size of a device.
private struct ViewImageConfig {
    var size: CGSize?
    var traits: UITraitCollection

    static let phone = ViewImageConfig(
        size: CGSize(width: 390, height: 844),
        traits: UITraitCollection(traitsFrom: [
            .init(forceTouchCapability: .available),
            .init(layoutDirection: .leftToRight),
            .init(preferredContentSizeCategory: .medium),
            .init(userInterfaceIdiom: .phone),
            .init(horizontalSizeClass: .compact),
            .init(verticalSizeClass: .regular),
        ]))
}

private final class Window: UIWindow {
    var config: ViewImageConfig

    init(config: ViewImageConfig, viewController: UIViewController) {
        let size = config.size ?? viewController.view.bounds.size
        self.config = config
        super.init(frame: .init(origin: .zero, size: size))
        if viewController is UINavigationController || viewController is UITabBarController {
            frame.size.height -= 47
        }
        isHidden = false
    }

    @available(*, unavailable)
    required init?(coder aDecoder: NSCoder) {
        fatalError("init(coder:) has not been implemented")
    }
}

@MainActor
private func add(
    traits: UITraitCollection, viewController: UIViewController, to window: UIWindow
) -> () -> Void {
    let rootViewController: UIViewController
    if viewController != window.rootViewController {
        rootViewController = UIViewController()
        rootViewController.view.backgroundColor = .clear
        rootViewController.view.frame = window.frame
        rootViewController.preferredContentSize = rootViewController.view.frame.size
        viewController.view.frame = rootViewController.view.frame
        rootViewController.view.addSubview(viewController.view)
        rootViewController.addChild(viewController)
    } else {
        rootViewController = viewController
    }
    rootViewController.setOverrideTraitCollection(traits, forChild: viewController)
    viewController.didMove(toParent: rootViewController)
    window.rootViewController = rootViewController
    rootViewController.beginAppearanceTransition(true, animated: false)
    rootViewController.endAppearanceTransition()
    rootViewController.view.setNeedsLayout()
    rootViewController.view.layoutIfNeeded()
    return {
        rootViewController.beginAppearanceTransition(false, animated: false)
        viewController.willMove(toParent: nil)
        viewController.view.removeFromSuperview()
        viewController.removeFromParent()
        viewController.didMove(toParent: nil)
        rootViewController.endAppearanceTransition()
        window.rootViewController = nil
    }
}

/// What is drawn: here a text for each view with a background.
@MainActor
private func snapshot(
    of viewController: UIViewController, _ config: ViewImageConfig = .phone,
    traits: UITraitCollection = .init()
) -> [String] {
    let merged = UITraitCollection(traitsFrom: [config.traits, traits])
    let window = Window(config: config, viewController: viewController)
    let dispose = add(traits: merged, viewController: viewController, to: window)
    defer { dispose() }
    var image: [String] = []
    merged.performAsCurrent {
        image = draw(viewController.view)
    }
    return image
}

@MainActor
private func draw(_ view: UIView) -> [String] {
    let color = view.backgroundColor?.cgColor.components?.map { "\(Int($0 * 255))" }
    return [color?.joined(separator: " ") ?? "-"] + view.subviews.flatMap(draw)
}

private final class Screen: UIViewController {
    var events: [String] = []
    let label = UILabel()

    override func viewDidLoad() {
        super.viewDidLoad()
        view.backgroundColor = UIColor { $0.userInterfaceStyle == .dark ? .black : .white }
        label.backgroundColor = UIColor {
            $0.preferredContentSizeCategory > .large ? .red : .green
        }
        view.addSubview(label)
        events.append("loaded")
    }
    override func viewWillAppear(_ animated: Bool) {
        super.viewWillAppear(animated)
        events.append("will appear")
    }
    override func viewIsAppearing(_ animated: Bool) {
        super.viewIsAppearing(animated)
        events.append("appearing \(traitCollection.userInterfaceStyle)")
    }
    override func viewDidAppear(_ animated: Bool) {
        super.viewDidAppear(animated)
        events.append("did appear")
    }
    override func viewWillDisappear(_ animated: Bool) {
        super.viewWillDisappear(animated)
        events.append("will disappear")
    }
    override func viewDidDisappear(_ animated: Bool) {
        super.viewDidDisappear(animated)
        events.append("did disappear")
    }
}

@MainActor
@Suite("What a library for snapshot tests does", .ownHierarchy) struct PortedSnapshotTests {
    @Test("a controller is drawn under the traits of a device, and appears and disappears once")
    func drawing() {
        let screen = Screen()
        #expect(snapshot(of: screen) == ["255 255", "0 255 0 255"])
        #expect(
            screen.events == [
                "loaded", "will appear", "appearing light", "did appear", "will disappear",
                "did disappear",
            ])
        let dark = UITraitCollection(userInterfaceStyle: .dark)
        #expect(snapshot(of: screen, traits: dark) == ["0 255", "0 255 0 255"])
        let large = UITraitCollection(preferredContentSizeCategory: .accessibilityLarge)
        #expect(snapshot(of: screen, traits: large) == ["255 255", "255 0 0 255"])
    }

    @Test("the child shows what its parent overrides for it on the next line; the parent does not")
    func child() {
        let (parent, child) = (UIViewController(), Screen())
        parent.addChild(child)
        parent.setOverrideTraitCollection(ViewImageConfig.phone.traits, forChild: child)
        #expect(child.traitCollection.horizontalSizeClass == .compact)
        #expect(child.traitCollection.userInterfaceIdiom == .phone)
        #expect(!child.isViewLoaded)
        #expect(parent.traitCollection.userInterfaceIdiom != .phone)
    }

    @Test("a stack and tabs give a device's traits to the controllers that they show")
    func containers() {
        let (first, second) = (Screen(), Screen())
        let stack = UINavigationController(rootViewController: first)
        stack.pushViewController(second, animated: false)
        let tabs = UITabBarController()
        tabs.viewControllers = [stack, UIViewController()]
        let dark = UITraitCollection(userInterfaceStyle: .dark)
        #expect(snapshot(of: tabs, traits: dark).contains("0 255"))
        #expect(second.events.contains("appearing dark"))
        #expect(first.events.isEmpty)
        #expect(second.tabBarController == tabs && second.navigationController == stack)
        #expect(stack.topViewController == second)
    }

    @Test("a view in a window without a scene follows the window's style after a layout")
    func window() {
        let window = UIWindow(frame: CGRect(x: 0, y: 0, width: 10, height: 10))
        let view = UIView()
        window.addSubview(view)
        window.makeKeyAndVisible()
        window.overrideUserInterfaceStyle = .dark
        window.layoutIfNeeded()
        #expect(window.traitCollection.userInterfaceStyle == .dark)
        #expect(view.traitCollection.userInterfaceStyle == .dark)
        // Colours of Core Graphics follow the current traits, and not the view.
        let color = UIColor { $0.userInterfaceStyle == .dark ? .black : .white }
        var components: [CGFloat]?
        UITraitCollection(userInterfaceStyle: .light).performAsCurrent {
            components = color.cgColor.components
        }
        #expect(components == [1, 1])
        #expect(color.resolvedColor(with: view.traitCollection) == .black)
    }
}
