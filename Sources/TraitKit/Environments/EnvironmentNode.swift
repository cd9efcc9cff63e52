// An object's place in the hierarchy. The node is a class of its own, so that it leaves the
// hierarchy on the main actor, wherever the object's last reference is dropped and whatever deinit
// a subclass has.

internal import TraitEngine

/// The node of one environment. It lives as long as the environment's object.
@MainActor
final class EnvironmentNode {
    let hierarchy: TraitHierarchy
    let index: NodeIndex
    /// The node's object; nil once the object has been released.
    var object: Responder? {
        get { hierarchy[objectOf: index] }
        set { hierarchy[objectOf: index] = newValue }
    }
    /// The handlers of the node's registrations.
    var handlers: [RegistrationIndex: RegisteredHandler] = [:]
    /// The traits that tracked methods have read in their last run; none of a method that was asked
    /// to run again since.
    @exclusivity(unchecked) var reads: [(method: TrackedMethod, traits: TraitSet)] = []
    /// The position among the objects that wait; -1 while the object does not wait.
    @exclusivity(unchecked) var waitingPosition = -1
    /// The turns that the object has had in an update, by the update's number.
    @exclusivity(unchecked) var turns: (update: UInt64, count: Int) = (0, 0)
    /// The writes whose handlers run now, one inside the other.
    var writes = NestedWrites()

    /// A node without a parent; a window inherits from the main screen. A view, a view controller or
    /// a presentation controller shows the current collection until it is updated.
    init(_ kind: NodeKind) {
        let hierarchy = TraitHierarchy.current
        self.hierarchy = hierarchy
        let name = "\(kind.name)-\(hierarchy.nextSerial())"
        let parent = kind == .window ? hierarchy.screenNode : nil
        let current = TraitCollection.currentIfSet ?? hierarchy.screenTraits
        let prediction = kind.isPredicted ? current.comparable : nil
        index = hierarchy.change { (engine) throws(OperationError) in
            let index = try engine.createNode(name, kind: kind, parent: parent)
            if let prediction, !prediction.traits.isEmpty { try engine.predict(index, prediction) }
            return index
        }
        hierarchy.add(self)
        if kind == .window { showInherited() }
    }

    /// Shows what the node inherits, without calls: for a window that is being made.
    func showInherited() {
        hierarchy.change { (engine) in engine.updateTraits(of: index) }
    }

    isolated deinit {
        hierarchy.remove(self)
    }

    // MARK: - Traits

    /// The environment's traits as of its last update.
    var shownTraits: TraitEngine.TraitCollection { hierarchy.engine.shownCollection(of: index) }

    /// The traits before an update, which the environment shows while `willTransition(to:with:)`
    /// runs; nil at other times.
    @exclusivity(unchecked) var traitsBeforeTransition: TraitEngine.TraitCollection?

    /// The traits that the environment shows. While a tracked method runs, reads of the collection
    /// are recorded.
    var traitCollection: TraitCollection {
        TraitCollection(
            traitsBeforeTransition ?? shownTraits, reads: hierarchy.tracking.recorder(for: index))
    }

    var overrides: TraitOverrides {
        get { TraitOverrides(TraitValues(hierarchy.engine.overrides(of: index))) }
        set {
            write { (engine) throws(OperationError) in
                try engine.replaceOverrides(index, newValue.values.pairs)
            }
        }
    }

    var supplied: TraitOverrides {
        get { TraitOverrides(TraitValues(hierarchy.engine.supplied(of: index))) }
        set {
            write { (engine) throws(OperationError) in
                try engine.replaceSupplied(index, newValue.values.pairs)
            }
            if hierarchy.engine.kind(of: index) == .windowScene { hierarchy.screenChanged() }
        }
    }

    // MARK: - Place

    /// Puts the node below another, or nowhere: a window below the main screen.
    func place(below parent: EnvironmentNode?) {
        require(
            parent == nil || parent?.hierarchy === hierarchy,
            "the environments are of different hierarchies")
        let isWindow = hierarchy.engine.kind(of: index) == .window
        let place = parent?.index ?? (isWindow ? hierarchy.screenNode : nil)
        hierarchy.change { (engine) throws(OperationError) in
            try engine.updateNode(index, parent: place.map(Change.set) ?? .clear)
        }
    }

    /// Whether the chain of nodes that the node inherits from ends at a window scene or a window.
    var isAttached: Bool { hierarchy.engine.isAttached(index) }

    /// Whether this node is the other one or inherits from it. O(depth).
    func inherits(from other: EnvironmentNode) -> Bool {
        hierarchy.engine.inherits(index, from: other.index)
    }
}

extension NodeKind {
    /// Whether a new environment of the kind shows the current collection.
    fileprivate var isPredicted: Bool {
        self == .view || self == .viewController || self == .presentationController
    }
}
