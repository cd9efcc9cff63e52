// The layout of an app by idiom and size classes.

import TraitKitUI

enum LayoutMode: Equatable, CustomStringConvertible {
    case single, stacked
    case columns(Int)

    init(_ traits: UITraitCollection) {
        switch (traits.userInterfaceIdiom, traits.horizontalSizeClass, traits.verticalSizeClass) {
        case (.phone, .compact, .regular): self = .single
        case (.phone, _, .compact): self = .columns(2)
        case (.pad, .regular, _), (.mac, _, _), (.vision, _, _): self = .columns(3)
        case (.pad, .compact, _): self = .stacked
        case (.tv, _, _), (.carPlay, _, _): self = .single
        default: self = .single
        }
    }

    var description: String {
        switch self {
        case .single: return "single"
        case .stacked: return "stacked"
        case .columns(let count): return "\(count) columns"
        }
    }
}

protocol LayoutAdapting: UITraitEnvironment {
    func adapt(to mode: LayoutMode)
}

extension LayoutAdapting {
    var layoutMode: LayoutMode { LayoutMode(traitCollection) }
}

extension LayoutAdapting where Self: UITraitChangeObservable {
    @discardableResult
    func startAdapting() -> UITraitChangeRegistration {
        adapt(to: layoutMode)
        return registerForTraitChanges([
            UITraitUserInterfaceIdiom.self, UITraitHorizontalSizeClass.self,
        ]) {
            (self: Self, _: UITraitCollection) in
            self.adapt(to: self.layoutMode)
        }
    }
}

final class AdaptingController: UIViewController, LayoutAdapting {
    private(set) var modes: [LayoutMode] = []

    override func viewDidLoad() {
        super.viewDidLoad()
        startAdapting()
    }

    func adapt(to mode: LayoutMode) { modes.append(mode) }
}
