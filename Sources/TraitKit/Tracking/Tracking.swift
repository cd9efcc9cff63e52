// Automatic trait tracking (iOS 18): the methods that run again when a trait that they read
// changes, and the recording of their reads.

internal import Synchronization
internal import TraitEngine

/// A method whose reads of its object's own traits are recorded.
enum TrackedMethod: Sendable {
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

/// The tracked methods that run now, the innermost last.
@MainActor
final class Tracking {
    private struct Running {
        /// The environments whose traits are the method's own.
        let node: NodeIndex
        let other: NodeIndex?
        let recorder: ReadRecorder
    }

    @exclusivity(unchecked) private var running: ContiguousArray<Running> = []
    /// A recorder that no collection refers to, for the next method.
    @exclusivity(unchecked) private var spare: ReadRecorder?

    /// The recorder of the innermost running method that tracks this environment; nil without one.
    func recorder(for node: NodeIndex) -> ReadRecorder? {
        running.last { $0.node == node || $0.other == node }?.recorder
    }

    /// Runs the method and returns the traits that it read from the nodes.
    func record(_ node: NodeIndex, _ other: NodeIndex?, _ method: (ReadRecorder) -> Void)
        -> TraitSet
    {
        var recorder = spare ?? ReadRecorder()
        spare = nil
        running.append(Running(node: node, other: other, recorder: recorder))
        method(recorder)
        running.removeLast()
        // A collection that the method has stored still refers to the recorder, which then is used up.
        let isSpare = isKnownUniquelyReferenced(&recorder)
        if isSpare { spare = recorder }
        return recorder.end(restarts: isSpare)
    }
}

extension Responder {
    /// Runs a method of this object, with `TraitCollection.current` set to its traits. The traits
    /// that it reads replace those of its last run.
    ///
    /// - Parameter other: an environment whose traits the method may read as its own, such as a
    ///   controller's view.
    func track(_ method: TrackedMethod, with other: Responder? = nil, _ body: () -> Void) {
        let reads = node.hierarchy.tracking.record(node.index, other?.node.index) { recorder in
            TraitCollection(node.shownTraits, reads: recorder).performAsCurrent(body)
        }
        if let known = node.reads.firstIndex(where: { $0.method == method }) {
            node.reads.remove(at: known)
        }
        if !reads.isEmpty { node.reads.append((method, reads)) }
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

    /// Ends the recording, and begins another one if it restarts. Returns the traits that were read, or
    /// no traits when it had ended before.
    func end(restarts: Bool) -> TraitSet {
        state.withLock { traits in
            defer { traits = restarts ? TraitSet() : nil }
            return traits ?? TraitSet()
        }
    }
}
