// A file as public code for UIKit has it: its traits, and the members around them.

import TraitKitUI

final class FormController: UIViewController, UITextFieldDelegate {
    private lazy var nameField: UITextField = {
        let field = UITextField()
        field.placeholder = "Name"
        field.borderStyle = .roundedRect
        field.font = UIFont.preferredFont(forTextStyle: .body)
        field.adjustsFontForContentSizeCategory = true
        field.accessibilityLabel = "Name"
        field.delegate = self
        return field
    }()

    private lazy var saveButton: UIButton = {
        let button = UIButton(type: .system)
        button.setTitle("Save", for: .normal)
        button.setTitleColor(.secondaryLabel, for: .disabled)
        button.titleLabel?.font = .preferredFont(forTextStyle: .headline)
        button.addAction(UIAction { [weak self] _ in self?.save() }, for: .touchUpInside)
        return button
    }()

    override func loadView() {
        let view = UIView()
        view.autoresizingMask = [.flexibleWidth, .flexibleHeight]
        self.view = view
    }

    override func viewDidLoad() {
        super.viewDidLoad()
        let stack = UIStackView(arrangedSubviews: [nameField, saveButton])
        stack.axis = .vertical
        stack.setCustomSpacing(24, after: nameField)
        stack.isLayoutMarginsRelativeArrangement = true
        stack.directionalLayoutMargins = NSDirectionalEdgeInsets(
            top: 8, leading: 16, bottom: 8, trailing: 16)
        view.addSubview(stack)
        navigationItem.rightBarButtonItem = UIBarButtonItem(
            systemItem: .save, primaryAction: UIAction { [weak self] _ in self?.save() })
        navigationItem.leftBarButtonItem = UIBarButtonItem(title: "Cancel")
        isModalInPresentation = true
        modalTransitionStyle = .crossDissolve
    }

    override var preferredStatusBarStyle: UIStatusBarStyle {
        traitCollection.userInterfaceStyle == .dark ? .lightContent : .darkContent
    }

    override func viewSafeAreaInsetsDidChange() {
        super.viewSafeAreaInsetsDidChange()
        view.setNeedsLayout()
    }

    func textFieldShouldReturn(_ textField: UITextField) -> Bool {
        save()
        return true
    }

    private func save() {
        UIView.animate(withDuration: 0.25) { self.saveButton.alpha = 0.5 }
        setNeedsStatusBarAppearanceUpdate()
    }
}
