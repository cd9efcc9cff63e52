// From "Unleash the UIKit trait system": a trait and an environment key over the same data.

import KitTestSupport
import Testing
import TraitKit

// Sample 000.4
private enum MyAppTheme: Int {
    case standard, pastel, bold, monochrome
}

// Custom UIKit trait
private struct MyAppThemeTrait: TraitDefinition {
    static let defaultValue = MyAppTheme.standard
    static let affectsColorAppearance = true
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

// Custom SwiftUI environment key
private struct MyAppThemeKey: EnvironmentKey {
    static let defaultValue = MyAppTheme.standard
}

extension EnvironmentValues {
    fileprivate var myAppTheme: MyAppTheme {
        get { self[MyAppThemeKey.self] }
        set { self[MyAppThemeKey.self] = newValue }
    }
}

// Bridge SwiftUI environment key with UIKit trait
extension MyAppThemeKey: TraitBridgedEnvironmentKey {
    static func read(from traitCollection: TraitCollection) -> MyAppTheme {
        traitCollection.myAppTheme
    }

    static func write(to mutableTraits: inout MutableTraits, value: MyAppTheme) {
        mutableTraits.myAppTheme = value
    }
}
// End of sample 000.4

@MainActor
@Suite(.ownHierarchy) struct BridgingTests {
    @Test("content in a cell reads the scene's override, and is made anew when it changes")
    func reading() {
        let scene = WindowScene()
        let window = Window(windowScene: scene)
        scene.traitOverrides.myAppTheme = .monochrome
        let cell = CollectionViewCell()
        window.addSubview(cell)
        var evaluations = 0
        let configuration = HostingConfiguration { environment in
            evaluations += 1
            return environment.myAppTheme
        }
        cell.contentConfiguration = configuration
        scene.layoutIfNeeded()
        let hosting = cell.contentView as? HostingView<MyAppTheme>
        #expect(hosting?.content == .monochrome)
        #expect(evaluations == 1)

        scene.layoutIfNeeded()
        #expect(evaluations == 1)
        scene.traitOverrides.myAppTheme = .bold
        scene.layoutIfNeeded()
        #expect(hosting?.content == .bold)
        #expect(evaluations == 2)
    }

    @Test("what SwiftUI sets is an override for the views inside")
    func writing() {
        let scene = WindowScene()
        let window = Window(windowScene: scene)
        scene.traitOverrides.myAppTheme = .monochrome
        let hosting = HostingConfiguration { $0.myAppTheme }
            .environment(\.myAppTheme, .pastel).makeHostingView()
        let inner = View()
        window.addSubview(hosting)
        hosting.addSubview(inner)
        scene.layoutIfNeeded()
        #expect(hosting.content == .pastel)
        #expect(inner.traitCollection.myAppTheme == .pastel)
        #expect(window.traitCollection.myAppTheme == .monochrome)
    }
}
