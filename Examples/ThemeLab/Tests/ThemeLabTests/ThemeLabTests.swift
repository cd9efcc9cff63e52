// Tests of the app model, which run on any system that Swift runs on.

import Testing
import ThemeLab
import TraitKitUI

@MainActor
@Suite("The theme lab")
struct ThemeLabTests {
    private let app = App(
        device: UITraitCollection { traits in
            traits.userInterfaceIdiom = .phone
            traits.userInterfaceStyle = .light
            traits.horizontalSizeClass = .compact
            traits.preferredContentSizeCategory = .large
        })
    private var card: CardView { app.controller.card }

    @Test("a card has one column in compact width and two in regular width")
    func columns() {
        #expect(card.columns == 1)
        app.changeDevice { $0.horizontalSizeClass = .regular }
        #expect(card.columns == 2)
    }

    @Test("titles follow the text size")
    func textSize() {
        #expect(card.titleSize == 17)
        app.changeDevice { $0.preferredContentSizeCategory = .accessibilityLarge }
        #expect(card.titleSize == 33)
    }

    @Test("a chosen theme reaches the card, and the handler of the screen runs once")
    func choosing() {
        #expect(app.controller.themesSeen == [])
        app.choose(.pastel)
        #expect(
            card.drawnColor
                == UIColor.systemMint.resolvedColor(with: card.traitCollection).cgColor)
        #expect(app.controller.themesSeen == [.pastel])
        app.choose(.pastel)
        #expect(app.controller.themesSeen == [.pastel])
    }

    @Test("a dark style changes the drawn colour of every theme", arguments: Theme.allCases)
    func darkStyle(theme: Theme) throws {
        app.choose(theme)
        let light = try #require(card.drawnColor)
        app.changeDevice { $0.userInterfaceStyle = .dark }
        // The system's gray is the same for both styles.
        #expect((card.drawnColor == light) == (theme == .monochrome))
    }

    @Test("a preview stays on its screen; after it the theme of the app shows again")
    func preview() {
        app.choose(.pastel)
        app.controller.preview(.monochrome)
        app.update()
        #expect(card.traitCollection.theme == .monochrome)
        app.choose(.standard)
        #expect(card.traitCollection.theme == .monochrome)
        app.controller.preview(nil)
        app.update()
        #expect(card.traitCollection.theme == .standard)
        #expect(app.controller.themesSeen == [.pastel, .monochrome, .standard])
    }
}
