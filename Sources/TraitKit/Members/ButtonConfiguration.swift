// What buttons show, as a value.

public import Foundation

extension Button {
    /// What a button shows (`UIButton.Configuration`). Colours that are nil are the system's.
    public struct Configuration: Equatable, Sendable {
        /// The texts.
        public var title: String?, subtitle: String?
        /// The image.
        public var image: Image?
        /// The colours of the content and of the background.
        public var baseForegroundColor: Color?, baseBackgroundColor: Color?
        /// Distances around and in the content.
        public var
            contentInsets = DirectionalEdgeInsets(top: 7, leading: 12, bottom: 7, trailing: 12),
            imagePadding: CGFloat = 0, titlePadding: CGFloat = 1
        /// Where the image stands beside the title.
        public var imagePlacement = DirectionalRectEdge.leading
        /// The corners.
        public var cornerStyle = ButtonCornerStyle.dynamic
        /// The size.
        public var buttonSize = ButtonSize.medium
        /// Whether an indicator spins in place of the image.
        public var showsActivityIndicator = false

        private init(_ foreground: Color?, _ background: Color?) {
            (baseForegroundColor, baseBackgroundColor) = (foreground, background)
        }

        /// A button without a background.
        public static func plain() -> Self { Self(.tintColor, nil) }
        /// A button with a gray background.
        public static func gray() -> Self { Self(.tintColor, .systemFill) }
        /// A button with a background of its tint, seen through.
        public static func tinted() -> Self { Self(.tintColor, .tintColor.withAlphaComponent(0.2)) }
        /// A button with a background of its tint.
        public static func filled() -> Self { Self(.white, .tintColor) }
    }

    /// A button with a configuration, and an action.
    public convenience init(configuration: Configuration, primaryAction: Action? = nil) {
        self.init(primaryAction: primaryAction ?? Action { _ in })
        self.configuration = configuration
    }
}
