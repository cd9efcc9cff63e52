// Properties of views that ask for updates, layers, content views, and initializers from a coder.

import Foundation
import KitTestSupport
import Testing
import TraitKit

@MainActor
private final class Card: View {
    @Invalidating(.layout, .display) var spacing: CGFloat = 8
    @Invalidating(.properties, .constraints) var isProminent = false
}

@MainActor
private final class SelectableButton: Button {
    @Invalidating(.configuration) var badge = 0
    var updates = 0

    override func updateConfiguration() { updates += 1 }
}

@MainActor
private final class BorderView: View {
    override func draw(_ rect: CGRect) { layer.borderColor = Color.systemBackground.cgColor }
}

@MainActor
@Suite("Properties of views", .ownHierarchy) struct ViewPropertyTests {
    private let scene = WindowScene()
    private let window: Window

    init() { window = Window(windowScene: scene) }

    @Test("a change of an invalidating property asks for its updates, an equal value for none")
    func invalidating() {
        let card = Card()
        window.addSubview(card)
        scene.layoutIfNeeded()
        card.spacing = 8
        #expect(!card.needsLayout)
        card.spacing = 12
        #expect(card.spacing == 12)
        #expect(card.needsLayout && card.needsDisplay && !card.needsUpdateProperties)
        scene.layoutIfNeeded()
        card.isProminent = true
        #expect(card.needsUpdateProperties && card.needsUpdateConstraints && !card.needsLayout)
    }

    @Test("a configuration that became invalid is updated once")
    func invalidConfiguration() {
        let button = SelectableButton()
        window.addSubview(button)
        scene.layoutIfNeeded()
        button.badge = 1
        button.badge = 2
        scene.layoutIfNeeded()
        #expect(button.updates == 2)
    }

    @Test("a layer keeps the colour that it was given until drawing sets another one")
    func layer() {
        let (follows, stale) = (BorderView(), View())
        window.addSubview(follows)
        window.addSubview(stale)
        scene.traitOverrides.userInterfaceStyle = .light
        scene.layoutIfNeeded()
        stale.traitCollection.performAsCurrent {
            stale.layer.borderColor = Color.systemBackground.cgColor
        }
        scene.traitOverrides.userInterfaceStyle = .dark
        scene.layoutIfNeeded()
        #expect(follows.layer.borderColor == Color.black.cgColor)
        #expect(stale.layer.borderColor == Color.white.cgColor)
    }

    @Test("a cell always has a content view, which a configuration replaces")
    func contentView() {
        let cell = CollectionViewCell()
        window.addSubview(cell)
        let plain = cell.contentView
        #expect(plain.superview === cell)
        cell.contentConfiguration = HostingConfiguration { "\($0.colorScheme)" }
        #expect(plain.superview == nil)
        #expect(cell.contentView is HostingView<String>)
        cell.contentConfiguration = nil
        #expect(cell.contentView.superview === cell)
        #expect(!(cell.contentView is HostingView<String>))
        cell.traitOverrides.userInterfaceStyle = .dark
        scene.layoutIfNeeded()
        #expect(cell.contentView.traitCollection.userInterfaceStyle == .dark)
    }

    @Test("views and controllers made from a coder are like those made in code")
    func coder() throws {
        final class Restored: View {
            var layouts = 0
            override init(frame: CGRect) { super.init(frame: frame) }
            required init?(coder: NSCoder) { super.init(coder: coder) }
            override func layoutSubviews() { layouts += 1 }
        }
        let view = try #require(Restored(coder: NSCoder()))
        let cell = try #require(TableViewCell(coder: NSCoder()))
        #expect(cell.contentView.superview === cell)
        #expect(ViewController(coder: NSCoder()) != nil)
        #expect(SplitViewController(coder: NSCoder())?.style == .unspecified)
        window.addSubview(view)
        scene.layoutIfNeeded()
        #expect(view.layouts == 1)
        #expect(HostingController<String>(coder: NSCoder()) == nil)
    }
}
