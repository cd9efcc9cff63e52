// Writes to an environment. A window scene, window or view controller of UIKit shows a write before
// the setter returns, and its handlers run; what inherits from it follows in the next update. Other
// environments wait for the update themselves.

internal import TraitEngine

extension EnvironmentNode {
    /// Changes an input of the environment: its overrides, its supplied traits, an older input or a
    /// limit.
    ///
    /// A view controller that inherits from no other environment keeps the value of an input that is
    /// removed.
    func write(_ operation: (Hierarchy) throws(OperationError) -> Void) {
        let kind = hierarchy.engine.kind(of: index)
        guard kind.showsWrites, let object else {
            hierarchy.change(operation)
            return
        }
        let previous = shownTraits
        let commit = hierarchy.commit { (engine) throws(OperationError) in
            if kind == .viewController { engine.keepShown(of: index) }
            try operation(engine)
        }
        let current = shownTraits
        let changed = current.changedTraits(from: previous)
        if changed.isEmpty { return }
        let change = ShownChange(previous, current, changed)
        let called = commit.notifications.map(\.registration).compactMap { registration in
            handlers[registration].map { (registration, $0) }
        }
        show(change, called, at: object)
    }

    /// Makes the calls for a write. Handlers may write again: then the calls for that write come
    /// first, unless it is a loop.
    private func show(
        _ change: ShownChange, _ called: [(RegistrationIndex, RegisteredHandler)],
        at object: Responder
    ) {
        if !writes.begin(change, at: object) { return }
        // The loop is reported when the property is no longer in use.
        defer { if let loop = writes.end() { UpdateLoop.handler(loop) } }
        let transition = change.begin(at: object)
        // A handler may have ended the registration of a later one.
        for (registration, handler) in called
        where !writes.isLoop && handlers[registration]?.token == handler.token {
            change.call(handler, of: object)
        }
        if !writes.isLoop { change.finish(at: object) }
        transition?.complete()
    }
}

/// Writes to one environment, each made by a handler of the one before.
@MainActor
struct NestedWrites {
    private var depth = 0
    private var loop: UpdateLoop?

    /// Whether the calls of the writes were ended early.
    var isLoop: Bool { loop != nil }

    /// Whether the calls for another write may be made. No more than 16 writes may be nested.
    mutating func begin(_ change: ShownChange, at object: Responder) -> Bool {
        if isLoop { return false }
        if depth == EnvironmentUpdate.turnsMax {
            loop = UpdateLoop(writes: depth, to: object, change.changed)
            return false
        }
        depth += 1
        return true
    }

    /// Returns the loop at the end of the first write.
    mutating func end() -> UpdateLoop? {
        depth -= 1
        if depth > 0 { return nil }
        defer { loop = nil }
        return loop
    }
}
