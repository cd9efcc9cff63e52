// A theme that UIKit and hosted content share.

import TraitKitUI

struct TextTheme: Hashable, Sendable {
    var size = 17.0
    var isSerif = false
}

struct TextThemeTrait: UITraitDefinition {
    static let defaultValue = TextTheme()
}

struct TextThemeKey: EnvironmentKey {
    static let defaultValue = TextThemeTrait.defaultValue
}

extension TextThemeKey: UITraitBridgedEnvironmentKey {
    static func read(from traitCollection: UITraitCollection) -> TextTheme {
        traitCollection[TextThemeTrait.self]
    }
    static func write(to mutableTraits: inout any UIMutableTraits, value: TextTheme) {
        mutableTraits[TextThemeTrait.self] = value
    }
}

extension EnvironmentValues {
    var textTheme: TextTheme {
        get { self[TextThemeKey.self] }
        set { self[TextThemeKey.self] = newValue }
    }
}

@MainActor
struct ThemedText {
    @Environment(\.textTheme) var theme
    var font: String { "\(theme.isSerif ? "serif" : "sans") \(Int(theme.size))" }
}

final class BridgedThemeController: UIViewController {
    let host = UIHostingController(rootView: ThemedText())

    override func viewDidLoad() {
        super.viewDidLoad()
        addChild(host)
        view.addSubview(host.view)
        host.didMove(toParent: self)
    }

    func makeSerif() {
        traitOverrides[TextThemeTrait.self] = TextTheme(isSerif: true)
        updateTraitsIfNeeded()
    }
}
