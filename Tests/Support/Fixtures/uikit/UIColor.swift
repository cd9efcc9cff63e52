// Every member of UIColor that TraitKitUI has, each under its name; see docs/uikit.md.

import TraitKitUI

@MainActor func use() {
    //: init(dynamicProvider:)
    let color = UIColor { traits in traits.userInterfaceStyle == .dark ? .black : .white }
    _ = UIColor(dynamicProvider: { _ in .clear })
    //: resolvedColor(with:)
    let resolved: UIColor = color.resolvedColor(with: UITraitCollection())
    _ = resolved
    //: cgColor
    let cgColor: CGColor = color.cgColor
    _ = cgColor
    //: init(named:)
    _ = UIColor(named: "Background")
    //: withAlphaComponent(_:)
    _ = color.withAlphaComponent(0.5)
    //: systemBlue
    let systemBlue: UIColor = .systemBlue
    _ = systemBlue
    //: systemBrown
    let systemBrown: UIColor = .systemBrown
    _ = systemBrown
    //: systemCyan
    let systemCyan: UIColor = .systemCyan
    _ = systemCyan
    //: systemGreen
    let systemGreen: UIColor = .systemGreen
    _ = systemGreen
    //: systemIndigo
    let systemIndigo: UIColor = .systemIndigo
    _ = systemIndigo
    //: systemMint
    let systemMint: UIColor = .systemMint
    _ = systemMint
    //: systemOrange
    let systemOrange: UIColor = .systemOrange
    _ = systemOrange
    //: systemPink
    let systemPink: UIColor = .systemPink
    _ = systemPink
    //: systemPurple
    let systemPurple: UIColor = .systemPurple
    _ = systemPurple
    //: systemRed
    let systemRed: UIColor = .systemRed
    _ = systemRed
    //: systemTeal
    let systemTeal: UIColor = .systemTeal
    _ = systemTeal
    //: systemYellow
    let systemYellow: UIColor = .systemYellow
    _ = systemYellow
    //: systemGray
    let systemGray: UIColor = .systemGray
    _ = systemGray
    //: systemGray2
    let systemGray2: UIColor = .systemGray2
    _ = systemGray2
    //: systemGray3
    let systemGray3: UIColor = .systemGray3
    _ = systemGray3
    //: systemGray4
    let systemGray4: UIColor = .systemGray4
    _ = systemGray4
    //: systemGray5
    let systemGray5: UIColor = .systemGray5
    _ = systemGray5
    //: systemGray6
    let systemGray6: UIColor = .systemGray6
    _ = systemGray6
    //: label
    let label: UIColor = .label
    _ = label
    //: secondaryLabel
    let secondaryLabel: UIColor = .secondaryLabel
    _ = secondaryLabel
    //: tertiaryLabel
    let tertiaryLabel: UIColor = .tertiaryLabel
    _ = tertiaryLabel
    //: quaternaryLabel
    let quaternaryLabel: UIColor = .quaternaryLabel
    _ = quaternaryLabel
    //: systemFill
    let systemFill: UIColor = .systemFill
    _ = systemFill
    //: secondarySystemFill
    let secondarySystemFill: UIColor = .secondarySystemFill
    _ = secondarySystemFill
    //: tertiarySystemFill
    let tertiarySystemFill: UIColor = .tertiarySystemFill
    _ = tertiarySystemFill
    //: quaternarySystemFill
    let quaternarySystemFill: UIColor = .quaternarySystemFill
    _ = quaternarySystemFill
    //: placeholderText
    let placeholderText: UIColor = .placeholderText
    _ = placeholderText
    //: systemBackground
    let systemBackground: UIColor = .systemBackground
    _ = systemBackground
    //: secondarySystemBackground
    let secondarySystemBackground: UIColor = .secondarySystemBackground
    _ = secondarySystemBackground
    //: tertiarySystemBackground
    let tertiarySystemBackground: UIColor = .tertiarySystemBackground
    _ = tertiarySystemBackground
    //: systemGroupedBackground
    let systemGroupedBackground: UIColor = .systemGroupedBackground
    _ = systemGroupedBackground
    //: secondarySystemGroupedBackground
    let secondarySystemGroupedBackground: UIColor = .secondarySystemGroupedBackground
    _ = secondarySystemGroupedBackground
    //: tertiarySystemGroupedBackground
    let tertiarySystemGroupedBackground: UIColor = .tertiarySystemGroupedBackground
    _ = tertiarySystemGroupedBackground
    //: separator
    let separator: UIColor = .separator
    _ = separator
    //: opaqueSeparator
    let opaqueSeparator: UIColor = .opaqueSeparator
    _ = opaqueSeparator
    //: link
    let link: UIColor = .link
    _ = link
    //: darkText
    let darkText: UIColor = .darkText
    _ = darkText
    //: lightText
    let lightText: UIColor = .lightText
    _ = lightText
    //: init(named:in:compatibleWith:)
    _ = UIColor(named: "sky", in: nil, compatibleWith: nil)
    //: getRed(_:green:blue:alpha:)
    var red: CGFloat = 0
    UIColor.label.getRed(&red, green: nil, blue: nil, alpha: nil)
    //: getWhite(_:alpha:)
    var white: CGFloat = 0
    UIColor.label.getWhite(&white, alpha: nil)
    //: tintColor
    _ = UIColor.tintColor
    //: getHue(_:saturation:brightness:alpha:)
    UIColor.label.getHue(&white, saturation: nil, brightness: nil, alpha: nil)
    //: init(hue:saturation:brightness:alpha:)
    _ = UIColor(hue: 0, saturation: 1, brightness: 1, alpha: 1)
    //: cgColor.components
    _ = UIColor.label.cgColor.components
}
