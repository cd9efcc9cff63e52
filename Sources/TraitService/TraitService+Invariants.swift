// What must hold of every session after every request, as code: tests call it, nothing else does.

import TraitEngine
import TraitSessions

extension TraitService {
    /// Checks the hierarchy of every session. O(everything), with each session locked meanwhile.
    ///
    /// - Throws: the first thing found wrong.
    package func checkInvariants() throws(InvariantError) {
        for session in store.page(after: nil, limit: .max) {
            try session.locked { () throws(InvariantError) in
                try session.hierarchy.checkInvariants()
            }
        }
    }
}
