// The background of a view and of its layer, and the components of grays.

import Foundation
import KitTestSupport
import Testing
import TraitKit

@MainActor
@Suite("Backgrounds and grays", .ownHierarchy)
struct BackgroundTests {
    private let window = Window()
    private let view = View()

    init() {
        window.addSubview(view)
        window.layoutIfNeeded()
    }

    @Test("the layer has the view's background, resolved with the view's traits, and again later")
    func follows() {
        view.backgroundColor = .systemBackground
        #expect(view.layer.backgroundColor == Color.white.cgColor)
        view.layer.borderColor = Color.systemBackground.cgColor
        view.layer.shadowColor = Color.systemBackground.cgColor
        var seen: [GraphicsColor?] = []
        view.registerForTraitChanges([TraitUserInterfaceStyle.self]) { (view: View, _) in
            seen.append(view.layer.backgroundColor)
        }
        window.overrideUserInterfaceStyle = .dark
        #expect(view.layer.backgroundColor == Color.white.cgColor, "waits for the update")
        window.layoutIfNeeded()
        #expect(view.layer.backgroundColor == Color.black.cgColor)
        #expect(seen == [Color.black.cgColor], "the handler sees the new colour")
        #expect(view.layer.borderColor == Color.white.cgColor)
        #expect(view.layer.shadowColor == Color.white.cgColor)
        view.backgroundColor = nil
        #expect(view.layer.backgroundColor == nil)
    }

    @Test("a window's layer follows its write at once; traits that colours ignore change nothing")
    func writes() {
        window.backgroundColor = .label
        _ = window.layer
        window.overrideUserInterfaceStyle = .dark
        #expect(window.layer.backgroundColor == Color.white.cgColor)
        var asked = 0
        view.backgroundColor = Color { _ in
            asked += 1
            return .red
        }
        _ = view.layer
        window.layoutIfNeeded()
        let before = asked
        window.traitOverrides.layoutDirection = .rightToLeft
        window.layoutIfNeeded()
        #expect(asked == before)
        window.traitOverrides.accessibilityContrast = .high
        window.layoutIfNeeded()
        #expect(asked == before + 1)
    }

    @Test("a colour that is set on the layer is the view's, and follows no traits")
    func readBack() {
        view.backgroundColor = .systemBackground
        view.layer.backgroundColor = Color.red.cgColor
        #expect(view.backgroundColor == .red)
        window.overrideUserInterfaceStyle = .dark
        window.layoutIfNeeded()
        #expect(view.layer.backgroundColor == Color.red.cgColor)
        view.layer.backgroundColor = nil
        #expect(view.backgroundColor == nil)
        let layer = Layer()
        layer.backgroundColor = Color.blue.cgColor
        #expect(layer.backgroundColor == Color.blue.cgColor, "a layer of no view")
    }

    @Test("grays have two components, other colours four, and all convert")
    func grays() {
        let dark = TraitCollection(userInterfaceStyle: .dark)
        let grays: [Color] = [
            .black, .white, .clear, .gray, .darkGray, .lightGray, .darkText, .lightText,
            Color(white: 0.25, alpha: 0.5), .label, .systemBackground,
            .label.resolvedColor(with: dark),
            Color.white.withAlphaComponent(0.5), Color(cgColor: GraphicsColor(gray: 0.5, alpha: 1)),
        ]
        for gray in grays {
            #expect(gray.cgColor.numberOfComponents == 2, "\(gray)")
            #expect(gray.cgColor.components?.count == 2)
            var (white, red, alpha) = (0.0, 0.0, 0.0) as (CGFloat, CGFloat, CGFloat)
            #expect(gray.getWhite(&white, alpha: &alpha))
            #expect(gray.cgColor.components == [white, alpha])
            #expect(gray.getRed(&red, green: nil, blue: nil, alpha: nil) && red == white)
            #expect(gray.cgColor.copy(alpha: 0.1)?.components == [white, 0.1])
        }
        let others: [Color] = [
            .red, .systemGray, .secondaryLabel, Color(red: 0.5, green: 0.5, blue: 0.5),
        ]
        for color in others {
            #expect(color.cgColor.numberOfComponents == 4, "\(color)")
            #expect(color.cgColor.copy(alpha: 0.5)?.components?.count == 4)
        }
        #expect(Color(red: 0.5, green: 0.5, blue: 0.5).cgColor == Color.gray.cgColor)
    }
}
