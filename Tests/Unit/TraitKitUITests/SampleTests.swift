// The samples that are written as public files for UIKit are do at run time what they do there.

import KitTestSupport
import Testing
import TraitKitUI

@testable import UIKitSamples

@MainActor
@Suite("Files as public code for UIKit has them", .ownHierarchy)
struct SampleTests {
    private let window = UIWindow(frame: CGRect(x: 0, y: 0, width: 390, height: 844))

    private func show(_ view: UIView) {
        window.addSubview(view)
        window.layoutIfNeeded()
    }

    private func show(_ controller: UIViewController) {
        window.rootViewController = controller
        window.makeKeyAndVisible()
        window.layoutIfNeeded()
    }

    private func setStyle(_ style: UIUserInterfaceStyle) {
        window.overrideUserInterfaceStyle = style
        window.layoutIfNeeded()
    }

    private func setSize(
        _ horizontal: UIUserInterfaceSizeClass, _ vertical: UIUserInterfaceSizeClass = .regular
    ) {
        window.traitOverrides.horizontalSizeClass = horizontal
        window.traitOverrides.verticalSizeClass = vertical
        window.layoutIfNeeded()
    }

    // MARK: - Life and scenes

    @Test(
        "in viewDidLoad the line true, false, true is noted; an override above is seen when the view is appearing"
    )
    func life() {
        let parent = EmbeddingController()
        show(parent)
        #expect(parent.child.line == "true, false, true")
        #expect(parent.child.printed.count == 3 && parent.child.printed.last == true)
    }

    @Test("a theme is an override of each scene, and shown by the scene on the next line")
    func theme() {
        let scenes = [UIWindowScene(), UIWindowScene()]
        let windows = scenes.map { UIWindow(windowScene: $0) }
        ThemeManager.shared.apply("ocean", style: .dark)
        #expect(scenes.allSatisfy { $0.traitCollection.managedTheme == "ocean" })
        #expect(windows.allSatisfy { $0.traitCollection.userInterfaceStyle == .dark })
        for scene in scenes { scene.layoutIfNeeded() }
        #expect(windows.allSatisfy { $0.traitCollection.managedTheme == "ocean" })
        ThemeManager.shared.reset()
        #expect(scenes.allSatisfy { $0.traitCollection.managedTheme == "system" })
    }

    @Test("a scene's delegate makes the window of the scene")
    func sceneDelegate() {
        let (scene, delegate) = (UIWindowScene(), DocumentSceneDelegate())
        delegate.scene(scene, willConnectTo: scene.session, options: UIScene.ConnectionOptions())
        #expect(delegate.window?.windowScene === scene && scene.keyWindow === delegate.window)
        delegate.sceneDidBecomeActive(scene)
        #expect(delegate.states == [.foregroundActive])
        delegate.sceneDidDisconnect(scene)
        #expect(delegate.window == nil)
    }

    @Test("an observer hears of a scene that connects")
    func observer() {
        let observer = AppObserver()
        observer.start()
        let scene = UIWindowScene()
        scene.activationState = .background
        observer.stop()
        #expect(observer.names.contains(UIScene.willConnectNotification))
        #expect(observer.names.contains(UIScene.willDeactivateNotification))
    }

    @Test("an overlay stands above the other windows, and goes to another scene")
    func overlay() {
        let (first, second) = (UIWindowScene(), UIWindowScene())
        let presenter = OverlayPresenter()
        let overlay = presenter.show(in: first)
        #expect(presenter.show(in: first) === overlay && overlay.windowLevel == .alert + 1)
        #expect(
            overlay.traitCollection.userInterfaceStyle == .dark && UIWindow.Level.toast < .statusBar
        )
        let below = UIWindow(windowScene: first)
        #expect(presenter.topWindow(of: first) === overlay && first.windows.contains(below))
        overlay.makeKeyAndVisible()
        #expect(!overlay.isKeyWindow)
        second.traitOverrides.managedTheme = "other"
        presenter.move(overlay, to: second)
        #expect(overlay.windowScene === second && presenter.topWindow(of: first) === below)
        #expect(overlay.traitCollection.managedTheme == "other")
    }

    @Test("a row of the settings sets the style of the window")
    func settings() {
        let settings = SettingsViewController()
        show(settings)
        settings.buttons[2].sendActions(for: .touchUpInside)
        #expect(window.overrideUserInterfaceStyle == .dark)
        #expect(settings.buttons.map(\.isSelected) == [false, false, true])
    }

    // MARK: - Containers

    @Test("constraints, tabs and grids follow the size classes")
    func sizeClasses() {
        let switcher = ConstraintSwitcher()
        show(switcher)
        #expect(
            switcher.compact.allSatisfy(\.isActive) && !switcher.regular.contains(where: \.isActive)
        )
        setSize(.regular)
        #expect(
            switcher.regular.allSatisfy(\.isActive) && !switcher.compact.contains(where: \.isActive)
        )
        let tabs = MainTabController()
        show(tabs)
        #expect(tabs.selectedIndex == 1 && tabs.viewControllers?.last?.tabBarItem.badgeValue == "1")
        setSize(.compact, .compact)
        #expect(tabs.tabBar.isHidden && tabs.viewControllers?.last?.tabBarItem.badgeValue == nil)
        let grid = CompositionalGrid()
        show(grid)
        #expect(grid.collectionView.sections.map { $0?.columnCount } == [2, 2])
        setSize(.regular)
        #expect(grid.collectionView.sections.map { $0?.columnCount } == [3, 4])
        let adapting = AdaptingController()
        show(adapting)
        window.traitOverrides.userInterfaceIdiom = .pad
        window.layoutIfNeeded()
        #expect(adapting.modes.first == .single && adapting.modes.last == .columns(3))
    }

    @Test("a sidebar collapses with its width, and keeps its list")
    func splitView() {
        let split = SplitSidebarController(style: .doubleColumn)
        show(split)
        setSize(.regular)
        setSize(.compact)
        #expect(split.sidebar.title == "Menu" && split.isCollapsed)
        #expect(split.sidebar.traitCollection.listEnvironment == .sidebar)
    }

    @Test("a container shows a child as on a narrow device")
    func container() {
        let (container, first, second) = (
            ContainerController(), UIViewController(), UIViewController()
        )
        show(container)
        setSize(.regular)
        container.show(first, asCompact: true)
        #expect(first.traitCollection.horizontalSizeClass == .compact)
        container.show(second)
        window.layoutIfNeeded()
        #expect(first.parent == nil && second.view.traitCollection.horizontalSizeClass == .regular)
    }

    @Test("a rotation calls before, alongside, the old callback, and after")
    func rotation() {
        let controller = LegacyRotationController()
        show(controller)
        window.traitOverrides.verticalSizeClass = .compact
        window.layoutIfNeeded()
        #expect(
            controller.log == ["will unspecified compact", "alongside", "did compact", "completed"])
    }

    @Test("sheets and popovers have what they were given")
    func presentations() {
        let presenter = PopoverPresenter()
        show(presenter)
        presenter.showPopover()
        #expect(presenter.presentedViewController === presenter.content)
        #expect(presenter.content.popoverPresentationController?.sourceView === presenter.view)
        presenter.dismiss(animated: false)
        let (sheet, content) = (SheetPresenter(), UIViewController())
        sheet.present(content, from: presenter)
        window.layoutIfNeeded()
        #expect(content.sheetPresentationController?.detents.count == 3)
        #expect(content.sheetPresentationController?.prefersGrabberVisible == true)
    }

    // MARK: - Views

    @Test("borders, shadows, bubbles and logos follow the style and the size")
    func style() throws {
        let (header, shadow) = (ProfileHeaderView(frame: .zero), ShadowView(frame: .zero))
        let sun = try #require(UIImage(systemName: "sun.max"))
        let moon = try #require(UIImage(systemName: "moon"))
        let logo = LogoView(pictures: UIImageAsset(light: sun, dark: moon))
        let bubble = ChatBubble(side: .outgoing)
        for view in [header, shadow, logo, bubble] { show(view) }
        #expect(header.nameLabel.font.weight == .heavy && logo.image?.name == "sun.max")
        setStyle(.dark)
        #expect(header.borderUpdates == 2 && shadow.refreshes == 2 && logo.image?.name == "moon")
        let dark = UITraitCollection(userInterfaceStyle: .dark)
        #expect(shadow.layer.shadowColor == UIColor.label.resolvedColor(with: dark).cgColor)
        setSize(.regular)
        bubble.isSending = true
        #expect(bubble.maximumWidth == 480 && bubble.isMarked)
    }

    @Test("cells stack their labels for large text, and configure themselves for their width")
    func cells() {
        let contact = ContactCell(style: .default, reuseIdentifier: nil)
        let product = ProductCell(frame: .zero)
        let row = HostingRowCell(frame: .zero)
        row.show("row")
        for cell in [contact, product, row] { show(cell) }
        #expect(!contact.isStacked && !product.isCompact && row.spacing == 8)
        window.traitOverrides.preferredContentSizeCategory = .accessibilityLarge
        window.traitOverrides[RowSpacingTrait.self] = 20
        setSize(.compact)
        #expect(contact.isStacked && product.isCompact && row.spacing == 20)
        #expect(product.backgroundView?.backgroundColor == .secondarySystemGroupedBackground)
    }

    @Test("a button configures itself for its style and its state")
    func button() {
        var taps = 0
        let button = RoundedButton.make(title: "Go") { taps += 1 }
        show(button)
        #expect(button.configuration?.baseBackgroundColor == .systemBlue && button.updates > 0)
        setStyle(.dark)
        #expect(button.configuration?.baseBackgroundColor == .systemGray2)
        button.isEnabled = false
        window.layoutIfNeeded()
        #expect(button.configuration?.baseForegroundColor == .tertiaryLabel)
        button.sendActions(for: .primaryActionTriggered)
        #expect(taps == 1)
    }

    @Test("text follows the text size within its limits")
    func text() {
        let badge = BadgeLabel(frame: .zero)
        show(badge)
        window.traitOverrides.preferredContentSizeCategory = .accessibilityExtraExtraExtraLarge
        window.layoutIfNeeded()
        #expect(badge.traitCollection.preferredContentSizeCategory == .accessibilityLarge)
        #expect(badge.font.pointSize <= 24 && badge.intrinsicContentSize.width == 11)
        #expect(
            DynamicTypePreview.pointSizes(of: .body) == [
                14, 15, 16, 17, 19, 21, 23, 28, 33, 40, 47, 53,
            ])
    }

    @Test("a row is mirrored from right to left, but for playback")
    func direction() {
        let row = MirroredRow(frame: .zero)
        show(row)
        #expect(!row.isMirrored)
        row.preview(language: "ar")
        window.layoutIfNeeded()
        #expect(row.isMirrored && row.slider.effectiveUserInterfaceLayoutDirection == .leftToRight)
    }

    @Test("a card speaks its title, and has a border at high contrast")
    func accessibility() {
        let card = AccessibleCard(frame: .zero)
        card.title = "Card"
        show(card)
        card.isSelected = true
        #expect(
            card.accessibilityLabel == "Card" && card.accessibilityTraits == [.button, .selected])
        #expect(card.accessibilityActivate() && card.layer.borderWidth == 0)
        window.traitOverrides.accessibilityContrast = .high
        window.layoutIfNeeded()
        #expect(card.layer.borderWidth == 2)
    }

    @Test("a property asks for the update that it needs")
    func rating() {
        let rating = RatingView(frame: .zero)
        show(rating)
        #expect(rating.drawn == [.light] && rating.propertyUpdates == 1)
        rating.rating = 3
        rating.isEnabled = false
        rating.spacing = 8
        window.layoutIfNeeded()
        #expect(rating.drawn.count == 2 && rating.propertyUpdates == 2 && rating.alpha == 0.4)
        #expect(rating.sizeThatFits(.zero).width == 132 && rating.tintAdjustmentMode == .dimmed)
    }

    // MARK: - Values

    @Test("custom traits in all forms are read where they were written")
    func traits() {
        let traits = UITraitCollection {
            $0.appTheme = .solar
            $0.density = 2
        }
        #expect(traits.appTheme == .solar && traits.density == 2)
        #expect(!traits.isContained && traits.account == nil && themeTraits.count == 2)
        let phone = UITraitCollection.phone(isLandscape: true)
        #expect(phone.verticalSizeClass == .compact && phone.displayScale == 3)
        #expect(UITraitCollection.pad.userInterfaceIdiom == .pad)
        #expect((phone + .darkAccessible).legibilityWeight == .bold)
        #expect(LayoutMode(.pad) == .columns(3) && LayoutMode(phone) == .columns(2))
        var runs = 0
        phone.performIfDifferent(from: phone.with(style: .dark)) {
            runs += UITraitCollection.current == phone ? 1 : 0
        }
        #expect(runs == 1)
    }

    @Test("colours of a brand follow style, contrast and level")
    func palette() {
        let light = UITraitCollection(userInterfaceStyle: .light)
        let dark = UITraitCollection(userInterfaceStyle: .dark)
        #expect(
            UIColor.brand.hexString(in: light) == "0a84ff"
                && UIColor.brand.hexString(in: dark) == "64d2ff")
        #expect(UIColor.brand.inverted.hexString(in: light) == "64d2ff")
        #expect(UIColor.brandText.resolvedColor(with: .darkAccessible) == .yellow)
    }

    @Test("hosted content reads a theme that UIKit's overrides set")
    func bridging() {
        let controller = BridgedThemeController()
        show(controller)
        #expect(controller.host.content?.font == "sans 17")
        controller.makeSerif()
        window.layoutIfNeeded()
        #expect(controller.host.content?.font == "serif 17")
    }
}
