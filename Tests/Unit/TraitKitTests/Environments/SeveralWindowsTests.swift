// Several windows: which is the key window, and what a window shows that goes from one scene to another.

import KitTestSupport
import Testing
import TraitKit

@MainActor
@Suite("Several windows", .ownHierarchy)
struct SeveralWindowsTests {
    @Test("of the windows without a scene one is the key window, as in a scene")
    func keyWindow() {
        let (first, second) = (Window(frame: .zero), Window(frame: .zero))
        #expect(!first.isKeyWindow && Application.shared.keyWindow == nil)
        first.isHidden = true
        first.makeKeyAndVisible()
        #expect(first.isKeyWindow && !first.isHidden && Application.shared.keyWindow === first)
        second.makeKeyAndVisible()
        #expect(!first.isKeyWindow && second.isKeyWindow)
        let scene = WindowScene()
        let inScene = Window(windowScene: scene)
        #expect(!inScene.isKeyWindow && second.isKeyWindow)
        inScene.makeKeyAndVisible()
        #expect(
            inScene.isKeyWindow && second.isKeyWindow && Application.shared.keyWindow === inScene)
    }

    @Test(
        "a window that goes to another scene takes that scene's traits in its update, with one call"
    )
    func move() {
        let (light, dark) = (WindowScene(), WindowScene())
        light.suppliedTraits.userInterfaceStyle = .light
        dark.suppliedTraits.userInterfaceStyle = .dark
        let (window, view) = (Window(windowScene: light), View())
        window.addSubview(view)
        light.layoutIfNeeded()
        var calls: [UserInterfaceStyle] = []
        view.registerForTraitChanges([TraitUserInterfaceStyle.self]) {
            (view: View, _: TraitCollection) in
            calls.append(view.traitCollection.userInterfaceStyle)
        }
        window.windowScene = dark
        dark.layoutIfNeeded()
        #expect(calls == [.dark] && window.traitCollection.userInterfaceStyle == .dark)
        #expect(light.windows.isEmpty && dark.windows == [window])
        dark.traitOverrides.userInterfaceStyle = .light
        #expect(dark.traitCollection.userInterfaceStyle == .light && calls == [.dark])
        window.updateTraitsIfNeeded()
        #expect(calls == [.dark, .light])
    }

    @Test(
        "a method of a controller runs again for its view's traits, also once the view is another one"
    )
    func tracking() {
        final class Reading: ViewController {
            var read: [UserInterfaceSizeClass] = []
            override func viewWillLayoutSubviews() {
                super.viewWillLayoutSubviews()
                read.append(view.traitCollection.horizontalSizeClass)
            }
        }
        let (window, controller) = (Window(frame: .zero), Reading())
        window.rootViewController = controller
        window.layoutIfNeeded()
        controller.view.traitOverrides.horizontalSizeClass = .compact
        window.layoutIfNeeded()
        #expect(controller.read == [.unspecified, .compact])
        controller.view = View()
        window.addSubview(controller.view)
        window.layoutIfNeeded()
        controller.view.traitOverrides.horizontalSizeClass = .regular
        window.layoutIfNeeded()
        #expect(controller.read.last == .regular)
    }
}
