// Notes which traits a method reads from its object's own collection.

internal import Synchronization
internal import TraitEngine

/// The traits read while one method runs. Collections are values that go anywhere, so it may be
/// written from any thread, and it is deaf once the method is over.
final class ReadRecorder: Sendable {
    private let state = Mutex<TraitSet?>(TraitSet())

    func insert(_ trait: TraitIndex) {
        state.withLock { _ = $0?.insert(trait) }
    }

    func insert(_ traits: TraitSet) {
        state.withLock { $0?.formUnion(traits) }
    }

    /// Ends the recording. Answers what was read; nothing when it had ended already.
    func end() -> TraitSet {
        state.withLock { traits in
            defer { traits = nil }
            return traits ?? TraitSet()
        }
    }
}
