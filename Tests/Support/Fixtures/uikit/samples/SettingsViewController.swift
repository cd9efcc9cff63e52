// Settings: a button for each style of the window.

import TraitKitUI

final class SettingsViewController: UIViewController {
    static let styles: [UIUserInterfaceStyle] = [.unspecified, .light, .dark]
    private(set) var buttons: [UIButton] = []
    private let footer = UILabel()

    init() { super.init(nibName: nil, bundle: nil) }

    required init?(coder: NSCoder) { super.init(coder: coder) }

    override func viewDidLoad() {
        super.viewDidLoad()
        title = NSLocalizedString("Appearance", comment: "")
        view.backgroundColor = .systemGroupedBackground
        buttons = Self.styles.map { style in
            let button = UIButton(type: .custom)
            button.tag = style.rawValue
            button.setTitle(name(of: style), for: [])
            button.addAction(UIAction { [weak self] _ in self?.choose(style) }, for: .touchUpInside)
            return button
        }
        footer.font = .preferredFont(forTextStyle: .footnote)
        footer.textColor = .secondaryLabel
        let stack = UIStackView(arrangedSubviews: buttons + [footer])
        stack.axis = .vertical
        stack.setCustomSpacing(UIStackView.spacingUseSystem, after: footer)
        view.addSubview(stack)
        navigationItem.rightBarButtonItem = UIBarButtonItem(systemItem: .done)
        registerForTraitChanges([UITraitUserInterfaceStyle.self]) { (self: Self, _) in
            self.showChoice()
        }
    }

    override func viewWillAppear(_ animated: Bool) {
        super.viewWillAppear(animated)
        showChoice()
    }

    private func choose(_ style: UIUserInterfaceStyle) {
        view.window?.overrideUserInterfaceStyle = style
        showChoice()
    }

    private func showChoice() {
        let chosen = view.window?.overrideUserInterfaceStyle ?? .unspecified
        for button in buttons { button.isSelected = button.tag == chosen.rawValue }
        footer.text = name(of: traitCollection.userInterfaceStyle)
    }

    private func name(of style: UIUserInterfaceStyle) -> String {
        switch style {
        case .light: return "Light"
        case .dark: return "Dark"
        case .unspecified: return "Automatic"
        @unknown default: return "Other"
        }
    }
}
