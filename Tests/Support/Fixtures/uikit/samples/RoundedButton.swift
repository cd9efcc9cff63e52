// A button with a configuration that follows its state and its traits.

import TraitKitUI

final class RoundedButton: UIButton {
    private(set) var updates = 0

    static func make(title: String, action: @escaping () -> Void) -> RoundedButton {
        let button = RoundedButton(type: .system)
        var configuration = UIButton.Configuration.filled()
        configuration.title = title
        configuration.subtitle = "Tap"
        configuration.image = UIImage(systemName: "arrow.right")
        configuration.imagePadding = 8
        configuration.imagePlacement = .trailing
        configuration.contentInsets = NSDirectionalEdgeInsets(
            top: 12, leading: 20, bottom: 12, trailing: 20)
        configuration.cornerStyle = .capsule
        configuration.buttonSize = .large
        button.configuration = configuration
        button.addAction(UIAction { _ in action() }, for: .primaryActionTriggered)
        button.configurationUpdateHandler = { button in
            guard let button = button as? RoundedButton else { return }
            button.updates += 1
            let isDark = button.traitCollection.userInterfaceStyle == .dark
            button.configuration?.baseBackgroundColor = isDark ? .systemGray2 : .systemBlue
            button.configuration?.showsActivityIndicator = button.isSelected
            button.alpha = button.isHighlighted ? 0.7 : 1
        }
        return button
    }

    override func updateConfiguration() {
        super.updateConfiguration()
        configuration?.baseForegroundColor = isEnabled ? .white : .tertiaryLabel
    }
}
