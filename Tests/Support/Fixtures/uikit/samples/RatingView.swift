// Stars that are drawn, with properties that ask for the update they need.

import TraitKitUI

final class RatingView: UIView {
    @Invalidating(.display) var rating = 0
    @Invalidating(.layout, .intrinsicContentSize) var spacing: CGFloat = 4
    @Invalidating(.properties) var isEnabled = true
    private(set) var drawn: [UIUserInterfaceStyle] = []
    private(set) var propertyUpdates = 0

    override init(frame: CGRect) {
        super.init(frame: frame)
        isOpaque = false
        contentMode = .redraw
    }

    required init?(coder: NSCoder) { super.init(coder: coder) }

    override var intrinsicContentSize: CGSize { CGSize(width: 5 * 20 + 4 * spacing, height: 20) }

    override func sizeThatFits(_ size: CGSize) -> CGSize { intrinsicContentSize }

    override func updateProperties() {
        super.updateProperties()
        propertyUpdates += 1
        alpha = isEnabled ? 1 : 0.4
        tintAdjustmentMode = isEnabled ? .automatic : .dimmed
    }

    override func draw(_ rect: CGRect) {
        drawn.append(traitCollection.userInterfaceStyle)
    }

    override func tintColorDidChange() {
        super.tintColorDidChange()
        setNeedsDisplay()
    }
}
