// Presentations that adapt to size classes, popovers, presentation controllers of the program, and
// windows whose size changes.

import Foundation
import KitTestSupport
import Testing
import TraitKit

@MainActor
private final class Delegate: AdaptivePresentationControllerDelegate {
    var style = ModalPresentationStyle.none
    var calls: [String] = []

    func adaptivePresentationStyle(
        for controller: PresentationController, traitCollection: TraitCollection
    ) -> ModalPresentationStyle {
        calls.append("asked \(traitCollection.horizontalSizeClass)")
        return style
    }

    func presentationController(
        _ presentationController: PresentationController,
        willPresentWithAdaptiveStyle style: ModalPresentationStyle,
        transitionCoordinator: (any ViewControllerTransitionCoordinator)?
    ) {
        calls.append("will \(style.rawValue)")
    }
}

/// A delegate with the older method alone.
@MainActor
private final class CompactDelegate: AdaptivePresentationControllerDelegate {
    func adaptivePresentationStyle(for controller: PresentationController) -> ModalPresentationStyle
    {
        .overFullScreen
    }
}

@MainActor
private final class Vending: ViewControllerTransitioningDelegate {
    final class Presentation: PresentationController {}

    func presentationController(
        forPresented presented: ViewController, presenting: ViewController?, source: ViewController
    ) -> PresentationController? {
        Presentation(presentedViewController: presented, presenting: presenting)
    }
}

@MainActor
@Suite("Presentations that adapt", .ownHierarchy)
struct AdaptivePresentationTests {
    private let scene = WindowScene()
    private let window: Window
    private let root = ViewController()
    private let content = ViewController()

    init() {
        scene.suppliedTraits.horizontalSizeClass = .regular
        window = Window(windowScene: scene)
        window.rootViewController = root
        scene.layoutIfNeeded()
    }

    private func present(_ style: ModalPresentationStyle) {
        content.modalPresentationStyle = style
        root.present(content, animated: false)
        scene.layoutIfNeeded()
    }

    @Test("the delegate is asked for each size class of the window, and its style has its traits")
    func delegate() throws {
        content.modalPresentationStyle = .formSheet
        let presentation = try #require(content.presentationController)
        let delegate = Delegate()
        presentation.delegate = delegate
        present(.formSheet)
        #expect(delegate.calls == ["asked regular", "will -1"])
        #expect(content.traitCollection.userInterfaceLevel == .elevated)
        #expect(content.traitCollection.horizontalSizeClass == .compact)

        delegate.calls = []
        delegate.style = .fullScreen
        scene.suppliedTraits.horizontalSizeClass = .compact
        scene.layoutIfNeeded()
        #expect(delegate.calls == ["asked compact", "will 0"])
        #expect(content.traitCollection.userInterfaceLevel == .unspecified)
        #expect(presentation.presentationStyle == .formSheet)
        #expect(content.activePresentationController === presentation)

        delegate.style = .none
        scene.suppliedTraits.horizontalSizeClass = .regular
        scene.layoutIfNeeded()
        #expect(content.traitCollection.userInterfaceLevel == .elevated)
        #expect(content.traitCollection.horizontalSizeClass == .compact)
    }

    @Test("the content takes its new traits in the same update, and other traits ask nothing")
    func sameUpdate() throws {
        content.modalPresentationStyle = .pageSheet
        let delegate = Delegate()
        try #require(content.presentationController).delegate = delegate
        present(.pageSheet)
        var levels: [UserInterfaceLevel] = []
        content.registerForTraitChanges([TraitUserInterfaceLevel.self]) {
            (content: ViewController, _) in
            levels.append(content.traitCollection.userInterfaceLevel)
        }
        delegate.calls = []
        scene.traitOverrides.userInterfaceStyle = .dark
        scene.layoutIfNeeded()
        #expect(delegate.calls.isEmpty)
        delegate.style = .overFullScreen
        scene.suppliedTraits.horizontalSizeClass = .compact
        scene.layoutIfNeeded()
        #expect(levels == [.unspecified])
    }

    @Test("a style that a delegate may not answer counts as none")
    func invalidStyle() throws {
        content.modalPresentationStyle = .pageSheet
        let delegate = Delegate()
        delegate.style = .popover
        try #require(content.presentationController).delegate = delegate
        present(.pageSheet)
        #expect(delegate.calls.last == "will -1")
        #expect(content.traitCollection.horizontalSizeClass == .regular)
    }

    @Test("the method without traits counts in compact width alone")
    func compactDelegate() throws {
        let presentation = try #require(content.presentationController)
        #expect(presentation.adaptivePresentationStyle == .none)
        let delegate = CompactDelegate()
        presentation.delegate = delegate
        #expect(presentation.adaptivePresentationStyle == .overFullScreen)
        let regular = TraitCollection(horizontalSizeClass: .regular)
        #expect(presentation.adaptivePresentationStyle(for: regular) == .none)
    }

    @Test("a popover is elevated and compact, and full screen in compact width")
    func popover() {
        present(.popover)
        #expect(content.traitCollection.userInterfaceLevel == .elevated)
        #expect(content.traitCollection.horizontalSizeClass == .compact)
        scene.suppliedTraits.horizontalSizeClass = .compact
        scene.layoutIfNeeded()
        #expect(content.traitCollection.userInterfaceLevel == .unspecified)
    }

    @Test("a sheet is full screen in compact height")
    func compactHeight() {
        present(.pageSheet)
        #expect(content.traitCollection.userInterfaceLevel == .elevated)
        scene.suppliedTraits.verticalSizeClass = .compact
        scene.layoutIfNeeded()
        #expect(content.traitCollection.userInterfaceLevel == .unspecified)
    }

    @Test("supplied traits of the program stay while the style stays")
    func supplied() throws {
        content.modalPresentationStyle = .pageSheet
        let sheet = try #require(content.sheetPresentationController)
        sheet.suppliedTraits.userInterfaceLevel = .base
        present(.pageSheet)
        scene.suppliedTraits.horizontalSizeClass = .compact
        scene.layoutIfNeeded()
        #expect(content.traitCollection.userInterfaceLevel == .base)
    }

    @Test("the transitioning delegate makes the presentation controller of a custom style")
    func custom() throws {
        let vending = Vending()
        content.transitioningDelegate = vending
        present(.custom)
        #expect(content.presentationController is Vending.Presentation)
        #expect(content.presentationController?.presentedView === content.view)
    }

    @Test("heights of a sheet are resolved by the traits and the height of its container")
    func detents() throws {
        content.modalPresentationStyle = .pageSheet
        let sheet = try #require(content.sheetPresentationController)
        sheet.detents = [
            .medium(), .large(),
            .custom(identifier: .init("third")) { context in
                context.containerTraitCollection.userInterfaceStyle == .dark
                    ? nil : context.maximumDetentValue / 3
            },
        ]
        window.frame = CGRect(x: 0, y: 0, width: 400, height: 900)
        present(.pageSheet)
        #expect(sheet.detents.map { $0.resolvedValue(in: sheet) } == [450, 900, 300])
        #expect(sheet.detents.map(\.identifier) == [.medium, .large, .init("third")])
        scene.traitOverrides.userInterfaceStyle = .dark
        scene.traitOverrides.verticalSizeClass = .compact
        scene.layoutIfNeeded()
        #expect(sheet.detents.map { $0.resolvedValue(in: sheet) } == [nil, 900, nil])
    }
}

@MainActor
private final class SizedController: ViewController {
    var log: [String] = []

    override func viewWillTransition(
        to size: CGSize, with coordinator: any ViewControllerTransitionCoordinator
    ) {
        super.viewWillTransition(to: size, with: coordinator)
        log.append("will \(Int(view.bounds.width)) to \(Int(size.width))")
        coordinator.animate(
            alongsideTransition: { _ in self.log.append("alongside \(Int(self.view.bounds.width))")
            },
            completion: { _ in self.log.append("completion") })
    }

    override func viewDidLayoutSubviews() { log.append("layout") }
}

@MainActor
@Suite("Windows whose size changes", .ownHierarchy) struct WindowSizeTests {
    @Test("controllers hear of the new size first, then their views have it, then they lay out")
    func order() {
        let scene = WindowScene()
        let window = Window(windowScene: scene)
        window.frame = CGRect(x: 0, y: 0, width: 300, height: 600)
        let (root, presented) = (SizedController(), SizedController())
        window.rootViewController = root
        #expect(root.view.bounds.width == 300)
        root.present(presented, animated: false)
        scene.layoutIfNeeded()
        (root.log, presented.log) = ([], [])

        window.bounds.size = CGSize(width: 600, height: 300)
        #expect(root.log == ["will 300 to 600", "alongside 600"])
        #expect(presented.log.first == "will 0 to 600")
        scene.layoutIfNeeded()
        #expect(root.log == ["will 300 to 600", "alongside 600", "layout", "completion"])

        root.log = []
        window.bounds.size = CGSize(width: 600, height: 300)
        scene.layoutIfNeeded()
        #expect(root.log.isEmpty)
    }

    @Test("child controllers hear of the size through their parent")
    func children() {
        let window = Window(windowScene: WindowScene())
        let (parent, child) = (ViewController(), SizedController())
        window.rootViewController = parent
        parent.addChild(child)
        window.bounds.size = CGSize(width: 20, height: 10)
        #expect(child.log.first == "will 0 to 20")
    }
}
