// Notifies an object that the traits it shows have changed, in an update or by a write.

internal import TraitEngine

/// The traits that an object shows have changed. The calls are made in this order: `begin`, the
/// handlers, `finish`. Objects that show the same, before and now, share one change.
@MainActor
final class ShownChange {
    let previous: TraitCollection
    let current: TraitCollection
    let changed: TraitSet
    /// Whether a trait changed that affects colours.
    let affectsColors: Bool
    /// Whether a size class changed.
    let affectsSizeClass: Bool

    init(
        _ previous: TraitEngine.TraitCollection, _ current: TraitEngine.TraitCollection,
        _ changed: TraitSet
    ) {
        self.previous = TraitCollection(previous)
        self.current = TraitCollection(current)
        self.changed = changed
        affectsColors = changed.intersects(TraitTable.definitions.affectingColorAppearance)
        affectsSizeClass = changed.intersects(Self.sizeClasses)
    }

    /// Does what comes before the handlers. Returns the transition of a controller whose size class
    /// has changed, which is to be completed at the end.
    func begin(at object: Responder) -> TransitionCoordinator? {
        let transition = announce(to: object)
        object.traitsChanged(self)
        object.invalidateReaders(of: changed)
        if let transition { current.performAsCurrent { transition.runAlongside() } }
        return transition
    }

    func call(_ handler: RegisteredHandler, of object: Responder) {
        current.performAsCurrent { handler.call(object, previous) }
    }

    /// Calls the old callback.
    func finish(at object: Responder) {
        current.performAsCurrent { object.traitCollectionDidChange(previous) }
    }

    /// Calls `willTransition(to:with:)` of a controller whose size class is about to change, with
    /// its old traits. Returns the transition; nil for other objects and other changes.
    private func announce(to object: Responder) -> TransitionCoordinator? {
        guard affectsSizeClass, let controller = object as? ViewController else { return nil }
        let transition = TransitionCoordinator()
        let outer = controller.node.traitsBeforeTransition
        controller.node.traitsBeforeTransition = previous.comparable
        previous.performAsCurrent { controller.willTransition(to: current, with: transition) }
        controller.node.traitsBeforeTransition = outer
        return transition
    }

    private static let sizeClasses = TraitTable.traits([
        TraitHorizontalSizeClass.self, TraitVerticalSizeClass.self,
    ])
}
