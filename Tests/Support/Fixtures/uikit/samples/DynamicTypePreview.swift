// Text in all sizes, and limits of them.

import TraitKitUI

final class DynamicTypePreview: UIView {
    static let categories: [UIContentSizeCategory] = [
        .extraSmall, .small, .medium, .large, .extraLarge, .extraExtraLarge, .extraExtraExtraLarge,
        .accessibilityMedium, .accessibilityLarge, .accessibilityExtraLarge,
        .accessibilityExtraExtraLarge, .accessibilityExtraExtraExtraLarge,
    ]
    let label = UILabel()

    override init(frame: CGRect) {
        super.init(frame: frame)
        clipsToBounds = true
        label.font = .preferredFont(forTextStyle: .body)
        label.adjustsFontForContentSizeCategory = true
        label.showsLargeContentViewer = true
        label.largeContentTitle = "Preview"
        addSubview(label)
    }

    required init?(coder: NSCoder) { super.init(coder: coder) }

    func limit(_ range: ClosedRange<UIContentSizeCategory>) {
        minimumContentSizeCategory = range.lowerBound
        maximumContentSizeCategory = range.upperBound
    }

    static func pointSizes(of style: UIFont.TextStyle) -> [CGFloat] {
        categories.map { category in
            let traits = UITraitCollection(preferredContentSizeCategory: category)
            return UIFont.preferredFont(forTextStyle: style, compatibleWith: traits).pointSize
        }
    }

    static func scaled(_ value: CGFloat, for category: UIContentSizeCategory) -> CGFloat {
        UIFontMetrics.default.scaledValue(
            for: value, compatibleWith: UITraitCollection(preferredContentSizeCategory: category))
    }
}
