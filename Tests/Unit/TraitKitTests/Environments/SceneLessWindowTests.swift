// Windows without a scene, as most tests make them.

import KitTestSupport
import Testing
import TraitKit

@MainActor
@Suite(.ownHierarchy) struct SceneLessWindowTests {
    final class Logging: ViewController {
        var events: [String] = []
        override func viewDidLoad() { events.append("didLoad") }
        override func viewWillAppear(_ animated: Bool) { events.append("willAppear") }
        override func viewIsAppearing(_ animated: Bool) {
            events.append("isAppearing \(traitCollection.userInterfaceStyle)")
        }
        override func viewDidAppear(_ animated: Bool) { events.append("didAppear") }
    }

    @Test("the content of a window without a scene follows the window, and appears")
    func follows() {
        let window = Window(frame: .zero)
        let controller = Logging()
        window.rootViewController = controller
        window.makeKeyAndVisible()
        window.overrideUserInterfaceStyle = .dark
        window.layoutIfNeeded()
        #expect(controller.view.traitCollection.userInterfaceStyle == .dark)
        #expect(controller.events == ["didLoad", "willAppear", "isAppearing dark", "didAppear"])
    }

    @Test("a window whose scene is gone goes on by itself, and may enter another scene")
    func afterItsScene() {
        var scene: WindowScene? = WindowScene()
        let window = Window(windowScene: scene!)
        let controller = Logging()
        window.rootViewController = controller
        scene!.suppliedTraits.userInterfaceStyle = .dark
        scene!.layoutIfNeeded()
        scene = nil
        window.layoutIfNeeded()
        #expect(controller.traitCollection.userInterfaceStyle == .light)
        let other = WindowScene()
        other.suppliedTraits.userInterfaceStyle = .dark
        window.windowScene = other
        other.layoutIfNeeded()
        #expect(controller.traitCollection.userInterfaceStyle == .dark)
        #expect(controller.events == ["didLoad", "willAppear", "isAppearing dark", "didAppear"])
    }
}
