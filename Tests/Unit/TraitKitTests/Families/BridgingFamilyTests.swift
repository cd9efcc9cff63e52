// Traits and environment keys over one storage.

import KitTestSupport
import Testing
import TraitKit

private struct ThemeKey: EnvironmentKey {
    static let defaultValue = -1
}

extension ThemeKey: TraitBridgedEnvironmentKey {
    static func read(from traitCollection: TraitCollection) -> Int {
        traitCollection[ThemeTrait.self]
    }

    static func write(to mutableTraits: inout MutableTraits, value: Int) {
        mutableTraits[ThemeTrait.self] = value
    }
}

private struct DirectionKey: TraitBridgedEnvironmentKey {
    static let defaultValue = false

    static func read(from traitCollection: TraitCollection) -> Bool {
        traitCollection.layoutDirection == .rightToLeft
    }

    static func write(to mutableTraits: inout MutableTraits, value: Bool) {
        mutableTraits.layoutDirection = value ? .rightToLeft : .leftToRight
    }
}

private struct Insets: Equatable {
    var top = 0
    var bottom = 0
}

private struct InsetsTrait: TraitDefinition {
    static let defaultValue = Insets()
}

private struct InsetsKey: TraitBridgedEnvironmentKey {
    static let defaultValue = Insets()

    static func read(from traitCollection: TraitCollection) -> Insets {
        traitCollection[InsetsTrait.self]
    }

    static func write(to mutableTraits: inout MutableTraits, value: Insets) {
        mutableTraits[InsetsTrait.self] = value
    }
}

private struct PlainKey: EnvironmentKey {
    static let defaultValue = "plain"
}

extension EnvironmentValues {
    fileprivate var theme: Int {
        get { self[ThemeKey.self] }
        set { self[ThemeKey.self] = newValue }
    }

    fileprivate var isRightToLeft: Bool {
        get { self[DirectionKey.self] }
        set { self[DirectionKey.self] = newValue }
    }

    fileprivate var insets: Insets {
        get { self[InsetsKey.self] }
        set { self[InsetsKey.self] = newValue }
    }

    fileprivate var plain: String {
        get { self[PlainKey.self] }
        set { self[PlainKey.self] = newValue }
    }
}

@MainActor
@Suite(.ownHierarchy) struct BridgingFamilyTests {
    private let scene = WindowScene()
    private let window: Window
    private let cell = TableViewCell()

    init() {
        window = Window(windowScene: scene)
        window.addSubview(cell)
    }

    @Test("B01, B03: content in a cell reads the scene's override, and again when it changes")
    func reading() throws {
        scene.traitOverrides[ThemeTrait.self] = 2
        var contents: [Int] = []
        cell.contentConfiguration = HostingConfiguration { contents.append($0.theme) }
        scene.layoutIfNeeded()
        #expect(contents == [2])
        scene.traitOverrides[ThemeTrait.self] = 4
        scene.layoutIfNeeded()
        #expect(contents == [2, 4])
        scene.traitOverrides.userInterfaceStyle = .dark
        scene.layoutIfNeeded()
        #expect(contents == [2, 4])
    }

    @Test("a bridged key reads the trait's default, not its own; another key its own")
    func defaults() {
        #expect(EnvironmentValues().theme == 0)
        #expect(EnvironmentValues().plain == "plain")
    }

    @Test("what was written is read, through the trait or beside it")
    func roundTrip() {
        var environment = EnvironmentValues()
        environment.theme = 3
        environment.isRightToLeft = true
        environment.plain = "other"
        #expect(environment.theme == 3)
        #expect(environment.isRightToLeft)
        #expect(environment.plain == "other")
        #expect(environment.traitCollection[ThemeTrait.self] == 3)
        #expect(environment.traitCollection.layoutDirection == .rightToLeft)
    }

    @Test("what content sets reaches the views in it as an override, below the cell's own traits")
    func writing() {
        scene.traitOverrides[ThemeTrait.self] = 2
        let hosting = HostingConfiguration { "\($0.theme) \($0.plain)" }
            .environment(\.theme, 7).environment(\.plain, "set").makeHostingView()
        let inner = View()
        hosting.addSubview(inner)
        window.addSubview(hosting)
        scene.layoutIfNeeded()
        #expect(hosting.content == "7 set")
        #expect(inner.traitCollection[ThemeTrait.self] == 7)
        #expect(cell.traitCollection[ThemeTrait.self] == 2)
    }

    @Test("what content sets of a structure goes over what it inherits, also when that changes")
    func structure() {
        scene.traitOverrides[InsetsTrait.self] = Insets(top: 1, bottom: 2)
        let hosting = HostingConfiguration { $0.insets }
            .environment(\.insets.top, 7).makeHostingView()
        let inner = View()
        hosting.addSubview(inner)
        window.addSubview(hosting)
        scene.layoutIfNeeded()
        #expect(hosting.content == Insets(top: 7, bottom: 2))
        #expect(inner.traitCollection[InsetsTrait.self] == Insets(top: 7, bottom: 2))
        scene.traitOverrides[InsetsTrait.self] = Insets(top: 1, bottom: 5)
        scene.layoutIfNeeded()
        #expect(hosting.content == Insets(top: 7, bottom: 5))
        #expect(inner.traitCollection[InsetsTrait.self] == Insets(top: 7, bottom: 5))
        // What an application overrides at the view itself is inherited by the content.
        hosting.traitOverrides[InsetsTrait.self] = Insets(bottom: 9)
        scene.layoutIfNeeded()
        #expect(inner.traitCollection[InsetsTrait.self] == Insets(top: 7, bottom: 9))
    }

    @Test("a hosting controller's content goes by the controller's traits")
    func controller() {
        let controller = HostingController { $0.theme }
        window.rootViewController = controller
        controller.traitOverrides[ThemeTrait.self] = 5
        scene.layoutIfNeeded()
        #expect(controller.content == 5)
        controller.traitOverrides.remove(ThemeTrait.self)
        scene.layoutIfNeeded()
        #expect(controller.content == 0)
    }

    @Test("a system trait is bridged in the same way")
    func systemPair() {
        var isRightToLeft: [Bool] = []
        cell.contentConfiguration = HostingConfiguration { isRightToLeft.append($0.isRightToLeft) }
        scene.layoutIfNeeded()
        scene.suppliedTraits.layoutDirection = .rightToLeft
        scene.layoutIfNeeded()
        #expect(isRightToLeft == [false, true])
    }
}
