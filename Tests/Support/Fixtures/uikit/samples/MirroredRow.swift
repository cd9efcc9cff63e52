// A row that is mirrored for languages that read from right to left.

import TraitKitUI

final class MirroredRow: UIView {
    let icon = UIImageView()
    let slider = UIControl()
    private(set) var isMirrored = false

    override init(frame: CGRect) {
        super.init(frame: frame)
        slider.semanticContentAttribute = .playback
        addSubview(icon)
        addSubview(slider)
        registerForTraitChanges([UITraitLayoutDirection.self]) { (row: MirroredRow, _) in
            row.setNeedsLayout()
        }
    }

    required init?(coder: NSCoder) { nil }

    override func layoutSubviews() {
        super.layoutSubviews()
        isMirrored = effectiveUserInterfaceLayoutDirection == .rightToLeft
        let x = isMirrored ? bounds.maxX - 44 : bounds.minX
        icon.frame = CGRect(x: x, y: 0, width: 44, height: 44)
        icon.contentMode = isMirrored ? .right : .left
    }

    static func direction(of language: String) -> UITraitEnvironmentLayoutDirection {
        ["ar", "fa", "he", "ur"].contains(language) ? .rightToLeft : .leftToRight
    }

    func preview(language: String) {
        traitOverrides.layoutDirection = Self.direction(of: language)
    }
}
