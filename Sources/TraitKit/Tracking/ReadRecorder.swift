// Records which traits a method reads from its object's own collection.

internal import Synchronization
internal import TraitEngine

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
