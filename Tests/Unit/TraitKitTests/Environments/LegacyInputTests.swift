// What older systems had: style overrides, overrides by the parent, text size limits, and what a
// new view takes itself to inherit.

import KitTestSupport
import Testing
import TraitKit

@MainActor
@Suite(.ownHierarchy) struct LegacyInputTests {
    private let scene = WindowScene()
    private let window: Window
    private let root = ViewController()
    private let child = ViewController()

    init() {
        window = Window(windowScene: scene)
        window.rootViewController = root
        root.addChild(child)
        root.view.addSubview(child.view)
        scene.suppliedTraits.userInterfaceStyle = .light
        scene.suppliedTraits.preferredContentSizeCategory = .large
        scene.layoutIfNeeded()
    }

    @Test("a style override counts until it is unspecified; trait overrides win over it")
    func style() {
        root.overrideUserInterfaceStyle = .dark
        scene.layoutIfNeeded()
        #expect(child.view.traitCollection.userInterfaceStyle == .dark)
        #expect(root.overrideUserInterfaceStyle == .dark)
        #expect(!root.traitOverrides.contains(TraitUserInterfaceStyle.self))
        root.traitOverrides.userInterfaceStyle = .light
        scene.layoutIfNeeded()
        #expect(child.traitCollection.userInterfaceStyle == .light)
        root.traitOverrides.remove(TraitUserInterfaceStyle.self)
        root.overrideUserInterfaceStyle = .unspecified
        scene.layoutIfNeeded()
        #expect(child.traitCollection.userInterfaceStyle == .light)
    }

    @Test("a parent overrides for a child what its collection specifies, until it leaves")
    func forChild() {
        let collection = TraitCollection {
            $0.horizontalSizeClass = .compact
            $0.userInterfaceStyle = .unspecified
        }
        root.setOverrideTraitCollection(collection, forChild: child)
        #expect(root.overrideTraitCollection(forChild: child) == collection)
        scene.layoutIfNeeded()
        #expect(child.view.traitCollection.horizontalSizeClass == .compact)
        #expect(child.traitCollection.userInterfaceStyle == .light)
        #expect(root.traitCollection.horizontalSizeClass == .unspecified)
        child.traitOverrides.horizontalSizeClass = .regular
        scene.layoutIfNeeded()
        #expect(child.traitCollection.horizontalSizeClass == .regular)
        child.traitOverrides.remove(TraitHorizontalSizeClass.self)
        child.view.removeFromSuperview()
        child.removeFromParent()
        root.addChild(child)
        root.view.addSubview(child.view)
        scene.layoutIfNeeded()
        #expect(child.traitCollection.horizontalSizeClass == .unspecified)
        #expect(root.overrideTraitCollection(forChild: child) == nil)
    }

    @Test("what a parent overrides for a later child waits for it")
    func forLaterChild() {
        let later = ViewController()
        root.setOverrideTraitCollection(
            TraitCollection { $0.horizontalSizeClass = .compact }, forChild: later)
        root.view.addSubview(later.view)
        scene.layoutIfNeeded()
        #expect(later.traitCollection.horizontalSizeClass == .unspecified)
        root.addChild(later)
        scene.layoutIfNeeded()
        #expect(later.traitCollection.horizontalSizeClass == .compact)
    }

    @Test(
        "a parent that answers for its children is asked again when its traits or its size change")
    func answeringForChildren() {
        final class Split: ViewController {
            override func overrideTraitCollection(
                forChild child: ViewController
            ) -> TraitCollection? {
                if traitCollection.userInterfaceStyle == .dark { return nil }
                return TraitCollection {
                    $0.horizontalSizeClass = view.bounds.width > 700 ? .regular : .compact
                }
            }
        }
        let (split, inner) = (Split(), ViewController())
        root.addChild(split)
        root.view.addSubview(split.view)
        split.addChild(inner)
        split.view.addSubview(inner.view)
        scene.layoutIfNeeded()
        #expect(inner.view.traitCollection.horizontalSizeClass == .compact)
        split.view.bounds.size.width = 800
        scene.layoutIfNeeded()
        #expect(inner.view.traitCollection.horizontalSizeClass == .regular)
        scene.suppliedTraits.userInterfaceStyle = .dark
        scene.layoutIfNeeded()
        #expect(inner.view.traitCollection.horizontalSizeClass == .unspecified)
    }

    @Test("a presentation overrides for what it presents")
    func forPresented() throws {
        let presented = ViewController()
        let presentation = try #require(presented.presentationController)
        presentation.overrideTraitCollection = TraitCollection(userInterfaceLevel: .elevated)
        root.present(presented, animated: false)
        scene.layoutIfNeeded()
        #expect(presented.view.traitCollection.userInterfaceLevel == .elevated)
        presentation.overrideTraitCollection = nil
        scene.layoutIfNeeded()
        #expect(presented.view.traitCollection.userInterfaceLevel == .unspecified)
    }

    @Test("limits of the text size apply as soon as they are set, and to what is below")
    func contentSizes() {
        let view: View = child.view
        view.maximumContentSizeCategory = .medium
        #expect(view.traitCollection.preferredContentSizeCategory == .medium)
        view.maximumContentSizeCategory = nil
        view.minimumContentSizeCategory = .accessibilityMedium
        #expect(view.minimumContentSizeCategory == .accessibilityMedium)
        #expect(view.traitCollection.preferredContentSizeCategory == .accessibilityMedium)
        scene.suppliedTraits.preferredContentSizeCategory = .accessibilityLarge
        scene.layoutIfNeeded()
        #expect(view.traitCollection.preferredContentSizeCategory == .accessibilityLarge)
        view.maximumContentSizeCategory = .small
        #expect(view.traitCollection.preferredContentSizeCategory == .small)
        view.traitOverrides.preferredContentSizeCategory = .extraLarge
        scene.layoutIfNeeded()
        #expect(view.traitCollection.preferredContentSizeCategory == .extraLarge)
        #expect(!view.appliedContentSizeCategoryLimitsDescription.isEmpty)
    }

    @Test("a prediction is shown at once; when it proves right no handler runs on attaching")
    func prediction() {
        let (right, wrong) = (View(), View())
        var calls: [String] = []
        for (view, name, style) in [
            (right, "right", UserInterfaceStyle.light), (wrong, "wrong", .dark),
        ] {
            #expect(view.predictTraits(TraitCollection(userInterfaceStyle: style)))
            #expect(view.traitCollection.userInterfaceStyle == style)
            view.registerForTraitChanges([TraitUserInterfaceStyle.self]) { (_: View, _) in
                calls.append(name)
            }
            window.addSubview(view)
        }
        scene.layoutIfNeeded()
        #expect(calls == ["wrong"])
        #expect(wrong.traitCollection.userInterfaceStyle == .light)
        #expect(!right.predictTraits(TraitCollection(userInterfaceStyle: .dark)))
        #expect(right.traitCollection.userInterfaceStyle == .light)
    }

    @Test("a new view or controller shows the current collection, and no handler runs if it stays")
    func current() {
        let dark = TraitCollection(userInterfaceStyle: .dark)
        let (view, controller) = dark.performAsCurrent { (View(), ViewController()) }
        #expect(view.traitCollection.userInterfaceStyle == .dark)
        #expect(controller.traitCollection.userInterfaceStyle == .dark)
        #expect(!controller.isViewLoaded)
        #expect(dark.performAsCurrent { WindowScene() }.traitCollection == TraitCollection())
        var styles: [UserInterfaceStyle] = []
        view.registerForTraitChanges([TraitUserInterfaceStyle.self]) { (view: View, _) in
            styles.append(view.traitCollection.userInterfaceStyle)
        }
        let parent = View()
        #expect(parent.traitCollection == Screen.main.traitCollection, "outside of the closure")
        parent.overrideUserInterfaceStyle = .dark
        window.addSubview(parent)
        parent.addSubview(view)
        scene.layoutIfNeeded()
        #expect(styles.isEmpty)
        window.addSubview(view)
        scene.layoutIfNeeded()
        #expect(styles == [.light])
    }

    @Test("a limit of the text size holds at once in a view that stands nowhere")
    func detachedLimits() {
        let (top, below) = (View(), View())
        top.addSubview(below)
        top.traitOverrides.preferredContentSizeCategory = .small
        top.updateTraitsIfNeeded()
        below.minimumContentSizeCategory = .large
        #expect(below.traitCollection.preferredContentSizeCategory == .large)
        below.minimumContentSizeCategory = nil
        #expect(below.traitCollection.preferredContentSizeCategory == .small)
    }

    @Test("the unspecified text size is no limit")
    func unspecifiedLimit() {
        let view = View()
        view.minimumContentSizeCategory = .unspecified
        view.maximumContentSizeCategory = .unspecified
        #expect(view.minimumContentSizeCategory == nil)
        #expect(view.maximumContentSizeCategory == nil)
        window.addSubview(view)
        scene.suppliedTraits.preferredContentSizeCategory = .small
        scene.layoutIfNeeded()
        #expect(view.traitCollection.preferredContentSizeCategory == .small)
    }

    @Test("what a presentation overrides is for what it presents, not for itself")
    func ownCollection() throws {
        let presented = ViewController()
        let presentation = try #require(presented.presentationController)
        presentation.overrideTraitCollection = TraitCollection(userInterfaceLevel: .elevated)
        root.present(presented, animated: false)
        scene.layoutIfNeeded()
        #expect(presented.traitCollection.userInterfaceLevel == .elevated)
        #expect(presentation.traitCollection.userInterfaceLevel == .unspecified)
        presentation.overrideTraitCollection = TraitCollection(userInterfaceLevel: .base)
        scene.layoutIfNeeded()
        #expect(presented.view.traitCollection.userInterfaceLevel == .base)
        root.dismiss(animated: false)
        presented.updateTraitsIfNeeded()
        // Nothing of the presentation is left at the controller.
        window.rootViewController = presented
        scene.layoutIfNeeded()
        #expect(presented.traitCollection.userInterfaceLevel == .unspecified)
    }
}
