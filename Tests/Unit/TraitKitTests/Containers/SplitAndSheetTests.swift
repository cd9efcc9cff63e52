// The traits that containers supply for their content: split views and sheets. Also screens, and
// the direction of layout.

import KitTestSupport
import Testing
import TraitKit

@MainActor
@Suite("Containers that supply traits", .ownHierarchy)
struct SplitAndSheetTests {
    private let scene = WindowScene()
    private let window: Window

    init() {
        scene.suppliedTraits.horizontalSizeClass = .regular
        scene.suppliedTraits.displayScale = 3
        window = Window(windowScene: scene)
    }

    @Test("columns have the state of the split view as a trait, and narrow columns are compact")
    func split() {
        let split = SplitViewController()
        let (sidebar, detail) = (ViewController(), ViewController())
        split.setViewController(sidebar, for: .primary)
        split.setViewController(detail, for: .secondary)
        #expect(sidebar.splitViewController === split)
        window.rootViewController = split
        scene.layoutIfNeeded()
        #expect(!split.isCollapsed)
        let (sidebarView, detailView): (View, View) = (sidebar.view, detail.view)
        #expect(sidebarView.traitCollection.splitViewControllerLayoutEnvironment == .expanded)
        #expect(detailView.traitCollection.splitViewControllerLayoutEnvironment == .expanded)
        #expect(sidebarView.traitCollection.horizontalSizeClass == .compact)
        #expect(detailView.traitCollection.horizontalSizeClass == .regular)
        #expect(split.traitCollection.splitViewControllerLayoutEnvironment == .none)

        scene.suppliedTraits.horizontalSizeClass = .compact
        scene.layoutIfNeeded()
        #expect(split.isCollapsed)
        for view in [sidebarView, detailView] {
            #expect(view.traitCollection.splitViewControllerLayoutEnvironment == .collapsed)
            #expect(view.traitCollection.horizontalSizeClass == .compact)
        }
    }

    @Test("content that leaves its column loses the traits of the column")
    func leaving() {
        let split = SplitViewController()
        let content = ViewController()
        split.setViewController(content, for: .primary)
        window.rootViewController = split
        scene.layoutIfNeeded()
        split.setViewController(nil, for: .primary)
        #expect(split.viewController(for: .primary) == nil)
        #expect(content.splitViewController == nil)
        window.rootViewController = content
        scene.layoutIfNeeded()
        #expect(content.traitCollection.splitViewControllerLayoutEnvironment == .none)
        #expect(content.traitCollection.horizontalSizeClass == .regular)
    }

    @Test("content that moves to another column has that column's traits")
    func moving() {
        let split = SplitViewController()
        let content = ViewController()
        window.rootViewController = split
        split.setViewController(content, for: .primary)
        scene.layoutIfNeeded()
        #expect(content.traitCollection.horizontalSizeClass == .compact)
        split.setViewController(content, for: .secondary)
        scene.layoutIfNeeded()
        #expect(split.viewController(for: .primary) == nil)
        #expect(content.traitCollection.horizontalSizeClass == .regular)
    }

    @Test("a sheet's content is elevated, and compact in a form sheet; its container is not")
    func sheet() throws {
        let root = ViewController()
        window.rootViewController = root
        let (page, form, plain) = (ViewController(), ViewController(), ViewController())
        page.modalPresentationStyle = .pageSheet
        form.modalPresentationStyle = .formSheet
        #expect(plain.sheetPresentationController == nil)
        for (content, width) in [(page, UserInterfaceSizeClass.regular), (form, .compact)] {
            let sheet = try #require(content.sheetPresentationController)
            root.present(content, animated: false)
            scene.layoutIfNeeded()
            #expect(content.traitCollection.userInterfaceLevel == .elevated)
            #expect(content.traitCollection.horizontalSizeClass == width)
            #expect(sheet.containerTraitCollection.horizontalSizeClass == .regular)
            #expect(sheet.containerTraitCollection.userInterfaceLevel == .unspecified)
            root.dismiss(animated: false)
        }
        root.present(plain, animated: false)
        scene.layoutIfNeeded()
        #expect(plain.traitCollection.userInterfaceLevel == .unspecified)
    }

    @Test("a screen has the supplied traits, without overrides")
    func screen() {
        scene.traitOverrides.displayScale = 1
        scene.layoutIfNeeded()
        #expect(scene.traitCollection.displayScale == 1)
        #expect(scene.screen.traitCollection.displayScale == 3)
        #expect(scene.screen.scale == 3)
        #expect(scene.screen.traitCollection.horizontalSizeClass == .regular)
        var other: WindowScene? = WindowScene()
        let screen = other?.screen
        other = nil
        #expect(screen?.traitCollection == TraitCollection())
        #expect(screen?.scale == 1)
    }

    @Test("a view lays out in its traits' direction unless its attribute says otherwise")
    func direction() {
        let view = View()
        window.addSubview(view)
        scene.layoutIfNeeded()
        #expect(view.effectiveUserInterfaceLayoutDirection == .leftToRight)
        scene.traitOverrides.layoutDirection = .rightToLeft
        scene.layoutIfNeeded()
        #expect(view.effectiveUserInterfaceLayoutDirection == .rightToLeft)
        view.semanticContentAttribute = .playback
        #expect(view.effectiveUserInterfaceLayoutDirection == .leftToRight)
        #expect(view.needsLayout)
        view.semanticContentAttribute = .forceRightToLeft
        scene.traitOverrides.layoutDirection = .leftToRight
        scene.layoutIfNeeded()
        #expect(view.effectiveUserInterfaceLayoutDirection == .rightToLeft)
        #expect(
            View.userInterfaceLayoutDirection(for: .spatial, relativeTo: .rightToLeft)
                == .leftToRight)
    }
}
