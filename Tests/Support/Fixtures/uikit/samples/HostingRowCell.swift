// A cell that hosts a row which reads the environment.

import TraitKitUI

struct RowSpacingTrait: UITraitDefinition {
    static let defaultValue = 8.0
}

struct RowSpacingKey: EnvironmentKey, UITraitBridgedEnvironmentKey {
    static let defaultValue = 8.0
    static func read(from traitCollection: UITraitCollection) -> Double {
        traitCollection[RowSpacingTrait.self]
    }
    static func write(to mutableTraits: inout UIMutableTraits, value: Double) {
        mutableTraits[RowSpacingTrait.self] = value
    }
}

extension EnvironmentValues {
    var rowSpacing: Double {
        get { self[RowSpacingKey.self] }
        set { self[RowSpacingKey.self] = newValue }
    }
}

@MainActor
struct HostedRow {
    @Environment(\.rowSpacing) private var spacing
    @Environment(\.colorScheme) private var colorScheme
    @Environment(\.horizontalSizeClass) private var sizeClass
    let title: String

    var summary: String { "\(title) \(spacing) \(colorScheme) \(sizeClass == .compact)" }
}

final class HostingRowCell: UICollectionViewCell {
    @Environment(\.rowSpacing) private var ownSpacing

    func show(_ title: String) {
        contentConfiguration = UIHostingConfiguration { HostedRow(title: title) }
    }

    var spacing: Double { ownSpacing }
}
