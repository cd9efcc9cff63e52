// Materializing on another thread while the test goes on writing.

import Dispatch
import TraitEngine

/// A snapshot that becomes a hierarchy on a thread of its own.
final class Materializing: @unchecked Sendable {
    // Unchecked: the outcome is written before `done` is signalled and read after waiting for it.
    private var outcome: Result<Hierarchy, SnapshotError>?
    private let done = DispatchSemaphore(value: 0)

    init(_ snapshot: HierarchySnapshot) {
        DispatchQueue(label: "materialize").async {
            do throws(SnapshotError) {
                self.outcome = .success(try snapshot.materialize())
            } catch {
                self.outcome = .failure(error)
            }
            self.done.signal()
        }
    }

    /// Waits for the hierarchy; to be called once.
    func hierarchy() throws -> Hierarchy {
        done.wait()
        guard let outcome else { throw SnapshotError.cancelled }
        return try outcome.get()
    }
}
