// Code as it is written for UIKit, with only the import changed. That this file compiles is most of
// the test; the tests also check that the code works.

import Foundation
import KitTestSupport
import Testing
import TraitKitUI

private struct SpacingTrait: UITraitDefinition {
    static let defaultValue: CGFloat = 8
}

extension UITraitCollection {
    fileprivate var spacing: CGFloat { self[SpacingTrait.self] }
}

extension UIMutableTraits {
    fileprivate var spacing: CGFloat {
        get { self[SpacingTrait.self] }
        set { self[SpacingTrait.self] = newValue }
    }
}

/// A class that is not bound to the main actor.
private final class Model {
    var calls: [String] = []

    func changed() { calls.append("none") }
    func changed(_ view: UIView) { calls.append("one") }
    func changed(_ view: UIView, _ previous: UITraitCollection) {
        calls.append("two, before: \(previous.spacing)")
    }
}

private final class CardView: UIView {
    var isSelected = false
    private(set) var drawn: [CGRect] = []
    private(set) var spacings: [CGFloat] = []
    private var registration: (any UITraitChangeRegistration)?

    override init(frame: CGRect) {
        super.init(frame: frame)
        backgroundColor = UIColor { traits in
            if self.isSelected { return .red }
            return traits.userInterfaceStyle == .dark ? .black : .white
        }
        registerForTraitChanges([SpacingTrait.self]) { (self: Self, _) in
            self.spacings.append(self.traitCollection.spacing)
        }
    }

    required init?(coder: NSCoder) {
        fatalError("init(coder:) has not been implemented")
    }

    override func draw(_ rect: CGRect) { drawn.append(rect) }

    func observeOnce() {
        var calls = 0
        registration = registerForTraitChanges([UITraitUserInterfaceStyle.self]) {
            (self: Self, _) in
            calls += 1
            self.spacings.append(CGFloat(-calls))
            self.stop()
        }
    }

    private func stop() {
        guard let registration else { return }
        unregisterForTraitChanges(registration)
        self.registration = nil
    }
}

private final class CardController: UIViewController {
    override init(nibName nibNameOrNil: String?, bundle nibBundleOrNil: Bundle?) {
        super.init(nibName: nibNameOrNil, bundle: nibBundleOrNil)
    }

    required init?(coder: NSCoder) {
        fatalError("init(coder:) has not been implemented")
    }

    override func loadView() {
        view = CardView(frame: CGRect(x: 0, y: 0, width: 320, height: 200))
    }
}

extension UITraitChangeObservable where Self: UITraitEnvironment {
    /// An extension as apps write it, for all observable environments.
    @MainActor
    fileprivate func noteStyles(in log: Log) {
        registerForTraitChanges([UITraitUserInterfaceStyle.self]) { (self: Self, previous) in
            log.lines.append("\(self.traitCollection.userInterfaceStyle)")
        }
    }
}

@MainActor
private final class Log {
    var lines: [String] = []
}

/// An observable type of the program, which forwards to an environment.
@MainActor
private struct Forwarding: UITraitChangeObservable {
    let view: UIView

    @discardableResult
    func registerForTraitChanges<Environment>(
        _ traits: [UITrait], handler: @escaping TraitChangeHandler<Environment>
    ) -> any UITraitChangeRegistration {
        view.registerForTraitChanges(traits, handler: handler)
    }

    func unregisterForTraitChanges(_ registration: any UITraitChangeRegistration) {
        view.unregisterForTraitChanges(registration)
    }
}

@MainActor
@Suite("Code written for UIKit", .ownHierarchy)
struct OrdinaryCodeTests {
    private let scene = UIWindowScene()
    private let window: UIWindow
    private let card = CardView(frame: CGRect(x: 10, y: 10, width: 100, height: 50))

    init() {
        window = UIWindow(windowScene: scene)
        window.addSubview(card)
        scene.layoutIfNeeded()
    }

    @Test("views are made, drawn and observed in UIKit's spelling")
    func view() {
        #expect(card.drawn == [CGRect(x: 0, y: 0, width: 100, height: 50)])
        window.traitOverrides.spacing = 12
        scene.layoutIfNeeded()
        #expect(card.spacings == [12])
    }

    @Test("a controller is made with a nib's name, or none, and loads its own view")
    func controller() {
        let controller = CardController(nibName: "Card", bundle: nil)
        #expect(controller.nibName == "Card")
        #expect(controller.nibBundle == nil)
        #expect(controller.view is CardView)
        #expect(CardController().nibName == nil)
    }

    @Test("actions are methods of classes that are not bound to the main actor")
    func actions() {
        let model = Model()
        card.registerForTraitChanges(
            [SpacingTrait.self], target: model, action: Model.changed as (Model) -> () -> Void)
        card.registerForTraitChanges(
            [SpacingTrait.self], target: model,
            action: Model.changed as (Model) -> (UIView) -> Void)
        card.registerForTraitChanges(
            [SpacingTrait.self], target: model,
            action: Model.changed as (Model) -> (UIView, UITraitCollection) -> Void)
        card.traitOverrides.spacing = 1
        scene.layoutIfNeeded()
        #expect(model.calls == ["none", "one", "two, before: 8.0"])
    }

    @Test("a colour's provider reads the view that it belongs to")
    func provider() throws {
        let color = try #require(card.backgroundColor)
        let dark = UITraitCollection(userInterfaceStyle: .dark)
        #expect(color.resolvedColor(with: dark) == .black)
        card.isSelected = true
        #expect(color.resolvedColor(with: dark) == .red)
    }

    @Test("a registration can be held weakly; the reference is nil once it has ended")
    func weakRegistration() {
        let log = Log()
        weak var held: (any UITraitChangeRegistration)?
        held = card.registerForTraitChanges([SpacingTrait.self]) { (_: CardView, _) in
            log.lines.append("called")
        }
        let end = { [weak registration = held, card] in
            if let registration { card.unregisterForTraitChanges(registration) }
        }
        card.traitOverrides.spacing = 1
        scene.layoutIfNeeded()
        #expect(log.lines == ["called"])
        #expect(held != nil)
        end()
        #expect(held == nil)
        card.traitOverrides.spacing = 2
        scene.layoutIfNeeded()
        #expect(log.lines == ["called"])
    }

    @Test("a registration that ends itself in its handler is called once")
    func endingItself() {
        card.observeOnce()
        for style in [UIUserInterfaceStyle.dark, .light] {
            scene.traitOverrides.userInterfaceStyle = style
            scene.layoutIfNeeded()
        }
        #expect(card.spacings == [-1])
    }

    @Test("the protocol is a constraint, an existential, and can be extended")
    func observable() {
        func observe(_ environment: some UITraitChangeObservable & UITraitEnvironment, _ log: Log) {
            environment.registerForTraitChanges([SpacingTrait.self]) { environment, previous in
                log.lines.append("constraint \(environment.traitCollection.spacing)")
            }
        }
        let log = Log()
        observe(card, log)
        let any: any UITraitChangeObservable = card
        let token = any.registerForTraitChanges([SpacingTrait.self]) {
            (environment: any UITraitEnvironment, previous) in
            log.lines.append("existential \(environment.traitCollection.spacing)")
        }
        window.noteStyles(in: log)

        window.traitOverrides.spacing = 3
        window.traitOverrides.userInterfaceStyle = .dark
        scene.layoutIfNeeded()
        #expect(log.lines == ["dark", "constraint 3.0", "existential 3.0"])

        any.unregisterForTraitChanges(token)
        window.traitOverrides.spacing = 4
        scene.layoutIfNeeded()
        #expect(log.lines.dropFirst(3) == ["constraint 4.0"])
    }

    @Test("a type of the program conforms by forwarding, actions included")
    func forwarding() {
        let model = Model()
        let log = Log()
        let forwarding = Forwarding(view: card)
        forwarding.registerForTraitChanges([SpacingTrait.self]) { (view: CardView, _) in
            log.lines.append("\(type(of: view))")
        }
        forwarding.registerForTraitChanges(
            [SpacingTrait.self], target: model, action: Model.changed as (Model) -> () -> Void)
        card.traitOverrides.spacing = 5
        scene.layoutIfNeeded()
        #expect(log.lines == ["CardView"])
        #expect(model.calls == ["none"])
    }
}

/// Members of UIKit that programs override.
private final class OverridingView: UIView {
    var log: [String] = []

    override var bounds: CGRect { didSet { log.append("bounds \(Int(bounds.width))") } }
    override var backgroundColor: UIColor? { didSet { log.append("background") } }
    override var tintColor: UIColor! {
        get { super.tintColor }
        set { super.tintColor = newValue }
    }
    override var traitCollection: UITraitCollection {
        super.traitCollection.replacing(SpacingTrait.self, value: 99)
    }
    override func setNeedsLayout() {
        super.setNeedsLayout()
        log.append("needs layout")
    }
}

private final class OverridingCell: UICollectionViewCell {
    var selections = 0

    override var isSelected: Bool { didSet { selections += 1 } }
    override var isHighlighted: Bool { didSet { setNeedsLayout() } }
}

private final class OverridingController: UIViewController {
    var presented = 0

    override func present(
        _ viewControllerToPresent: UIViewController, animated flag: Bool,
        completion: (() -> Void)? = nil
    ) {
        presented += 1
        super.present(viewControllerToPresent, animated: flag, completion: completion)
    }
}

@MainActor
@Suite("What programs override", .ownHierarchy) struct OverridingTests {
    @Test("properties and methods of views, cells and controllers")
    func overriding() {
        let scene = UIWindowScene()
        let window = UIWindow(windowScene: scene)
        let controller = OverridingController()
        window.rootViewController = controller
        let view = OverridingView()
        controller.view.addSubview(view)
        scene.layoutIfNeeded()
        view.log = []
        view.frame = CGRect(x: 0, y: 0, width: 20, height: 10)
        view.backgroundColor = .red
        #expect(view.log == ["needs layout", "bounds 20", "background"])
        // What the environment inherits does not change.
        #expect(view.traitCollection.spacing == 99)
        let inner = UIView()
        view.addSubview(inner)
        scene.layoutIfNeeded()
        #expect(inner.traitCollection.spacing == 8)

        let cell = OverridingCell()
        cell.isSelected = true
        #expect(cell.selections == 1)
        let modal = UIViewController()
        controller.present(modal, animated: true)
        #expect(controller.presented == 1)
        #expect(controller.presentedViewController === modal)
    }

    @Test("a button updates its configuration when its state changes")
    func button() {
        let window = UIWindow(windowScene: UIWindowScene())
        let button = UIButton()
        var states: [String] = []
        button.configurationUpdateHandler = { button in
            states.append("\(button.isSelected) \(button.isHighlighted) \(button.isEnabled)")
        }
        window.addSubview(button)
        window.layoutIfNeeded()
        states = []
        button.isSelected = true
        button.isHighlighted = true
        button.isEnabled = false
        window.layoutIfNeeded()
        window.layoutIfNeeded()
        #expect(states == ["true true false"])
    }
}
