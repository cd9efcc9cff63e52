// The looks of an app's controls, by appearance proxies.

import TraitKitUI

final class FramedView: UIView {}

@MainActor
enum AppearanceSetup {
    static func install() {
        let light = UITraitCollection(userInterfaceStyle: .light)
        let dark = UITraitCollection(userInterfaceStyle: .dark)
        UILabel.appearance(for: light).textColor = .darkText
        UILabel.appearance(for: dark).textColor = .lightText
        UILabel.appearance(whenContainedInInstancesOf: [FramedView.self]).textColor = .systemPurple
        UIButton.appearance().tintColor = .systemPink
        UIView.appearance(whenContainedInInstancesOf: [UINavigationBar.self]).tintColor = .white
        UITextField.appearance().textColor = .label
        UITextField.appearance().adjustsFontForContentSizeCategory = true
        UIControl.appearance(whenContainedInInstancesOf: [FramedView.self]).tintColor = .systemGreen
        UITableViewCell.appearance().backgroundColor = .secondarySystemGroupedBackground
        let tabs = UITabBarAppearance()
        tabs.configureWithDefaultBackground()
        UITabBar.appearance().standardAppearance = tabs
        UITabBar.appearance().unselectedItemTintColor = .systemGray
        UINavigationBar.appearance().isTranslucent = false
        UINavigationBar.appearance().barTintColor = .systemBackground
    }
}
