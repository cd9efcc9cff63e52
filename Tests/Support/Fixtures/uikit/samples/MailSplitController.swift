// A file as public code for UIKit has it: its traits, and the members around them.

import TraitKitUI

final class MailSplitController: UISplitViewController, UISplitViewControllerDelegate {
    private(set) var collapses = 0

    init() {
        super.init(style: .doubleColumn)
        delegate = self
        setViewController(UIViewController(), for: .primary)
        setViewController(UIViewController(), for: .secondary)
    }

    required init?(coder: NSCoder) { fatalError("init(coder:) has not been implemented") }

    func splitViewController(
        _ svc: UISplitViewController,
        topColumnForCollapsingToProposedTopColumn proposedTopColumn: UISplitViewController.Column
    ) -> UISplitViewController.Column { .primary }

    func splitViewControllerDidCollapse(_ svc: UISplitViewController) { collapses += 1 }
}

@MainActor
func styleNavigation() {
    UINavigationBar.appearance().tintColor = .systemRed
    UILabel.appearance(whenContainedInInstancesOf: [UITableViewCell.self]).textColor = .label
    UILabel.appearance(for: UITraitCollection(userInterfaceStyle: .dark)).backgroundColor = .black
}
