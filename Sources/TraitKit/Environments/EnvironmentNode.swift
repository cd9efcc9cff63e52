// An object's place in the hierarchy. A class of its own, so that it is taken out on the main
// actor wherever the object's last reference is dropped, whatever deinit a subclass has.

internal import TraitEngine

/// The node of one environment, there as long as the object.
@MainActor
final class EnvironmentNode {
    let hierarchy: TraitHierarchy
    let index: NodeIndex
    weak var object: Responder?
    /// What its registrations call.
    var handlers: [RegistrationIndex: RegisteredHandler] = [:]
    /// The methods whose reads the engine knows.
    var trackedMethods: Set<TrackedMethod> = []

    /// A node that stands nowhere yet.
    init(_ kind: NodeKind) {
        let hierarchy = TraitHierarchy.current
        self.hierarchy = hierarchy
        let name = "\(kind.name)-\(hierarchy.nextSerial())"
        index = hierarchy.change { (engine) throws(OperationError) in
            try engine.createNode(name, kind: kind)
        }
        hierarchy.add(self)
    }

    isolated deinit {
        hierarchy.remove(index)
    }

    /// Holds a node without keeping it.
    struct Reference {
        private(set) weak var environment: EnvironmentNode?

        init(_ environment: EnvironmentNode) {
            self.environment = environment
        }
    }

    // MARK: - Traits

    /// What the environment shows: its traits as of its last update.
    var shownTraits: TraitEngine.TraitCollection { hierarchy.engine.shownCollection(of: index) }

    /// What the environment is said to show while it hears that its traits are about to change.
    var traitsBeforeTransition: TraitEngine.TraitCollection?

    /// What the environment shows, noting what is read where that matters.
    var traitCollection: TraitCollection {
        TraitCollection(
            traitsBeforeTransition ?? shownTraits, reads: hierarchy.tracking.recorder(for: index))
    }

    var overrides: TraitOverrides {
        get { TraitOverrides(TraitValues(hierarchy.engine.overrides(of: index))) }
        set {
            hierarchy.change { (engine) throws(OperationError) in
                try engine.replaceOverrides(index, newValue.values.pairs)
            }
        }
    }

    var supplied: TraitOverrides {
        get { TraitOverrides(TraitValues(hierarchy.engine.supplied(of: index))) }
        set {
            hierarchy.change { (engine) throws(OperationError) in
                try engine.replaceSupplied(index, newValue.values.pairs)
            }
        }
    }

    /// What was supplied, as a collection.
    var suppliedCollection: TraitEngine.TraitCollection {
        let pairs = hierarchy.engine.supplied(of: index)
        var bag = TraitBag(base: TraitCollection())
        bag.take(TraitValues(pairs))
        return bag.collection
    }

    // MARK: - Place

    /// Puts the node below another, or nowhere.
    func place(below parent: EnvironmentNode?) {
        require(
            parent == nil || parent?.hierarchy === hierarchy,
            "the environments are of different hierarchies")
        hierarchy.change { (engine) throws(OperationError) in
            try engine.updateNode(index, parent: parent.map { .set($0.index) } ?? .clear)
        }
    }

    /// Whether the chain of what it inherits from ends at a window scene.
    var isAttached: Bool { hierarchy.engine.state(of: index) != .detached }

    /// Whether this node is the other one or inherits from it. O(depth).
    func inherits(from other: EnvironmentNode) -> Bool {
        var node: NodeIndex? = index
        while let current = node {
            if current == other.index { return true }
            node = hierarchy.engine.traitParent(of: current)
        }
        return false
    }
}
