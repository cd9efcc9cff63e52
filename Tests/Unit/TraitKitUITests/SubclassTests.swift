// Subclasses that override initialisers and the methods that UIKit calls: which are called, and when.

import Foundation
import KitTestSupport
import Testing
import TraitKitUI

private final class SceneWindow: UIWindow {
    let name: String
    override init(windowScene: UIWindowScene) {
        name = "scene"
        super.init(windowScene: windowScene)
    }
    override init(frame: CGRect) {
        name = "frame"
        super.init(frame: frame)
    }
    required init?(coder: NSCoder) {
        name = "coder"
        super.init(coder: coder)
    }
}

private final class HookView: UIView {
    var calls: [String] = []
    override class var layerClass: AnyClass { CAGradientLayer.self }
    override func willMove(toWindow newWindow: UIWindow?) {
        super.willMove(toWindow: newWindow)
        calls.append(newWindow == nil ? "will leave" : "will enter")
    }
    override func didMoveToWindow() {
        super.didMoveToWindow()
        calls.append(window == nil ? "left" : "entered")
    }
    override func willMove(toSuperview newSuperview: UIView?) {
        calls.append(newSuperview == nil ? "will go" : "will come")
    }
    override func didMoveToSuperview() { calls.append(superview == nil ? "gone" : "come") }
    override func tintColorDidChange() {
        super.tintColorDidChange()
        calls.append("tint")
    }
    override func didAddSubview(_ subview: UIView) { calls.append("added \(subview.tag)") }
    override func willRemoveSubview(_ subview: UIView) { calls.append("removing \(subview.tag)") }
}

private final class Parent: UIViewController {
    var adopted: [UIViewController] = []
    override func addChild(_ childController: UIViewController) {
        super.addChild(childController)
        adopted.append(childController)
    }
}

private final class Row: UITableViewCell {
    var prepared = 0
    override init(style: UITableViewCell.CellStyle, reuseIdentifier: String?) {
        super.init(style: style, reuseIdentifier: reuseIdentifier)
    }
    required init?(coder: NSCoder) { super.init(coder: coder) }
    override func prepareForReuse() {
        super.prepareForReuse()
        prepared += 1
    }
}

private final class Ended { var events: [String] = [] }

private struct Shown: UIViewRepresentable {
    let ended: Ended
    func makeCoordinator() -> Ended { ended }
    func makeUIView(context: Context) -> UIView { UIView() }
    func updateUIView(_ uiView: UIView, context: Context) {}
    static func dismantleUIView(_ uiView: UIView, coordinator: Ended) {
        coordinator.events.append("view")
    }
}

private struct ShownController: UIViewControllerRepresentable {
    let ended: Ended
    func makeCoordinator() -> Ended { ended }
    func makeUIViewController(context: Context) -> UIViewController { UIViewController() }
    func updateUIViewController(_ controller: UIViewController, context: Context) {}
    static func dismantleUIViewController(
        _ uiViewController: UIViewController, coordinator: Ended
    ) {
        coordinator.events.append("controller")
    }
}

private final class PopoverOwner: UIViewController, UIPopoverPresentationControllerDelegate {
    var prepared: [UIPopoverPresentationController] = []
    func adaptivePresentationStyle(
        for controller: UIPresentationController, traitCollection: UITraitCollection
    ) -> UIModalPresentationStyle { .none }
    func prepareForPopoverPresentation(
        _ popoverPresentationController: UIPopoverPresentationController
    ) {
        prepared.append(popoverPresentationController)
    }
}

@MainActor
@Suite("Subclasses of UIKit's classes", .ownHierarchy) struct SubclassTests {
    @Test("a window's initialisers are overridden and call those of the superclass")
    func windows() {
        let scene = UIWindowScene()
        let window = SceneWindow(windowScene: scene)
        #expect(window.name == "scene" && window.windowScene == scene)
        #expect(scene.windows == [window])
        #expect(SceneWindow(frame: .zero).name == "frame")
    }

    @Test("hooks run as a view enters and leaves a window and as its tint changes")
    func hooks() {
        let (window, view, child) = (UIWindow(), HookView(), HookView())
        child.tag = 7
        #expect(view.layer is CAGradientLayer)
        view.addSubview(child)
        window.addSubview(view)
        window.tintColor = .systemRed
        view.removeFromSuperview()
        child.removeFromSuperview()
        #expect(
            view.calls == [
                "added 7", "will come", "will enter", "entered", "come", "tint", "will go",
                "will leave", "left", "gone", "removing 7",
            ])
        #expect(
            child.calls == [
                "will come", "come", "will enter", "entered", "tint", "will leave", "left",
                "will go", "gone",
            ])
        #expect(view.tintColor == .systemBlue)
        #expect(window.viewWithTag(7) == nil && view.viewWithTag(0) == view)
    }

    @Test("values that nothing is drawn with are stored")
    func stored() {
        let view = UIView()
        view.isHidden = true
        view.alpha = 0.5
        view.tag = 3
        view.isUserInteractionEnabled = false
        #expect(view.isHidden && view.alpha == 0.5 && view.tag == 3)
        #expect(!view.isUserInteractionEnabled)
    }

    @Test("the next responder goes from a view over its controller and the window to the scene")
    func responders() {
        let window = UIWindow(windowScene: UIApplication.scene)
        let (root, view) = (UIViewController(), UIView())
        window.rootViewController = root
        root.view.addSubview(view)
        #expect(view.next == root.view && root.view.next == root && root.next == window)
        #expect(window.next == window.windowScene)
    }

    @Test("a subclass overrides how children are added")
    func containment() {
        let (parent, child) = (Parent(), UIViewController())
        parent.addChild(child)
        #expect(parent.adopted == [child] && child.parent == parent)
        child.removeFromParent()
        #expect(parent.children.isEmpty && child.parent == nil)
    }

    @Test("a covered controller of a stack keeps its traits until it is uncovered")
    func stack() {
        let (window, first) = (UIWindow(), UIViewController())
        let stack = UINavigationController(rootViewController: first)
        window.rootViewController = stack
        window.layoutIfNeeded()
        #expect(first.traitCollection.userInterfaceStyle == .light)
        let second = UIViewController()
        stack.pushViewController(second, animated: true)
        stack.overrideUserInterfaceStyle = .dark
        window.layoutIfNeeded()
        #expect(second.traitCollection.userInterfaceStyle == .dark)
        #expect(first.traitCollection.userInterfaceStyle == .light)
        #expect(stack.popViewController(animated: true) == second)
        window.layoutIfNeeded()
        #expect(first.traitCollection.userInterfaceStyle == .dark)
        #expect(second.parent == nil && stack.viewControllers == [first])
        #expect(stack.popViewController(animated: true) == nil)
    }

    @Test("the selected tab follows the tabs' traits once it is selected")
    func tabs() {
        let (window, tabs) = (UIWindow(), UITabBarController())
        let (one, two) = (UIViewController(), UIViewController())
        #expect(tabs.viewControllers == nil && tabs.selectedIndex == NSNotFound)
        tabs.viewControllers = [one, two]
        window.rootViewController = tabs
        tabs.overrideUserInterfaceStyle = .dark
        window.layoutIfNeeded()
        #expect(one.view.traitCollection.userInterfaceStyle == .dark)
        tabs.selectedViewController = two
        window.layoutIfNeeded()
        #expect(two.view.traitCollection.userInterfaceStyle == .dark)
        #expect(tabs.selectedIndex == 1 && one.view.window == nil)
    }

    @Test("a popover's delegate prepares it, and keeps it a popover in compact width")
    func popovers() throws {
        let (window, owner, content) = (UIWindow(), PopoverOwner(), UIViewController())
        window.traitOverrides.horizontalSizeClass = .compact
        window.rootViewController = owner
        window.layoutIfNeeded()
        #expect(content.popoverPresentationController == nil)
        let other = UIViewController()
        other.modalPresentationStyle = .popover
        let popover = try #require(other.popoverPresentationController)
        popover.delegate = owner
        popover.sourceView = owner.view
        var isShown = false
        owner.present(other, animated: true) { isShown = true }
        window.layoutIfNeeded()
        #expect(isShown && owner.prepared == [popover])
        #expect(other.traitCollection.userInterfaceLevel == .elevated)
        #expect(other.presentingViewController == owner)
        owner.dismiss(animated: true, completion: nil)
        #expect(owner.presentedViewController == nil && other.view.window == nil)
    }

    @Test("a cell knows its identifier and style, and a list cell has content")
    func cells() {
        let row = Row(style: .subtitle, reuseIdentifier: "row")
        #expect(row.reuseIdentifier == "row" && row.detailTextLabel != nil)
        row.prepareForReuse()
        #expect(row.prepared == 1)
        let cell = UICollectionViewListCell(frame: .zero)
        var content = cell.defaultContentConfiguration()
        content.text = "one"
        cell.contentConfiguration = content
        #expect((cell.contentConfiguration as? UIListContentConfiguration)?.text == "one")
    }

    @Test("representables are dismantled when other content takes their place, or the host goes")
    func dismantling() {
        let ended = Ended()
        do {
            let hosting = UIHostingController { environment -> Any in
                environment.displayScale == 2 ? Shown(ended: ended) : ShownController(ended: ended)
            }
            let window = UIWindow()
            window.rootViewController = hosting
            window.layoutIfNeeded()
            #expect(ended.events.isEmpty)
            hosting.traitOverrides.displayScale = 2
            window.layoutIfNeeded()
            #expect(ended.events == ["controller"])
            hosting.traitOverrides.preferredContentSizeCategory = .small
            window.layoutIfNeeded()
            #expect(ended.events == ["controller"])
        }
        #expect(ended.events == ["controller", "view"])
    }

    @Test("the application has the scenes that are there, each with an identifier of its own")
    func application() {
        let (one, two) = (UIWindowScene(), UIWindowScene())
        #expect(UIApplication.shared.connectedScenes.isSuperset(of: [one, two]))
        #expect(one.session.persistentIdentifier != two.session.persistentIdentifier)
        #expect(one.session.persistentIdentifier == one.session.persistentIdentifier)
        one.suppliedTraits.displayScale = 3
        #expect(UIWindow(windowScene: one).screen.traitCollection.displayScale == 3)
    }

    @Test("colours give their hue and their components, and descriptors make fonts")
    func values() {
        var (hue, saturation, brightness, alpha): (CGFloat, CGFloat, CGFloat, CGFloat) =
            (0, 0, 0, 0)
        let color = UIColor(hue: 0.25, saturation: 0.5, brightness: 0.5, alpha: 0.5)
        #expect(
            color.getHue(
                &hue, saturation: &saturation, brightness: &brightness, alpha: &alpha))
        for (found, expected) in zip(
            [hue, saturation, brightness, alpha], [0.25, 0.5, 0.5, 0.5] as [CGFloat])
        {
            #expect(abs(found - expected) < 1e-9)
        }
        #expect(UIColor.red.cgColor.components == [1, 0, 0, 1])
        let descriptor = UIFontDescriptor.preferredFontDescriptor(
            withTextStyle: .body,
            compatibleWith: UITraitCollection(preferredContentSizeCategory: .extraLarge))
        #expect(UIFont(descriptor: descriptor, size: 0).pointSize == 19)
        #expect(UIFont(descriptor: descriptor, size: 12).pointSize == 12)
    }
}

extension UIApplication {
    fileprivate static let scene = UIWindowScene()
}
