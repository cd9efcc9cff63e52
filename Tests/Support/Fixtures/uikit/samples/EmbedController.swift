// What a controller's traits are in its life. In `viewDidLoad` three comparisons are noted: true, false, true,
// as in a process without scenes everything is light from the start.

import TraitKitUI

struct EmbeddedTrait: UITraitDefinition {
    static let defaultValue = false
    static let name = "embedded"
}

extension UITraitCollection {
    var isEmbedded: Bool { self[EmbeddedTrait.self] }
}

extension UIMutableTraits {
    var isEmbedded: Bool {
        get { self[EmbeddedTrait.self] }
        set { self[EmbeddedTrait.self] = newValue }
    }
}

class EmbedController: UIViewController {
    private(set) var printed: [Bool] = []
    private(set) var line = ""

    override func viewDidLoad() {
        super.viewDidLoad()
        let style = traitCollection.userInterfaceStyle
        line = [
            style == .light, style == .dark, style == UITraitCollection.current.userInterfaceStyle,
        ]
        .map { "\($0)" }.joined(separator: ", ")
        printed.append(traitCollection.isEmbedded)
    }

    override func viewWillAppear(_ animated: Bool) {
        super.viewWillAppear(animated)
        printed.append(traitCollection.isEmbedded)
    }

    override func viewIsAppearing(_ animated: Bool) {
        super.viewIsAppearing(animated)
        printed.append(traitCollection.isEmbedded)
    }
}

final class EmbeddingController: UIViewController {
    let child = EmbedController()

    override func viewDidLoad() {
        super.viewDidLoad()
        addChild(child)
        view.traitOverrides.isEmbedded = true
        view.addSubview(child.view)
        child.didMove(toParent: self)
    }
}
