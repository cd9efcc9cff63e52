// The tracked methods that are running, and the traits that they read.

internal import TraitEngine

/// The tracked methods that run now, the innermost last.
@MainActor
final class Tracking {
    private struct Running {
        /// The environments whose traits are the method's own.
        let nodes: [NodeIndex]
        let recorder: ReadRecorder
    }

    /// A method that has run, with the traits that it read.
    struct Scope {
        let node: NodeIndex
        let method: TrackedMethod
        let reads: TraitSet
    }

    private var running: [Running] = []
    /// Methods that have run and whose reads the engine does not have yet. It gets many at once,
    /// before the next call that depends on them: a write, or the next step of an update.
    var pending: [Scope] = []

    /// The recorder of the innermost running method that tracks this environment; nil without one.
    func recorder(for node: NodeIndex) -> ReadRecorder? {
        running.last { $0.nodes.contains(node) }?.recorder
    }

    /// Runs the method and returns the traits that it read from the nodes.
    func record(_ nodes: [NodeIndex], _ method: (ReadRecorder) -> Void) -> TraitSet {
        let recorder = ReadRecorder()
        running.append(Running(nodes: nodes, recorder: recorder))
        method(recorder)
        running.removeLast()
        return recorder.end()
    }
}

extension Responder {
    /// Runs a method of this object, with `TraitCollection.current` set to its traits. The traits
    /// that it reads replace those of its last run.
    ///
    /// - Parameter others: environments whose traits the method may read as its own, such as a
    ///   controller's view.
    func track(_ method: TrackedMethod, others: [Responder] = [], _ body: () -> Void) {
        let hierarchy = node.hierarchy
        let nodes = [node.index] + others.map(\.node.index)
        let reads = hierarchy.tracking.record(nodes) { recorder in
            TraitCollection(node.shownTraits, reads: recorder).performAsCurrent(body)
        }
        guard node.trackedMethods.contains(method) || !reads.isEmpty else { return }
        node.trackedMethods.insert(method)
        hierarchy.tracking.pending.append(
            Tracking.Scope(node: node.index, method: method, reads: reads))
    }
}
