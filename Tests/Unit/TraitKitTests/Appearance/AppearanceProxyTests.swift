// Appearance proxies: properties of all views of a class, by traits and containers.

import Foundation
import KitTestSupport
import Testing
import TraitKit

private class Badge: View {
    var text = "plain"
    var count = 0
}

private final class AlertBadge: Badge {}

private final class Toolbar: View {}

private final class SettingsController: ViewController {}

/// Each test has a view class of its own, since all tests of the process share the appearances.
@MainActor
@Suite("Appearance proxies", .ownHierarchy, .serialized)
struct AppearanceProxyTests {
    private let scene = WindowScene()
    private let window: Window

    init() {
        window = Window(windowScene: scene)
    }

    @Test("a value applies to views that come into a window, and to no others")
    func entering() {
        final class Mark: Badge {}
        let before = Mark()
        window.addSubview(before)
        scene.layoutIfNeeded()
        Mark.appearance().text = "set"
        scene.layoutIfNeeded()
        #expect(before.text == "plain")

        let (after, other, outside) = (Mark(), Badge(), Mark())
        window.addSubview(after)
        window.addSubview(other)
        scene.layoutIfNeeded()
        #expect(after.text == "set")
        #expect(other.text == "plain")
        #expect(outside.text == "plain")
        before.removeFromSuperview()
        window.addSubview(before)
        scene.layoutIfNeeded()
        #expect(before.text == "set")
    }

    @Test("a value for traits applies to views with these traits, and wins over one for all")
    func traits() {
        final class Mark: Badge {}
        Mark.appearance(for: TraitCollection(userInterfaceStyle: .dark)).text = "dark"
        Mark.appearance().text = "all"
        Mark.appearance(
            for: TraitCollection { traits in
                traits.userInterfaceStyle = .dark
                traits.accessibilityContrast = .high
            }
        ).text = "dark, high"
        func text(_ change: (inout TraitOverrides) -> Void) -> String {
            let (view, mark) = (View(), Mark())
            change(&view.traitOverrides)
            view.addSubview(mark)
            window.addSubview(view)
            scene.layoutIfNeeded()
            return mark.text
        }
        #expect(text { _ in } == "all")
        #expect(text { $0.userInterfaceStyle = .dark } == "dark")
        #expect(
            text {
                $0.userInterfaceStyle = .dark
                $0.accessibilityContrast = .high
            } == "dark, high")
    }

    @Test("a subclass has the values of its superclass; its own values win")
    func subclasses() {
        class Mark: Badge {}
        final class Special: Mark {}
        Special.appearance().text = "special"
        Mark.appearance().text = "mark"
        Mark.appearance().count = 3
        let special = Special()
        window.addSubview(special)
        scene.layoutIfNeeded()
        #expect(special.text == "special")
        #expect(special.count == 3)
    }

    @Test("a value for containers applies to views whose ancestors include them, in that order")
    func containers() {
        final class Mark: Badge {}
        Mark.appearance(whenContainedInInstancesOf: [Toolbar.self, SettingsController.self]).text =
            "both"
        Mark.appearance(whenContainedInInstancesOf: [Toolbar.self]).text = "toolbar"
        let (plain, inToolbar, inBoth) = (Mark(), Mark(), Mark())
        let (toolbar, innerToolbar) = (Toolbar(), Toolbar())
        let settings = SettingsController()
        window.addSubview(plain)
        window.addSubview(toolbar)
        toolbar.addSubview(inToolbar)
        window.rootViewController = settings
        settings.view.addSubview(innerToolbar)
        innerToolbar.addSubview(inBoth)
        scene.layoutIfNeeded()
        #expect(plain.text == "plain")
        #expect(inToolbar.text == "toolbar")
        #expect(inBoth.text == "both")
    }

    @Test("what the program set on the view itself stays, whichever property it is")
    func ownValues() {
        class Mark: Label {
            var size = 4.0
            var line: Color?
            private let inner = Label()
            var title: String? {
                get { inner.text }
                set { inner.text = newValue }
            }
        }
        let early = Mark()
        early.textColor = .red
        Mark.appearance().textColor = .blue
        Mark.appearance().backgroundColor = .blue
        Mark.appearance().tintColor = .blue
        Mark.appearance().font = .systemFont(ofSize: 30)
        Mark.appearance().alpha = 0.5
        Mark.appearance().size = 12
        Mark.appearance().line = .blue
        Mark.appearance().title = "proxy"
        let (own, plain) = (Mark(), Mark())
        own.textColor = .label
        own.backgroundColor = nil
        own.tintColor = .red
        own.font = .systemFont(ofSize: 8)
        own.alpha = 0.25
        own.size = 8
        own.line = .red
        own.title = "own"
        window.tintColor = .green
        for mark in [early, own, plain] { window.addSubview(mark) }
        scene.layoutIfNeeded()
        #expect(early.textColor == .red && early.backgroundColor == .blue)
        #expect(own.textColor == .label && own.backgroundColor == nil && own.tintColor == .red)
        #expect(own.font == .systemFont(ofSize: 8) && own.alpha == 0.25 && own.size == 8)
        #expect(own.line == .red && own.title == "own")
        #expect(plain.textColor == .blue && plain.backgroundColor == .blue)
        #expect(plain.tintColor == .blue && plain.font == .systemFont(ofSize: 30))
        #expect(plain.alpha == 0.5 && plain.size == 12 && plain.line == .blue)
        #expect(plain.title == "proxy")
        // A proxy's value gives way to the proxy's next one; what the program set since stays.
        plain.size = 20
        Mark.appearance().size = 14
        Mark.appearance().line = .yellow
        Mark.appearance().textColor = .yellow
        plain.removeFromSuperview()
        window.addSubview(plain)
        scene.layoutIfNeeded()
        #expect(plain.size == 20 && plain.line == .yellow && plain.textColor == .yellow)
    }

    @Test("a value for more containers wins over one for a nearer class, both over one for traits")
    func specificity() {
        class Mark: Badge {}
        final class Special: Mark {}
        Special.appearance().text = "class"
        Mark.appearance(whenContainedInInstancesOf: [Toolbar.self]).text = "contained"
        Special.appearance(for: TraitCollection(userInterfaceStyle: .dark)).count = 1
        Mark.appearance(whenContainedInInstancesOf: [Toolbar.self]).count = 2
        let (inside, outside, toolbar) = (Special(), Special(), Toolbar())
        toolbar.overrideUserInterfaceStyle = .dark
        toolbar.addSubview(inside)
        window.addSubview(toolbar)
        window.addSubview(outside)
        scene.layoutIfNeeded()
        #expect(inside.text == "contained" && inside.count == 2)
        #expect(outside.text == "class" && outside.count == 0)
    }

    @Test("a property that needs a view which is not there yet is not read")
    func outlets() {
        final class Mark: View {
            private var inner: Label!
            var title: String? {
                get { inner.text }
                set { inner.text = newValue }
            }

            override init(frame: Rect) {
                super.init(frame: frame)
                inner = Label()
            }

            required init?(coder: NSCoder) { nil }
        }
        Mark.appearance().title = "proxy"
        let mark = Mark()
        window.addSubview(mark)
        scene.layoutIfNeeded()
        #expect(mark.title == "proxy")
    }

    @Test("the last value counts, and can be read back")
    func readingBack() {
        final class Mark: Badge {}
        Mark.appearance().text = "first"
        Mark.appearance().text = "second"
        #expect(Mark.appearance().text == "second")
        let mark = Mark()
        window.addSubview(mark)
        scene.layoutIfNeeded()
        #expect(mark.text == "second")
    }
}
