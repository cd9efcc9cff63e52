// The property wrapper `Environment` in content, cells and controllers.

import KitTestSupport
import Testing
import TraitKit

private struct WrappedTheme: TraitBridgedEnvironmentKey {
    static let defaultValue = 0

    static func read(from traitCollection: TraitCollection) -> Int {
        traitCollection[ThemeTrait.self]
    }

    static func write(to mutableTraits: inout any MutableTraits, value: Int) {
        mutableTraits[ThemeTrait.self] = value
    }
}

extension EnvironmentValues {
    fileprivate var wrappedTheme: Int {
        get { self[WrappedTheme.self] }
        set { self[WrappedTheme.self] = newValue }
    }
}

@MainActor
private struct Inner {
    @Environment(\.colorScheme) var scheme
}

@MainActor
private struct Content {
    static var made = 0
    @Environment(\.wrappedTheme) private var theme
    var inner = Inner()

    init() { Content.made += 1 }

    var text: String { "\(theme) \(inner.scheme)" }
}

private final class ThemedCell: CollectionViewCell {
    @Environment(\.wrappedTheme) var theme
    var laidOut: [Int] = []

    override func layoutSubviews() {
        super.layoutSubviews()
        laidOut.append(theme)
    }
}

@MainActor
@Suite("The wrapper of environment values", .ownHierarchy)
struct EnvironmentWrapperTests {
    private let window = Window()

    @Test("content in a cell reads the cell's environment, and is updated when a value changes")
    func cell() throws {
        let cell = CollectionViewCell()
        window.addSubview(cell)
        window.traitOverrides[ThemeTrait.self] = 2
        cell.contentConfiguration = HostingConfiguration { Content() }
        window.layoutIfNeeded()
        let view = try #require(cell.contentView as? HostingView<Content>)
        #expect(view.content?.text == "2 light")
        let made = Content.made
        window.overrideUserInterfaceStyle = .dark
        window.layoutIfNeeded()
        #expect(view.content?.text == "2 dark" && Content.made == made + 1)
        window.traitOverrides.displayScale = 2
        window.layoutIfNeeded()
        #expect(Content.made == made + 1, "content that does not read the scale stays")
    }

    @Test("a modifier's value is read inside, and a hosting controller's root view reads it")
    func controller() {
        let configuration = HostingConfiguration { Content() }.environment(\.wrappedTheme, 7)
        let modified = HostingController(configuration: configuration)
        let plain = HostingController(rootView: Content())
        for controller in [modified, plain] { window.addSubview(controller.view) }
        window.traitOverrides[ThemeTrait.self] = 3
        window.layoutIfNeeded()
        #expect(modified.content?.text == "7 light" && plain.content?.text == "3 light")
        window.traitOverrides[ThemeTrait.self] = 4
        window.layoutIfNeeded()
        #expect(plain.content?.text == "4 light")
    }

    @Test("other content of a hosting controller is shown from the next update on")
    func otherRootView() {
        let controller = HostingController(rootView: "one")
        #expect(controller.rootView == "one" && !controller.isViewLoaded)
        window.addSubview(controller.view)
        window.layoutIfNeeded()
        controller.rootView = "two"
        #expect(controller.rootView == "two" && controller.content == "one")
        window.layoutIfNeeded()
        #expect(controller.content == "two")
        controller.view = nil
        window.addSubview(controller.view)
        window.layoutIfNeeded()
        #expect(controller.content == "two")
    }

    @Test("in a cell the wrapper reads the cell's traits, and the reading is tracked")
    func object() {
        let cell = ThemedCell()
        window.addSubview(cell)
        window.layoutIfNeeded()
        window.traitOverrides[ThemeTrait.self] = 5
        window.layoutIfNeeded()
        #expect(cell.theme == 5 && cell.laidOut == [0, 5])
    }

    @Test("elsewhere the wrapper reads the current collection")
    func elsewhere() {
        let content = Content()
        #expect(content.text == "0 light")
        let dark = TraitCollection(userInterfaceStyle: .dark)
        #expect(dark.performAsCurrent { content.text } == "0 dark")
    }
}
