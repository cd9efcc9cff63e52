// Environments, colours, fonts and collections compared, searched for, and kept in sets.

import TraitKitUI

@MainActor func compare(_ view: UIView, _ other: UIView, _ controller: UIViewController) {
    //: UIView == UIView
    _ = view == other
    //: UIView != UIView?
    _ = view != view.superview
    //: [UIView].contains(_:)
    _ = view.subviews.contains(other)
    //: [UIView].firstIndex(of:)
    _ = view.subviews.firstIndex(of: other)
    //: Set<UIView>
    var seen: Set<UIView> = [view]
    seen.insert(other)
    //: [UIView: Value]
    let names: [UIView: String] = [view: "one"]
    _ = names[other]
    //: UIViewController == UIViewController
    _ = controller.parent == controller
    //: Set<UIViewController>
    _ = Set(controller.children)
    //: [UIViewController].firstIndex(of:)
    _ = controller.children.firstIndex(of: controller)
    //: [UIViewController].elementsEqual(_:)
    _ = controller.children == [controller]
    //: switch over a view
    switch view {
    case other: break
    default: break
    }
    //: UIWindow == UIWindow?
    _ = view.window == UIApplication.shared.windows.first
    //: ObjectIdentifier(_:)
    _ = ObjectIdentifier(view)
    //: UIView === UIView
    _ = view === other
    //: Set<UIScene>
    _ = UIApplication.shared.connectedScenes.compactMap { $0 as? UIWindowScene }.first?.windows
    //: UIResponder == UIResponder
    _ = view.next == controller
    //: UIPresentationController == UIPresentationController
    _ = controller.presentationController == controller.presentationController
    //: AnyHashable(UIView)
    _ = AnyHashable(view)
    //: UIView.hashValue
    _ = view.hashValue
    //: UIColor == UIColor
    _ = view.backgroundColor == .systemRed
    //: Set<UIColor>
    _ = Set<UIColor>([.red, .systemRed])
    //: UIFont == UIFont
    _ = UIFont.systemFont(ofSize: 12) == UIFont.preferredFont(forTextStyle: .body)
    //: UIImage == UIImage?
    _ = UIImage(named: "sun") == UIImageView().image
    //: UILayoutPriority + number
    view.setContentHuggingPriority(.defaultLow + 1, for: .vertical)
    //: UIFont.Weight < UIFont.Weight
    _ = UIFont.Weight.bold < .heavy
    //: UIColor === UIColor
    _ = UIColor.red === UIColor.red
    //: UITraitCollection == UITraitCollection
    _ = view.traitCollection == controller.traitCollection
    //: UITraitCollection === UITraitCollection
    _ = view.traitCollection === controller.traitCollection
    //: UITraitCollection? != UITraitCollection?
    let previous: UITraitCollection? = nil
    _ = previous != view.traitCollection
    //: [UITraitCollection: Value]
    _ = [view.traitCollection: 1]
    //: UIUserInterfaceStyle? == UIUserInterfaceStyle
    _ = previous?.userInterfaceStyle == .dark
    //: UIContentSizeCategory >= UIContentSizeCategory
    _ = view.traitCollection.preferredContentSizeCategory >= .accessibilityMedium
    //: UIContentSizeCategory.isAccessibilityCategory
    _ = view.traitCollection.preferredContentSizeCategory.isAccessibilityCategory
}
