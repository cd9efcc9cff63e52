// A bubble of a conversation: an image by side, and text of two fonts.

import TraitKitUI

final class ChatBubble: UIView {
    enum Side { case incoming, outgoing }

    private let textLabel = UILabel()
    private let sendingMark = UIImageView(image: UIImage(systemName: "clock"))
    private var widthConstraint: NSLayoutConstraint!
    let side: Side

    init(side: Side) {
        self.side = side
        super.init(frame: .zero)
        directionalLayoutMargins = .init(top: 8, leading: 12, bottom: 8, trailing: 12)
        preservesSuperviewLayoutMargins = false
        insetsLayoutMarginsFromSafeArea = false
        addSubview(textLabel)
        sendingMark.isHidden = true
        addSubview(sendingMark)
        textLabel.numberOfLines = 0
        textLabel.lineBreakMode = .byWordWrapping
        widthConstraint = widthAnchor.constraint(lessThanOrEqualToConstant: 280)
        widthConstraint.isActive = true
        layer.maskedCorners =
            side == .incoming
            ? [.layerMinXMinYCorner, .layerMaxXMinYCorner, .layerMaxXMaxYCorner]
            : [.layerMinXMinYCorner, .layerMaxXMinYCorner, .layerMinXMaxYCorner]
        backgroundColor = side == .incoming ? .systemGray5 : .systemBlue
        registerForTraitChanges([UITraitHorizontalSizeClass.self]) { (bubble: ChatBubble, _) in
            bubble.widthConstraint.constant =
                bubble.traitCollection.horizontalSizeClass == .regular ? 480 : 280
        }
    }

    @available(*, unavailable) required init?(coder: NSCoder) { fatalError() }

    var isSending = false {
        didSet { sendingMark.isHidden = !isSending }
    }

    var maximumWidth: CGFloat { widthConstraint.constant }
    var isMarked: Bool { !sendingMark.isHidden }

    func show(_ text: String) {
        let descriptor = UIFontDescriptor.preferredFontDescriptor(withTextStyle: .callout)
        textLabel.font = UIFont(
            descriptor: descriptor.withSymbolicTraits(.traitItalic) ?? descriptor, size: 0)
        textLabel.text = text
        UIView.transition(with: textLabel, duration: 0.2, options: .transitionCrossDissolve) {
            self.textLabel.textColor = self.side == .incoming ? .label : .white
        }
    }
}
