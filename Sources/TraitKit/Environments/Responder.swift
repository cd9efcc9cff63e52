// The protocol of all objects that have traits, and the superclass of window scenes, windows,
// presentation controllers, view controllers and views: it has their traits, overrides and
// registrations.

public import Foundation
internal import TraitEngine

/// An object in the trait hierarchy (`UITraitEnvironment`): a window scene, window, presentation
/// controller, view controller or view.
@preconcurrency @MainActor
public protocol TraitEnvironment: AnyObject {
    /// The environment's traits, as of its last update.
    var traitCollection: TraitCollection { get }

    /// Called when any trait of the environment has changed. Deprecated since iOS 17: register for
    /// the traits that matter instead.
    func traitCollectionDidChange(_ previousTraitCollection: TraitCollection?)
}

/// The common superclass of all trait environments.
///
/// In UIKit this is `UIResponder`, which presentation controllers do not inherit from. Here it has
/// only what traits need. Environments belong to the main actor, as in UIKit; values such as
/// `TraitCollection` may be used on any thread.
@preconcurrency @MainActor
open class Responder: TraitEnvironment, TraitChangeObservable {
    /// The place in the hierarchy.
    let node: EnvironmentNode
    /// The methods that wait to run.
    @exclusivity(unchecked) private(set) var waiting: WaitingWork = []

    /// The kind of the class's nodes. It is not a parameter of an initializer: an initializer that
    /// subclasses in other modules cannot see would keep them from inheriting the other
    /// initializers.
    class var nodeKind: NodeKind { .environment }

    /// An environment without a parent.
    public convenience init() {
        self.init(root: ())
    }

    /// The designated initializer, for direct subclasses. `init()` is a convenience initializer, so
    /// that a subclass of a view or controller may declare `init()` without `override`, as in UIKit.
    public init(root: Void) {
        node = EnvironmentNode(Self.nodeKind)
        node.object = self
    }

    // MARK: - Traits

    /// The environment's traits, as of its last update. A window scene, window or view controller
    /// also shows the writes to itself since then; elsewhere they are visible after the next update.
    ///
    /// A trait that a tracked method reads (see `View.layoutSubviews()`) becomes one of the
    /// method's dependencies: the method runs again once the trait has changed.
    open var traitCollection: TraitCollection { node.traitCollection }

    /// The overrides of this environment, for itself and the environments that inherit from it.
    /// See `TraitOverrides` for when a write is visible.
    public var traitOverrides: TraitOverrides {
        get { node.overrides }
        set { node.overrides = newValue }
    }

    /// The values that the system or a container supplies for this environment: size classes, the
    /// idiom and scale of a scene, the list around a cell. Overrides win over them. UIKit supplies
    /// these values by itself; here the application does.
    public var suppliedTraits: TraitOverrides {
        get { node.supplied }
        set { node.supplied = newValue }
    }

    /// Predicts the traits that a detached environment will inherit. The environment shows them at
    /// once. When the prediction is right, no handler runs on attaching (iOS 13). Nil removes the
    /// prediction.
    ///
    /// - Returns: false for an environment that inherits from another one; nothing is changed then.
    @discardableResult
    public func predictTraits(_ traitCollection: TraitCollection?) -> Bool {
        node.hierarchy.change { (engine) throws(OperationError) in
            try engine.predict(node.index, traitCollection?.comparable)
        }
    }

    /// Runs when any trait of the environment has changed, after the handlers of registrations.
    /// The new traits are in `traitCollection` and in `TraitCollection.current`. Does nothing
    /// unless overridden.
    ///
    /// Deprecated since iOS 17: it is called for every change. Register for the traits that matter.
    open func traitCollectionDidChange(_ previousTraitCollection: TraitCollection?) {}

    /// The object was made from a nib file. Never called by itself: there are no nib files.
    open func awakeFromNib() {}

    /// The notifications about the keyboard, as UIKit names them. A program posts them itself.
    public nonisolated static let
        keyboardWillShowNotification =
            Notification.Name("UIKeyboardWillShowNotification"),
        keyboardWillHideNotification = Notification.Name("UIKeyboardWillHideNotification")

    /// Whether the object takes events first: no, unless overridden.
    open var canBecomeFirstResponder: Bool { false }

    /// The object that events go to next: for a view the controller that owns it, else its
    /// superview; for a controller the superview of its view; for a window its scene.
    open var next: Responder? { nil }

    // MARK: - Updates

    /// Updates the traits of this environment and of the environments that inherit from it, now.
    /// Change handlers run before this returns. The update starts from what the environment above
    /// shows: changes that wait there go on waiting for an update that starts there, or higher.
    ///
    /// UIKit has this method for views and view controllers. A loop is reported to
    /// `UpdateLoop.handler`.
    open func updateTraitsIfNeeded() {
        UpdateLoop.report { () throws(UpdateLoop) in try updateTraits() }
    }

    /// Does what `updateTraitsIfNeeded()` does, and throws a loop.
    ///
    /// - Throws: `UpdateLoop` when handlers keep changing the traits that they react to.
    public func updateTraits() throws(UpdateLoop) {
        try EnvironmentUpdate(self, includesLayout: false, climbs: false).run()
    }

    /// Updates the traits of what this environment inherits from, then does what
    /// `updateTraitsIfNeeded()` does.
    func updateTraitsFromTop() {
        UpdateLoop.report { () throws(UpdateLoop) in
            try EnvironmentUpdate(self, includesLayout: false, climbs: true).run()
        }
    }

    // MARK: - For subclasses here

    /// Asks for a tracked method of this object to run again, since a trait that it read has
    /// changed.
    func invalidate(_ method: TrackedMethod) {}

    /// Asks for the tracked methods to run again that have read one of the traits.
    func invalidateReaders(of changed: TraitSet) {
        var index = 0
        while index < node.reads.count {
            if node.reads[index].traits.intersects(changed) {
                invalidate(node.reads.remove(at: index).method)
            } else {
                index += 1
            }
        }
    }

    /// Called when the environment shows its changed collection, before handlers.
    func traitsChanged(_ change: ShownChange) {}

    /// The node whose traits must be up to date before the waiting methods run.
    var nodeOfTurn: EnvironmentNode { node }

    /// Whether `viewIsAppearing` waits for the object's view, or the view itself.
    var isAppearing: Bool { waiting.contains(.appearing) }

    /// Runs the waiting methods that come before constraints and layout. Called between updates of
    /// traits, parents before children.
    func prepareForLayout() {}

    /// Lays the view out if its layout waits.
    func layoutIfWaiting() {}

    /// This object and those below it, parents first. O(subtree).
    var subtree: [Responder] { [self] }

    /// Updates properties and configurations if these updates wait.
    func updatePropertiesIfWaiting() {}

    /// Updates the traits of this object, of what it inherits from and of those below it, then the
    /// properties of this object and those below it, parents first.
    func updatePropertiesNow() {
        updateTraitsFromTop()
        for object in subtree { object.updatePropertiesIfWaiting() }
    }

    // MARK: - Waiting

    /// Whether a method waits that has to run before drawing.
    var hasWaitingWork: Bool { !waiting.subtracting(.late).isEmpty }

    func wait(for work: WaitingWork) {
        if work.isSubset(of: waiting) { return }
        waiting.formUnion(work)
        node.hierarchy.waiting.insert(self)
    }

    /// Removes the work from what waits. Returns whether any of it waited.
    func take(_ work: WaitingWork) -> Bool {
        guard !waiting.isDisjoint(with: work) else { return false }
        waiting.subtract(work)
        if waiting.isEmpty { node.hierarchy.waiting.remove(node) }
        return true
    }
}

extension Responder: Hashable, SameObject {}

/// A class whose objects are equal when they are the same object.
protocol SameObject: AnyObject {}

extension SameObject {
    /// Whether the two are the same object.
    public static func == (left: Self, right: Self) -> Bool { left === right }

    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
