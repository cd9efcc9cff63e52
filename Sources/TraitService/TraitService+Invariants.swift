// The invariants of every session after every request, as code that only tests call.

import TraitEngine
import TraitSessions

extension TraitService {
    /// Checks the hierarchy of every session. O(everything), with each session locked meanwhile.
    ///
    /// - Throws: the first thing found wrong.
    package func checkInvariants() throws(InvariantError) {
        for session in store.page(after: nil, limit: .max) {
            try session.withState { state throws(InvariantError) in
                try state.hierarchy.checkInvariants()
            }
        }
    }

    /// Every session with its revision, whatever the caller's scope.
    package var sessionHeads: [(name: String, uid: String, revision: Int64)] {
        store.page(after: nil, limit: .max).map { session in
            (session.name, session.uid, session.withState(\.head))
        }
    }
}
