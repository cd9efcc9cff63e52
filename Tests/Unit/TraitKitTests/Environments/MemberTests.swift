// Members that only keep what they are given, and the few that do more.

import Foundation
import KitTestSupport
import Synchronization
import Testing
import TraitKit

@MainActor
@Suite("Members that keep a value", .ownHierarchy)
struct MemberTests {
    @Test("constraints are kept by the view of their first side while they are active")
    func constraints() throws {
        let (parent, child) = (View(), View())
        parent.addSubview(child)
        let top = child.topAnchor.constraint(
            equalTo: parent.safeAreaLayoutGuide.topAnchor, constant: 8)
        let width = child.widthAnchor.constraint(
            equalTo: parent.widthAnchor, multiplier: 0.5, constant: 2)
        LayoutConstraint.activate([top, width])
        #expect(child.constraints.count == 2 && child.constraints[0] === top)
        #expect(parent.constraints.isEmpty && top.isActive)
        #expect(top.firstItem === child && top.secondItem === parent.safeAreaLayoutGuide)
        #expect(top.firstAttribute == .top && top.constant == 8 && top.multiplier == 1)
        #expect(width.multiplier == 0.5 && width.constant == 2 && width.relation == .equal)
        let height = child.heightAnchor.constraint(greaterThanOrEqualToConstant: 44)
        #expect(height.secondItem == nil && height.secondAttribute == .notAnAttribute)
        #expect(height.relation == .greaterThanOrEqual && height.priority == .required)
        top.isActive = false
        #expect(child.constraints.count == 1)
        let guide = LayoutGuide()
        parent.addLayoutGuide(guide)
        child.addLayoutGuide(guide)
        #expect(parent.layoutGuides.isEmpty && guide.owningView === child)
    }

    @Test("priorities, weights and levels are compared and moved by numbers")
    func numbers() {
        let priority = LayoutPriority.defaultLow + 1
        #expect(priority.rawValue == 251 && priority > .defaultLow)
        #expect(Font.Weight.bold < .heavy && Font.Weight.regular - 0.4 == .light)
        #expect(Window.Level.alert - 1 > .statusBar)
    }

    @Test("a view's layer has the view's frame and bounds, another layer its own")
    func layers() {
        let view = View(frame: Rect(x: 1, y: 2, width: 30, height: 40))
        #expect(view.layer.frame == view.frame && view.layer.bounds == view.bounds)
        view.layer.bounds.size.width = 50
        #expect(view.bounds.width == 50)
        let layer = GradientLayer()
        layer.frame = view.bounds
        layer.bounds.size.height = 5
        #expect(layer.frame == Rect(x: 0, y: 0, width: 50, height: 5) && layer.superlayer == nil)
    }

    @Test("arranged views of a stack are subviews, and go when they leave it")
    func stack() {
        let views = [View(), View(), View()]
        let stack = StackView(arrangedSubviews: views)
        #expect(stack.subviews == views && stack.arrangedSubviews == views)
        stack.insertArrangedSubview(views[2], at: -3)
        #expect(stack.arrangedSubviews == [views[2], views[0], views[1]])
        stack.removeArrangedSubview(views[0])
        #expect(stack.subviews.count == 3 && stack.arrangedSubviews.count == 2)
        stack.setCustomSpacing(4, after: views[1])
        #expect(stack.customSpacing(after: views[1]) == 4)
        views[1].removeFromSuperview()
        #expect(stack.arrangedSubviews == [views[2]])
        #expect(stack.customSpacing(after: views[1]) == StackView.spacingUseDefault)
    }

    @Test("a button has titles for its states, and its actions are performed when events are sent")
    func button() {
        var performed = 0
        let button = Button(primaryAction: Action(title: "go") { _ in performed += 1 })
        button.setTitle("chosen", for: .selected)
        button.setTitleColor(.red, for: .normal)
        #expect(button.currentTitle == "go" && button.titleColor(for: .disabled) == .red)
        button.isSelected = true
        #expect(button.currentTitle == "chosen" && button.state == .selected)
        button.sendActions(for: .valueChanged)
        button.sendActions(for: [.touchUpInside, .valueChanged])
        #expect(performed == 1)
        #expect(Button(type: .system).buttonType == .system)
    }

    @Test("cells are selected and highlighted by their setters, which subclasses may override")
    func cells() {
        final class Marked: TableViewCell {
            var log: [Bool] = []
            override func setSelected(_ selected: Bool, animated: Bool) {
                super.setSelected(selected, animated: animated)
                log.append(isSelected)
            }
        }
        let cell = Marked(style: .default, reuseIdentifier: nil)
        cell.setSelected(true, animated: true)
        cell.setHighlighted(true, animated: false)
        #expect(cell.log == [true] && cell.isHighlighted && cell.configurationState.isSelected)
    }

    @Test("a scene posts what UIKit posts when it goes to the background and comes back")
    func activation() {
        let names: [Notification.Name] = [
            Scene.willDeactivateNotification, Scene.didEnterBackgroundNotification,
            Scene.willEnterForegroundNotification, Scene.didActivateNotification,
        ]
        let scene = WindowScene()
        let posted = Mutex<[Notification.Name]>([])
        let observers = names.map { name in
            NotificationCenter.default.addObserver(forName: name, object: scene, queue: nil) {
                let name = $0.name
                posted.withLock { $0.append(name) }
            }
        }
        #expect(scene.activationState == .foregroundActive)
        scene.activationState = .background
        scene.activationState = .background
        scene.activationState = .foregroundInactive
        scene.activationState = .foregroundActive
        #expect(posted.withLock { $0 } == names)
        for observer in observers { NotificationCenter.default.removeObserver(observer) }
    }

    @Test("the delegate of a split view controller is told of collapsing and expanding")
    func split() {
        final class Delegate: SplitViewControllerDelegate {
            var log: [String] = []
            func splitViewControllerDidCollapse(_ svc: SplitViewController) { log.append("one") }
            func splitViewControllerDidExpand(_ svc: SplitViewController) { log.append("many") }
        }
        let (split, delegate) = (SplitViewController(style: .doubleColumn), Delegate())
        split.delegate = delegate
        split.traitOverrides.horizontalSizeClass = .compact
        split.traitOverrides.horizontalSizeClass = .regular
        #expect(delegate.log == ["one", "many"])
    }

    @Test("layers are in one superlayer, and the navigation item follows the title")
    func itemsAndLayers() {
        let (first, second, layer) = (Layer(), Layer(), GradientLayer())
        first.addSublayer(layer)
        second.insertSublayer(layer, at: 7)
        #expect(first.sublayers == nil && second.sublayers == [layer])
        #expect(layer.superlayer === second)
        let controller = ViewController()
        controller.title = "one"
        #expect(controller.navigationItem.title == "one")
        controller.title = "two"
        #expect(controller.navigationItem.title == "two")
        controller.navigationItem.rightBarButtonItem = BarButtonItem(systemItem: .done)
        #expect(controller.navigationItem.rightBarButtonItems?.count == 1)
    }

    @Test("changed insets call methods, animations run at once, a field follows its text size")
    func callsAndFonts() {
        final class Padded: View {
            var calls: [String] = []
            override func safeAreaInsetsDidChange() { calls.append("safe area") }
            override func layoutMarginsDidChange() { calls.append("margins") }
            override var intrinsicContentSize: Size { Size(width: 3, height: 4) }
        }
        let view = Padded()
        view.safeAreaInsets = EdgeInsets(top: 1)
        view.safeAreaInsets = EdgeInsets(top: 1)
        view.layoutMargins = .zero
        #expect(view.calls == ["safe area", "margins"] && view.intrinsicContentSize.width == 3)
        var finished = false
        View.animate(withDuration: 1, animations: { view.alpha = 0 }, completion: { finished = $0 })
        #expect(view.alpha == 0 && finished)
        let rect = Rect(x: 0, y: 0, width: 10, height: 10)
        #expect(rect.inset(by: EdgeInsets(top: 1, left: 2)).width == 8)
        let window = Window()
        let field = TextField()
        field.font = .preferredFont(forTextStyle: .body)
        field.adjustsFontForContentSizeCategory = true
        window.addSubview(field)
        window.traitOverrides.preferredContentSizeCategory = .extraLarge
        window.layoutIfNeeded()
        #expect(field.font?.pointSize == 19)
        #expect(Screen.main.bounds == .zero && window.windowLevel == .normal)
        #expect(Window.Level.alert > .statusBar)
    }
}
