// The traits before the first update: those of the main screen, in a process without scenes and in one
// with scenes.

import KitTestSupport
import Testing
import TraitKit

@MainActor
@Suite("Traits before the first update", .ownHierarchy)
struct FirstTraitsTests {
    private func style(_ environment: some TraitEnvironment) -> UserInterfaceStyle {
        environment.traitCollection.userInterfaceStyle
    }

    @Test("without scenes everything is light from the start, and the first update makes no call")
    func light() {
        #expect(TraitCollection.current.userInterfaceStyle == .light)
        #expect(Screen.main.traitCollection == TraitCollection(userInterfaceStyle: .light))
        let window = Window(frame: .zero)
        let controller = ViewController()
        let view = View()
        var calls = 0
        for environment in [window, controller, view] as [Responder] {
            environment.registerForTraitChanges([TraitUserInterfaceStyle.self]) {
                (_: Responder, _) in calls += 1
            }
            #expect(style(environment) == .light)
        }
        window.rootViewController = controller
        controller.view.addSubview(view)
        window.makeKeyAndVisible()
        #expect(style(controller) == .light && style(controller.view) == .light)
        window.layoutIfNeeded()
        #expect(calls == 0)
        #expect(style(view) == .light && style(window.screen) == .light)
        window.overrideUserInterfaceStyle = .dark
        #expect(style(window) == .dark && style(controller.view) == .light && calls == 1)
        window.layoutIfNeeded()
        #expect(style(view) == .dark && calls == 3)
    }

    @Test("a controller that loads its view, and a presentation controller, are light")
    func controllers() throws {
        final class Loading: ViewController {
            var seen: [UserInterfaceStyle] = []
            override func viewDidLoad() {
                super.viewDidLoad()
                seen = [traitCollection, view.traitCollection, .current].map(\.userInterfaceStyle)
            }
        }
        let controller = Loading()
        controller.loadViewIfNeeded()
        #expect(controller.seen == [.light, .light, .light])
        #expect(style(try #require(controller.presentationController)) == .light)
    }

    @Test("a colour outside of updates is the main screen's; a thread has no screen")
    func colors() async {
        let color = Color { $0.userInterfaceStyle == .light ? .green : .red }
        #expect(color.cgColor == Color.green.cgColor)
        let elsewhere = await Task.detached { TraitCollection.current }.value
        #expect(elsewhere == TraitCollection())
    }

    @Test("what the program supplies to the main screen holds for what is made then")
    func supplied() {
        let early = Window()
        Screen.main.suppliedTraits.userInterfaceStyle = .dark
        Screen.main.suppliedTraits.displayScale = 3
        #expect(TraitCollection.current.userInterfaceStyle == .dark && Screen.main.scale == 3)
        let (window, view) = (Window(), View())
        #expect(style(window) == .dark && style(view) == .dark)
        #expect(window.traitCollection.displayScale == 3)
        #expect(style(early) == .light, "waits for its update")
        early.layoutIfNeeded()
        #expect(style(early) == .dark)
    }

    @Test("with a scene the main screen has the scene's supplied traits, and nothing else")
    func scenes() {
        var scene: WindowScene? = WindowScene()
        #expect(TraitCollection.current == TraitCollection())
        #expect(View().traitCollection == TraitCollection())
        scene!.suppliedTraits.userInterfaceStyle = .dark
        scene!.traitOverrides.displayScale = 2
        let dark = TraitCollection(userInterfaceStyle: .dark)
        #expect(Screen.main.traitCollection == dark && TraitCollection.current == dark)
        #expect(Screen.main === scene!.screen)
        let window = Window(windowScene: scene!)
        #expect(style(window) == .dark && window.traitCollection.displayScale == 2)
        #expect(style(View()) == .dark && style(Window()) == .dark)
        let alone = Window()
        scene = nil
        #expect(Screen.main.traitCollection.userInterfaceStyle == .light)
        alone.layoutIfNeeded()
        #expect(style(alone) == .light)
    }
}
