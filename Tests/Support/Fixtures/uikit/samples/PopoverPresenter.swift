// A popover that stays one in compact widths.

import TraitKitUI

final class PopoverPresenter: UIViewController, UIPopoverPresentationControllerDelegate {
    private let button = UIBarButtonItem(systemItem: .action)
    private(set) lazy var content: UIViewController = {
        let controller = UIViewController()
        controller.preferredContentSize = CGSize(width: 240, height: 320)
        controller.modalPresentationStyle = .popover
        return controller
    }()

    override func viewDidLoad() {
        super.viewDidLoad()
        button.primaryAction = UIAction(title: "More") { [unowned self] _ in showPopover() }
        navigationItem.rightBarButtonItems = [button]
    }

    func showPopover() {
        if let popover = content.popoverPresentationController {
            popover.delegate = self
            popover.sourceView = view
            popover.sourceRect = CGRect(
                x: view.bounds.midX, y: view.bounds.midY, width: 1, height: 1)
            popover.barButtonItem = button
            popover.permittedArrowDirections = [.up, .down]
            popover.backgroundColor = .systemBackground
        }
        present(content, animated: true, completion: nil)
    }

    func adaptivePresentationStyle(for controller: UIPresentationController)
        -> UIModalPresentationStyle
    { .none }
}
