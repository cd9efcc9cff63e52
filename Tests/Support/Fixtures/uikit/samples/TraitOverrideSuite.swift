// Tests of traits, as an app that left XCTest has them.

import Testing
import TraitKitUI

private struct TestedTrait: UITraitDefinition {
    static let defaultValue = 0
}

@MainActor
@Suite("Overrides of traits")
struct TraitOverrideSuite {
    let window: UIWindow
    let sut: UIViewController

    init() {
        window = UIWindow(frame: CGRect(x: 0, y: 0, width: 390, height: 844))
        sut = UIViewController()
        window.rootViewController = sut
        window.makeKeyAndVisible()
        sut.loadViewIfNeeded()
    }

    @Test("an override is shown on the next line")
    func overrideIsShown() throws {
        sut.traitOverrides[TestedTrait.self] = 3
        #expect(sut.traitCollection[TestedTrait.self] == 3)
        sut.view.layoutIfNeeded()
        let view = try #require(sut.view)
        #expect(view.traitCollection[TestedTrait.self] == 3)
    }

    @Test(
        "a handler gets the collection before the change",
        arguments: [UIUserInterfaceStyle.light, .dark])
    func handler(style: UIUserInterfaceStyle) {
        let first: UIUserInterfaceStyle = style == .light ? .dark : .light
        sut.overrideUserInterfaceStyle = first
        var seen: [UIUserInterfaceStyle] = []
        let registration = sut.registerForTraitChanges([UITraitUserInterfaceStyle.self]) {
            (controller: UIViewController, previous: UITraitCollection) in
            seen = [previous.userInterfaceStyle, controller.traitCollection.userInterfaceStyle]
        }
        sut.overrideUserInterfaceStyle = style
        #expect(seen == [first, style])
        sut.unregisterForTraitChanges(registration)
    }

    @Test("the sizes of a window without a scene are given by hand")
    func sizeClasses() {
        window.traitOverrides.horizontalSizeClass = .compact
        window.layoutIfNeeded()
        #expect(sut.traitCollection.horizontalSizeClass == .compact)
        #expect(sut.view.traitCollection.verticalSizeClass == .unspecified)
    }
}
