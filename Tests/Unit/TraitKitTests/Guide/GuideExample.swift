// The example of docs/traitkit.md. A test compares the two, and runs it.

import TraitKit

// guide
enum Theme: Int {
    case standard, pastel, monochrome
}

struct GuideThemeTrait: TraitDefinition {
    static let defaultValue = Theme.standard
    static let affectsColorAppearance = true
    static let name = "Theme"
    static let identifier = "com.example.guide.theme"
}

extension TraitCollection {
    var guideTheme: Theme { self[GuideThemeTrait.self] }
}

extension MutableTraits {
    var guideTheme: Theme {
        get { self[GuideThemeTrait.self] }
        set { self[GuideThemeTrait.self] = newValue }
    }
}

final class SubjectLabel: View {
    private(set) var text = ""

    // Runs again whenever the size class has changed, because it reads it.
    override func layoutSubviews() {
        super.layoutSubviews()
        text = traitCollection.horizontalSizeClass == .compact ? "narrow" : "wide"
    }
}

final class MailController: ViewController {
    let label = SubjectLabel()
    private(set) var themes: [Theme] = []

    override func viewDidLoad() {
        super.viewDidLoad()
        view.addSubview(label)
        registerForTraitChanges([GuideThemeTrait.self]) { (self: Self, previous: TraitCollection) in
            self.themes.append(self.traitCollection.guideTheme)
        }
    }
}

@MainActor
func showMail() -> MailController {
    let scene = WindowScene()
    // What UIKit finds out by itself is the program's part here.
    scene.suppliedTraits.horizontalSizeClass = .regular

    let window = Window(windowScene: scene)
    let mail = MailController()
    window.rootViewController = mail
    scene.layoutIfNeeded()

    // The scene shows these at once, everything below it after the next update.
    scene.traitOverrides.guideTheme = .monochrome
    scene.suppliedTraits.horizontalSizeClass = .compact
    scene.layoutIfNeeded()
    return mail
}
// guide end
