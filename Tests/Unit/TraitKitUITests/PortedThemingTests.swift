// What a theming library does with traits, as such libraries are written for UIKit, with only the
// import changed: a theme is a trait, which views and controllers override, read and observe.

import Foundation
import KitTestSupport
import Testing
import TraitKitUI

public enum Theme: String, CaseIterable, Sendable {
    case plain, ocean, forest

    var tint: UIColor {
        switch self {
        case .plain: .systemBlue
        case .ocean: UIColor(light: .cyan, dark: .blue)
        case .forest: UIColor(light: .green, dark: .brown)
        }
    }
}

private struct ThemeTrait: UITraitDefinition {
    static let defaultValue = Theme.plain
    static let affectsColorAppearance = true
    static let name = "theme"
    static let identifier = "com.example.theming"
}

extension UITraitCollection {
    fileprivate var theme: Theme { self[ThemeTrait.self] }
}

extension UIMutableTraits {
    fileprivate var theme: Theme {
        get { self[ThemeTrait.self] }
        set { self[ThemeTrait.self] = newValue }
    }
}

private struct ThemeKey: UITraitBridgedEnvironmentKey {
    static let defaultValue = Theme.plain
    static func read(from traitCollection: UITraitCollection) -> Theme { traitCollection.theme }
    static func write(to mutableTraits: inout UIMutableTraits, value: Theme) {
        mutableTraits.theme = value
    }
}

extension EnvironmentValues {
    fileprivate var theme: Theme {
        get { self[ThemeKey.self] }
        set { self[ThemeKey.self] = newValue }
    }
}

extension UIColor {
    fileprivate convenience init(light: UIColor, dark: UIColor) {
        self.init { traits in traits.userInterfaceStyle == .dark ? dark : light }
    }

    fileprivate static let themed = UIColor { $0.theme.tint.resolvedColor(with: $0) }
}

/// Whatever has a theme: views and controllers.
@MainActor
private protocol Themeable: UITraitEnvironment, UITraitChangeObservable {
    var traitOverrides: UITraitOverrides { get set }
}

extension UIView: Themeable {}
extension UIViewController: Themeable {}

extension Themeable {
    fileprivate var theme: Theme {
        get { traitCollection.theme }
        set { traitOverrides.theme = newValue }
    }

    fileprivate func clearTheme() { traitOverrides.remove(ThemeTrait.self) }
}

@MainActor
@Suite("What a theming library does", .ownHierarchy) struct PortedThemingTests {
    private let window = UIWindow(frame: .zero)
    private let root = UIViewController()
    private let card = UIView()

    init() {
        window.rootViewController = root
        root.view.addSubview(card)
        window.layoutIfNeeded()
    }

    @Test("a controller has its theme on the next line; its view has it after a layout")
    func atOnce() {
        var seen: [Theme] = []
        root.registerForTraitChanges([ThemeTrait.self]) { (root: UIViewController, previous) in
            seen += [previous.theme, root.theme]
        }
        root.theme = .ocean
        #expect(root.theme == .ocean)
        #expect(seen == [.plain, .ocean])
        #expect(card.theme == .plain)
        window.layoutIfNeeded()
        #expect(card.theme == .ocean)
        root.clearTheme()
        #expect(root.theme == .plain)
        #expect(seen == [.plain, .ocean, .ocean, .plain])
    }

    @Test("a detached controller has its theme at once, and keeps it when the override goes")
    func detached() {
        let controller = UIViewController()
        controller.theme = .forest
        #expect(controller.theme == .forest)
        #expect(!controller.isViewLoaded)
        controller.clearTheme()
        #expect(controller.theme == .forest)
        #expect(!controller.traitOverrides.contains(ThemeTrait.self))
    }

    @Test("a view has its theme after an update of its own, and colours follow both traits")
    func view() {
        card.theme = .forest
        #expect(card.theme == .plain)
        card.updateTraitsIfNeeded()
        #expect(card.theme == .forest)
        card.tintColor = .themed
        #expect(card.tintColor.resolvedColor(with: card.traitCollection) == .green)
        card.overrideUserInterfaceStyle = .dark
        card.updateTraitsIfNeeded()
        #expect(card.tintColor.resolvedColor(with: card.traitCollection) == .brown)
    }

    @Test("content of SwiftUI reads the theme by its bridged key")
    func bridged() {
        var themes: [Theme] = []
        let hosting = UIHostingController { environment in themes.append(environment.theme) }
        root.addChild(hosting)
        root.view.addSubview(hosting.view)
        hosting.didMove(toParent: root)
        root.theme = .ocean
        window.layoutIfNeeded()
        #expect(themes.last == .ocean)
        hosting.traitOverrides[ThemeTrait.self] = .forest
        window.layoutIfNeeded()
        #expect(themes.last == .forest)
    }

    @Test("views of one theme are counted in a set, and a view is found by equality")
    func sets() {
        let other = UIView()
        root.view.addSubview(other)
        let themed: Set<UIView> = [card, other, card]
        #expect(themed.count == 2 && themed.contains(other))
        #expect(root.view.subviews.firstIndex(of: other) == 1)
        #expect(card.superview == root.view && card != other)
        let names: [UIViewController: Theme] = [root: root.theme]
        #expect(names[root] == .plain)
    }
}
