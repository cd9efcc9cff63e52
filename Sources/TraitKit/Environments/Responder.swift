// What window scenes, windows, presentation controllers, view controllers and views share: traits,
// overrides, registrations.

internal import TraitEngine

/// The common superclass of all trait environments.
///
/// UIKit's is `UIResponder`, for all but presentation controllers; here it stands for the part of
/// it that traits need. Main actor only, as in UIKit: values such as `TraitCollection` may go
/// anywhere, environments may not.
@MainActor
open class Responder: TraitEnvironment, TraitChangeObservable {
    /// The place in the hierarchy.
    let node: EnvironmentNode
    /// What waits to be run.
    private(set) var waiting: WaitingWork = []

    /// What the class is in the hierarchy. Not a parameter of an initializer: one that subclasses
    /// elsewhere cannot see would keep them from inheriting the others.
    class var nodeKind: NodeKind { .environment }

    /// An environment that stands nowhere yet.
    public init() {
        node = EnvironmentNode(Self.nodeKind)
        node.object = self
    }

    // MARK: - Traits

    /// The environment's traits, as of its last update. What was written since is visible after
    /// the next one.
    ///
    /// Read inside a method that UIKit tracks (see `View.layoutSubviews()`), a trait becomes one of
    /// the method's dependencies: the method runs again once it has changed.
    public var traitCollection: TraitCollection { node.traitCollection }

    /// What this environment overrides for itself and all that inherits from it.
    public var traitOverrides: TraitOverrides {
        get { node.overrides }
        set { node.overrides = newValue }
    }

    /// What the system or a container supplies for this environment, below its overrides: size
    /// classes, the idiom and scale of a scene, the list that a cell stands in. UIKit does this
    /// inside; here it is the application's part.
    public var suppliedTraits: TraitOverrides {
        get { node.supplied }
        set { node.supplied = newValue }
    }

    /// What a detached environment takes itself to inherit until it is attached. Shown at once;
    /// when it proves right, no handler runs on attaching (iOS 13). Nil takes it back.
    ///
    /// - Returns: false, and nothing was done, for an environment that inherits from another one.
    @discardableResult
    public func predictTraits(_ traitCollection: TraitCollection?) -> Bool {
        node.hierarchy.change { (engine) throws(OperationError) in
            try engine.predict(node.index, traitCollection?.comparable)
        }
    }

    /// The environment's traits changed, any of them; runs before the handlers of registrations,
    /// with the new traits in `traitCollection` and in `TraitCollection.current`. Does nothing
    /// unless overridden.
    ///
    /// Deprecated since iOS 17: it is called for every change. Register for the traits that matter.
    open func traitCollectionDidChange(_ previousTraitCollection: TraitCollection?) {}

    // MARK: - Updates

    /// Brings this environment's traits and those of all that inherits from it up to date now,
    /// what it inherits from first. Change handlers run before it returns.
    ///
    /// UIKit has it for views and view controllers. A loop is reported to `UpdateLoop.handler`.
    public func updateTraitsIfNeeded() {
        UpdateLoop.report { () throws(UpdateLoop) in try updateTraits() }
    }

    /// The same, throwing.
    ///
    /// - Throws: `UpdateLoop` when handlers go on changing what they react to.
    public func updateTraits() throws(UpdateLoop) {
        try UpdatePass(self, includesLayout: false).run()
    }

    // MARK: - For subclasses here

    /// What a tracked method of this object read changed: the method has to run again.
    func invalidate(_ method: TrackedMethod) {}

    /// The environment's collection has changed and is shown.
    func traitsChanged(_ changed: TraitSet) {}

    /// The node whose traits have to be up to date before what waits is run.
    var nodeOfTurn: EnvironmentNode { node }

    /// Runs what waits to be run before constraints and layout. Called between updates of traits,
    /// parents before children.
    func prepareForLayout() {}

    /// This object and those below it, parents first. O(subtree).
    var subtree: [Responder] { [self] }

    /// Updates properties and configurations if they were asked for.
    func updatePropertiesIfWaiting() {}

    /// Updates the traits of this object and those below it, then their properties, parents first.
    func updatePropertiesNow() {
        updateTraitsIfNeeded()
        for object in subtree { object.updatePropertiesIfWaiting() }
    }

    // MARK: - Waiting

    /// Whether something waits that has to run before drawing.
    var hasWaitingWork: Bool { !waiting.subtracting(.late).isEmpty }

    func wait(for work: WaitingWork) {
        if work.isSubset(of: waiting) { return }
        waiting.formUnion(work)
        node.hierarchy.waiting.insert(self)
    }

    /// Whether the work was waited for; it is not any more.
    func take(_ work: WaitingWork) -> Bool {
        guard !waiting.isDisjoint(with: work) else { return false }
        waiting.subtract(work)
        if waiting.isEmpty { node.hierarchy.waiting.remove(node.index) }
        return true
    }
}
