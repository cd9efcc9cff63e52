// From "Unleash the UIKit trait system": a custom theme trait, a dynamic colour that goes by it, and
// an override that is toggled.

import KitTestSupport
import Testing
import TraitKit

// Sample 000.2
// Implementing a custom theme trait

private enum MyAppTheme: Int {
    case standard, pastel, bold, monochrome
}

private struct MyAppThemeTrait: TraitDefinition {
    static let defaultValue = MyAppTheme.standard
    static let affectsColorAppearance = true
    static let name = "Theme"
    static let identifier = "com.myapp.theme"
}

extension TraitCollection {
    fileprivate var myAppTheme: MyAppTheme { self[MyAppThemeTrait.self] }
}

extension MutableTraits {
    fileprivate var myAppTheme: MyAppTheme {
        get { self[MyAppThemeTrait.self] }
        set { self[MyAppThemeTrait.self] = newValue }
    }
}
// End of sample 000.2

@MainActor
private final class ThemeController: ViewController {
    // Sample 000.3
    func toggleThemeOverride(_ overrideTheme: MyAppTheme) {
        if view.traitOverrides.contains(MyAppThemeTrait.self) {
            // There's an existing theme override; remove it
            view.traitOverrides.remove(MyAppThemeTrait.self)
        } else {
            // There's no existing theme override; apply one
            view.traitOverrides.myAppTheme = overrideTheme
        }
    }
    // End of sample 000.3
}

@MainActor
@Suite(.ownHierarchy) struct CustomThemeTests {
    private let scene = WindowScene()

    private func fillCatalog() {
        ColorCatalog.main.add("StandardBackground", .white)
        ColorCatalog.main.add("PastelBackground", Color(red: 0.9, green: 0.8, blue: 0.9))
        ColorCatalog.main.add("BoldBackground", .red)
        ColorCatalog.main.add("MonochromeBackground", Color(white: 0.5))
    }

    @Test(
        "a dynamic colour goes by the theme, and a view with it draws anew when the theme changes")
    func dynamicColor() {
        fillCatalog()

        // Sample 000.2
        // Using a custom theme trait

        let customBackgroundColor = Color { traitCollection in
            switch traitCollection.myAppTheme {
            case .standard: return Color(named: "StandardBackground")!
            case .pastel: return Color(named: "PastelBackground")!
            case .bold: return Color(named: "BoldBackground")!
            case .monochrome: return Color(named: "MonochromeBackground")!
            }
        }

        let view = View()
        view.backgroundColor = customBackgroundColor
        // End of sample 000.2

        let window = Window(windowScene: scene)
        window.addSubview(view)
        scene.layoutIfNeeded()
        #expect(!view.needsDisplay)
        #expect(
            view.backgroundColor?.resolvedColor(with: view.traitCollection).cgColor
                == Color.white.cgColor)

        window.traitOverrides.myAppTheme = .bold
        view.updateTraitsIfNeeded()
        #expect(view.needsDisplay)
        #expect(
            view.backgroundColor?.resolvedColor(with: view.traitCollection).cgColor
                == Color.red.cgColor)
    }

    @Test("an override is applied, flows down with the update, and is removed again")
    func toggling() {
        let window = Window(windowScene: scene)
        let controller = ThemeController()
        let leaf = View()
        window.rootViewController = controller
        controller.view.addSubview(leaf)
        scene.layoutIfNeeded()

        controller.toggleThemeOverride(.pastel)
        #expect(controller.view.traitOverrides.myAppTheme == .pastel)
        #expect(leaf.traitCollection.myAppTheme == .standard)
        scene.layoutIfNeeded()
        #expect(controller.view.traitCollection.myAppTheme == .pastel)
        #expect(leaf.traitCollection.myAppTheme == .pastel)
        #expect(controller.traitCollection.myAppTheme == .standard)

        controller.toggleThemeOverride(.bold)
        scene.layoutIfNeeded()
        #expect(leaf.traitCollection.myAppTheme == .standard)
    }

    @Test("the definition's optional members are as declared")
    func definition() {
        #expect(MyAppThemeTrait.name == "Theme")
        #expect(MyAppThemeTrait.identifier == "com.myapp.theme")
        #expect(MyAppThemeTrait.affectsColorAppearance)
    }
}
