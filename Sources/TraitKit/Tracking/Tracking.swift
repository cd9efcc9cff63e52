// Automatic trait tracking (iOS 18): the methods that run again when a trait that they read
// changes, and the recording of their reads.

internal import Synchronization
internal import TraitEngine

/// A method whose reads of its object's own traits are recorded. Raw values are the engine's names
/// of scopes.
enum TrackedMethod: String, Sendable {
    case layoutSubviews
    case updateConstraints
    case draw
    case updateProperties
    case viewWillLayoutSubviews
    case viewDidLayoutSubviews
    case updateViewConstraints
    case updateContentUnavailableConfiguration
    case containerViewWillLayoutSubviews
    case containerViewDidLayoutSubviews
    /// Buttons and cells; their update handlers belong to it.
    case updateConfiguration
    /// A compositional layout's section provider.
    case sectionProvider
}

/// A set of tracked methods as bits. A `Set` would hash the methods' names at every layout.
struct TrackedMethods {
    private var bits: UInt16 = 0

    func contains(_ method: TrackedMethod) -> Bool { bits & Self.bit(of: method) != 0 }

    mutating func insert(_ method: TrackedMethod) { bits |= Self.bit(of: method) }

    private static func bit(of method: TrackedMethod) -> UInt16 {
        switch method {
        case .layoutSubviews: 1
        case .updateConstraints: 2
        case .draw: 4
        case .updateProperties: 8
        case .viewWillLayoutSubviews: 16
        case .viewDidLayoutSubviews: 32
        case .updateViewConstraints: 64
        case .updateContentUnavailableConfiguration: 128
        case .containerViewWillLayoutSubviews: 256
        case .containerViewDidLayoutSubviews: 512
        case .updateConfiguration: 1024
        case .sectionProvider: 2048
        }
    }
}

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

/// The traits read while one method runs. Collections may be read on any thread, so any thread may
/// add to the recorder. Once the method has ended, reads are ignored.
final class ReadRecorder: Sendable {
    private let state = Mutex<TraitSet?>(TraitSet())

    func insert(_ trait: TraitIndex) {
        state.withLock { _ = $0?.insert(trait) }
    }

    func insert(_ traits: TraitSet) {
        state.withLock { $0?.formUnion(traits) }
    }

    /// Ends the recording. Returns the traits that were read, or no traits when it had ended
    /// before.
    func end() -> TraitSet {
        state.withLock { traits in
            defer { traits = nil }
            return traits ?? TraitSet()
        }
    }
}
