// Traits of the program: their definitions, values, keys, and closures of registrations.

import TraitKitUI

//: struct with defaultValue
struct ThemeTrait: UITraitDefinition {
    static let defaultValue = Theme.plain
    static let affectsColorAppearance = true
    static let name = "Theme"
    static let identifier = "com.example.theme"
}
enum Theme: Int, CaseIterable { case plain, loud }
//: typealias of the value
struct CountTrait: UITraitDefinition {
    typealias Value = Int
    static let defaultValue: Int = 0
}
//: value computed
struct SpacingTrait: UITraitDefinition {
    static var defaultValue: CGFloat { 8 }
}
//: value that is an optional object
final class Palette: Sendable { let name = "plain" }
struct PaletteTrait: UITraitDefinition {
    static let defaultValue: Palette? = nil
}
//: value that is not Equatable
struct Accent: Sendable { let hue: Double }
struct AccentTrait: UITraitDefinition {
    static let defaultValue = Accent(hue: 0)
}
//: value that is Equatable and not Sendable
final class Brand: Equatable {
    static func == (left: Brand, right: Brand) -> Bool { left === right }
}
struct BrandTrait: UITraitDefinition {
    nonisolated(unsafe) static let defaultValue = Brand()
}
//: value that is an existential
protocol Style: Sendable { var isBold: Bool { get } }
struct BoldStyle: Style { let isBold = true }
struct StyleTrait: UITraitDefinition {
    static let defaultValue: any Style = BoldStyle()
}
//: definition inside of an enumeration
enum Traits {
    struct Compact: UITraitDefinition { static let defaultValue = false }
}
//: definition that is an enumeration
enum DensityTrait: UITraitDefinition { static let defaultValue = 1 }
//: definition that is a class
final class ClassTrait: UITraitDefinition { static let defaultValue = "" }
//: extension of UITraitCollection
extension UITraitCollection {
    var theme: Theme { self[ThemeTrait.self] }
}
//: extension of UIMutableTraits
extension UIMutableTraits {
    var theme: Theme {
        get { self[ThemeTrait.self] }
        set { self[ThemeTrait.self] = newValue }
    }
}
//: bridged key
struct ThemeKey: UITraitBridgedEnvironmentKey {
    static let defaultValue = Theme.plain
    static func read(from traitCollection: UITraitCollection) -> Theme { traitCollection.theme }
    static func write(to mutableTraits: inout UIMutableTraits, value: Theme) {
        mutableTraits.theme = value
    }
}
//: bridged key of EnvironmentValues
extension EnvironmentValues {
    var theme: Theme {
        get { self[ThemeKey.self] }
        set { self[ThemeKey.self] = newValue }
    }
}

@MainActor func use(_ view: UIView, _ controller: UIViewController) {
    //: override set and read
    controller.traitOverrides.theme = .loud
    _ = controller.traitOverrides.theme
    //: override by subscript
    view.traitOverrides[ThemeTrait.self] = .loud
    //: override removed
    view.traitOverrides.remove(ThemeTrait.self)
    //: override looked for
    _ = view.traitOverrides.contains(ThemeTrait.self)
    //: collection made by a closure
    let traits = UITraitCollection { mutableTraits in
        mutableTraits.theme = .loud
        mutableTraits.userInterfaceStyle = .dark
    }
    //: collection made by a closure with the word mutations
    _ = UITraitCollection(mutations: { $0.displayScale = 2 })
    //: collection changed
    _ = traits.modifyingTraits { $0.userInterfaceLevel = .elevated }
    //: collection merged
    _ = UITraitCollection(traitsFrom: [
        traits, .init(displayScale: 2), .init(layoutDirection: .rightToLeft),
    ])
    //: collection with one value
    _ = UITraitCollection(ThemeTrait.self, value: .loud)
    //: collection with a value replaced
    _ = traits.replacing(ThemeTrait.self, value: .plain)
    //: closure with type of self
    view.registerForTraitChanges([ThemeTrait.self]) { (self: UIView, previousTraitCollection) in
        self.setNeedsLayout()
    }
    //: closure that takes all from context
    view.registerForTraitChanges([ThemeTrait.self]) { view, previous in
        view.alpha = previous.theme == .plain ? 1 : 0.5
    }
    //: closure with handler label
    view.registerForTraitChanges(
        [ThemeTrait.self],
        handler: { (view: UIView, _: UITraitCollection) in
            _ = view.traitCollection.theme
        })
    //: closure with underscores
    controller.registerForTraitChanges([UITraitUserInterfaceStyle.self]) {
        (_: UIViewController, _) in
    }
    //: closure with weak capture
    controller.registerForTraitChanges([UITraitHorizontalSizeClass.self]) {
        [weak view] (controller: UIViewController, _) in
        view?.isHidden = controller.traitCollection.horizontalSizeClass == .compact
    }
    //: closure kept in a constant
    let handler: (UIView, UITraitCollection) -> Void = { view, _ in view.setNeedsDisplay() }
    view.registerForTraitChanges([ThemeTrait.self], handler: handler)
    //: token kept and ended
    let token: any UITraitChangeRegistration = view.registerForTraitChanges([ThemeTrait.self]) {
        (view: UIView, _) in
    }
    view.unregisterForTraitChanges(token)
    //: performAsCurrent with a result from outside
    var color = UIColor.systemRed.cgColor
    traits.performAsCurrent { color = UIColor.systemBlue.cgColor }
    view.layer.borderColor = color
    //: UITraitCollection.current set
    UITraitCollection.current = traits
    //: closure of present
    controller.present(UIViewController(), animated: true) { view.setNeedsLayout() }
    //: closure of dismiss
    controller.dismiss(animated: true, completion: { _ = view.superview })
}
//: action with a selector's method
final class ActionView: UIView {
    func start() {
        registerForTraitChanges([ThemeTrait.self], action: Self.changed)
    }
    @MainActor func changed() {}
}
//: registration in viewDidLoad with self of the class
final class Screen1: UIViewController {
    override func viewDidLoad() {
        super.viewDidLoad()
        registerForTraitChanges([ThemeTrait.self]) { (self: Self, previous: UITraitCollection) in
            self.update()
        }
    }
    private func update() {}
}
//: @Environment beside a constant
struct HostedRow {
    @Environment(\.colorScheme) private var scheme
    let title: String

    static func make() -> HostedRow { HostedRow(title: "a") }
}
