// Functions that build collections of traits, for previews and tests.

import TraitKitUI

extension UITraitCollection {
    static let darkAccessible = UITraitCollection { traits in
        traits.userInterfaceStyle = .dark
        traits.preferredContentSizeCategory = .accessibilityExtraLarge
        traits.accessibilityContrast = .high
        traits.legibilityWeight = .bold
    }

    static func phone(isLandscape: Bool = false) -> UITraitCollection {
        UITraitCollection(traitsFrom: [
            .init(userInterfaceIdiom: .phone),
            .init(displayScale: 3),
            .init(displayGamut: .P3),
            .init(forceTouchCapability: .available),
            .init(horizontalSizeClass: .compact),
            .init(verticalSizeClass: isLandscape ? .compact : .regular),
            .init(layoutDirection: .leftToRight),
            .init(preferredContentSizeCategory: .large),
        ])
    }

    static var pad: UITraitCollection {
        phone().modifyingTraits { mutableTraits in
            mutableTraits.userInterfaceIdiom = .pad
            mutableTraits.horizontalSizeClass = .regular
            mutableTraits.displayScale = 2
        }
    }

    func with(style: UIUserInterfaceStyle) -> UITraitCollection {
        replacing(UITraitUserInterfaceStyle.self, value: style)
    }

    static func + (lhs: UITraitCollection, rhs: UITraitCollection) -> UITraitCollection {
        UITraitCollection(traitsFrom: [lhs, rhs])
    }

    func performIfDifferent(from other: UITraitCollection?, _ body: () -> Void) {
        if !containsTraits(in: other) || hasDifferentColorAppearance(comparedTo: other) {
            performAsCurrent(body)
        }
    }
}
