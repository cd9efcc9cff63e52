// Controllers whose view is let go with `view = nil`.

import KitTestSupport
import Testing
import TraitKit

@MainActor
@Suite("Controllers whose view is let go", .ownHierarchy)
struct UnloadedViewTests {
    private final class Loading: ViewController {
        var events: [String] = []
        var made = 0

        override func loadView() {
            made += 1
            let view = View()
            view.tag = made
            self.view = view
        }

        override func viewDidLoad() {
            super.viewDidLoad()
            events.append("didLoad \(view.tag) \(traitCollection[ThemeTrait.self])")
        }

        override func viewWillAppear(_ animated: Bool) { events.append("willAppear \(view.tag)") }
        override func viewDidAppear(_ animated: Bool) { events.append("didAppear \(view.tag)") }
    }

    @Test("the view is let go, overrides still show, and the next access loads again")
    func alone() {
        let controller = Loading()
        weak let old = controller.view
        controller.traitOverrides[ThemeTrait.self] = 3
        controller.view = nil
        #expect(!controller.isViewLoaded && controller.viewIfLoaded == nil && old == nil)
        #expect(controller.traitCollection[ThemeTrait.self] == 3 && controller.made == 1)
        controller.traitOverrides[ThemeTrait.self] = 4
        controller.view = nil
        #expect(controller.traitCollection[ThemeTrait.self] == 4 && controller.made == 1)
        #expect(controller.view.tag == 2)
        #expect(controller.events == ["didLoad 1 0", "didLoad 2 4"])
        controller.view.updateTraitsIfNeeded()
        #expect(controller.view.traitCollection[ThemeTrait.self] == 4)
    }

    @Test("in a window the old view stays where it is, as a view of no controller")
    func root() {
        let window = Window(frame: Rect(x: 0, y: 0, width: 10, height: 20))
        let controller = Loading()
        window.rootViewController = controller
        window.layoutIfNeeded()
        let old = controller.view!
        var calls: [Int] = []
        controller.registerForTraitChanges([ThemeTrait.self]) { (self: Loading, _) in
            calls.append(self.traitCollection[ThemeTrait.self])
        }
        controller.view = nil
        window.layoutIfNeeded()
        #expect(old.superview === window && old.next === window && !controller.isViewLoaded)
        window.traitOverrides[ThemeTrait.self] = 1
        window.layoutIfNeeded()
        #expect(old.traitCollection[ThemeTrait.self] == 1)
        #expect(controller.traitCollection[ThemeTrait.self] == 1, "a root inherits from its window")
        controller.traitOverrides[ThemeTrait.self] = 2
        window.layoutIfNeeded()
        #expect(calls == [1, 2] && old.traitCollection[ThemeTrait.self] == 1)
        window.addSubview(controller.view)
        window.layoutIfNeeded()
        #expect(controller.view.traitCollection[ThemeTrait.self] == 2)
        #expect(
            controller.events == [
                "didLoad 1 0", "willAppear 1", "didAppear 1", "didLoad 2 2", "willAppear 2",
                "didAppear 2",
            ])
    }

    @Test("a child whose view was in its parent's shows its parent's override meanwhile")
    func child() {
        let window = Window()
        let (parent, child) = (ViewController(), Loading())
        window.rootViewController = parent
        parent.addChild(child)
        parent.view.addSubview(child.view)
        window.layoutIfNeeded()
        child.view = nil
        parent.setOverrideTraitCollection(
            TraitCollection(horizontalSizeClass: .compact), forChild: child)
        #expect(child.traitCollection.horizontalSizeClass == .compact)
        child.traitOverrides[ThemeTrait.self] = 5
        #expect(child.traitCollection[ThemeTrait.self] == 5 && child.made == 1)
        parent.view.addSubview(child.view)
        window.layoutIfNeeded()
        #expect(child.made == 2 && child.view.traitCollection[ThemeTrait.self] == 5)
        #expect(child.view.traitCollection.horizontalSizeClass == .compact)
        child.view = nil
        child.removeFromParent()
        #expect(child.traitCollection[ThemeTrait.self] == 5)
    }

    @Test("containers put their bars and the views of their children into the new view")
    func containers() {
        let window = Window()
        let (first, second) = (Loading(), Loading())
        let navigation = NavigationController(rootViewController: first)
        let tabs = TabBarController()
        tabs.viewControllers = [navigation]
        let split = SplitViewController(style: .doubleColumn)
        split.setViewController(tabs, for: .primary)
        split.setViewController(second, for: .secondary)
        window.rootViewController = split
        window.layoutIfNeeded()
        for container in [navigation, tabs, split] as [ViewController] {
            container.view = nil
            container.loadViewIfNeeded()
        }
        #expect(navigation.navigationBar.superview === navigation.view)
        #expect(first.view.isDescendant(of: navigation.view))
        #expect(tabs.tabBar.superview === tabs.view)
        #expect(second.view.superview === split.view)
        split.view.traitOverrides[ThemeTrait.self] = 7
        window.addSubview(split.view)
        window.layoutIfNeeded()
        #expect(second.traitCollection[ThemeTrait.self] == 7)
        #expect(first.view.traitCollection[ThemeTrait.self] == 7)
    }

    @Test("a hosting controller makes its content's view again")
    func hosting() {
        let hosting = HostingController { _ in "content" }
        hosting.loadViewIfNeeded()
        hosting.view = nil
        hosting.view.updatePropertiesIfNeeded()
        #expect(hosting.content == "content")
    }
}
