// A card: one column in compact width, two in regular width. The card reads traits where it uses
// them; automatic trait tracking runs the methods again when one changes.

import TraitKitUI

public final class CardView: UIView {
    public private(set) var columns = 0
    public private(set) var titleSize: CGFloat = 0
    /// The colour that was drawn last.
    public private(set) var drawnColor: CGColor?

    public override init(frame: CGRect) {
        super.init(frame: frame)
        backgroundColor = .card
    }

    @available(*, unavailable)
    public required init?(coder: NSCoder) {
        fatalError("init(coder:) has not been implemented")
    }

    // Runs again when the size class or the text size has changed, as it reads both.
    public override func layoutSubviews() {
        super.layoutSubviews()
        columns = traitCollection.horizontalSizeClass == .compact ? 1 : 2
        titleSize =
            UIFont.preferredFont(forTextStyle: .headline, compatibleWith: traitCollection).pointSize
    }

    // Runs again when a trait that affects colours has changed.
    public override func draw(_ rect: CGRect) {
        super.draw(rect)
        drawnColor = backgroundColor?.cgColor
    }
}
