// Assumed operations in layers: each layer is a transaction above the one before, and the newest one is taken back
// first. Nothing of them is logged, acknowledged or noticed.

import TraitEngine
import TraitJSON

/// The layers that are applied to a session. The owner takes all of them back before others get the session.
package struct AssumedStack {
    private struct Layer {
        /// Whether the hierarchy has a commit for it.
        let isCommit: Bool
        let registered: [RegistrationKey]
    }

    private let time: Int64
    private let text = TextBuffer()
    private var layers: [Layer] = []

    package var count: Int { layers.count }

    package init(_ session: SessionState) {
        time = max(session.environment.now(), session.queue.headTime)
    }

    /// Applies a layer. The state is unchanged if it is refused.
    package mutating func push(
        _ session: SessionState, _ work: inout AssumedWork,
        _ apply: (inout Transaction) throws(SessionError) -> Void
    ) throws(SessionError) {
        var opened = session.open(text, time: time, budget: work.budget)
        do throws(SessionError) {
            try apply(&opened.transaction)
        } catch {
            session.abandon(opened.transaction)
            throw error
        }
        work.budget = opened.transaction.budget
        session.streams.leases.ends = nil
        session.streams.renames = []
        session.hierarchy.notify(atMost: 0)
        if session.annotations.hasOpenChanges { session.hierarchy.noteChangeOutside() }
        let commit = session.hierarchy.commit()
        session.encodings.forgetFormer()
        if commit.isUnchanged {
            session.annotations.rollback()
        } else {
            _ = session.annotations.seal(commit.revision)
        }
        layers.append(
            Layer(isCommit: !commit.isUnchanged, registered: opened.transaction.registered))
    }

    /// Takes the newest layers back, so that `count` of them are left.
    package mutating func pop(to count: Int, _ session: SessionState) {
        while layers.count > count, let layer = layers.popLast() {
            if layer.isCommit {
                // No watch goes with it: none is made while the layers are there.
                _ = session.hierarchy.undo()
                _ = session.annotations.undo(after: session.head)
            }
            for key in layer.registered { session.registrationNotes[key] = nil }
        }
    }
}
