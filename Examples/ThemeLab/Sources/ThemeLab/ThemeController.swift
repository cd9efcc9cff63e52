// The screen: a card, and a list of the themes that a registration has seen.

import TraitKitUI

public final class ThemeController: UIViewController {
    public let card = CardView()
    public private(set) var themesSeen: [Theme] = []

    public override func viewDidLoad() {
        super.viewDidLoad()
        view.addSubview(card)
        registerForTraitChanges([ThemeTrait.self]) { (self: Self, previous: UITraitCollection) in
            self.themesSeen.append(self.traitCollection.theme)
        }
    }

    /// Shows another theme on this screen alone; nil goes back to the inherited theme.
    public func preview(_ theme: Theme?) {
        if let theme {
            traitOverrides.theme = theme
        } else {
            traitOverrides.remove(ThemeTrait.self)
        }
    }
}
