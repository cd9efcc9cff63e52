// The screen: a card, and a counter of theme changes that a registration keeps.

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

    /// A preview of another theme on this screen alone; nil goes back to what it inherits.
    public func preview(_ theme: Theme?) {
        if let theme {
            traitOverrides.theme = theme
        } else {
            traitOverrides.remove(ThemeTrait.self)
        }
    }
}
