// Brings sessions to the heads that a log has confirmed, beside everything else that a store follows.

import SessionLog
import Synchronization
import TraitJSON

extension StoreFollower {
    /// Brings the sessions of a question to the heads that the log had. Then calls `then`, on any thread, with the
    /// reasons why some are not there. Never blocks.
    func take(
        _ heads: Result<LogHeads, LogFailure>, of question: LogQuestion,
        then: @escaping @Sendable (ConfirmationRefusals) -> Void
    ) {
        switch heads {
        case .success(let heads): Bringing(self, heads, question, then).begin()
        case .failure(let failure):
            let error =
                failure.kind == .denied
                ? SessionError.logRefused(failure.reason)
                : SessionError(
                    .logUnavailable,
                    "The log does not say which revision is the newest: \(failure). Nothing changed."
                )
            then(ConfirmationRefusals(all: error))
        }
    }
}

/// One confirmation on its way into the store.
private final class Bringing: Sendable {
    private struct State {
        /// Turns that have to end first.
        var turns = 1
        var refusals = ConfirmationRefusals()
        /// Names that are not settled yet.
        var names: Set<String> = []
    }

    private let follower: StoreFollower
    private let heads: LogHeads
    private let question: LogQuestion
    private let then: @Sendable (ConfirmationRefusals) -> Void
    private let state = Mutex(State())

    init(
        _ follower: StoreFollower, _ heads: LogHeads, _ question: LogQuestion,
        _ then: @escaping @Sendable (ConfirmationRefusals) -> Void
    ) {
        self.follower = follower
        self.heads = heads
        self.question = question
        self.then = then
    }

    func begin() {
        guard let store = follower.store else { return then(ConfirmationRefusals()) }
        var names = question.names
        if question.wantsAllHeads {
            names.formUnion(heads.byName.keys)
            store.forEachSession { names.insert($0.name) }
        }
        if question.wantsList || question.wantsAllHeads {
            // News that came before the heads.
            follower.change { state in
                for session in state.turns {
                    state.afterNext[session, default: []].append(waitForTurn(of: session, nil))
                }
                for (session, _) in state.applying.values {
                    state.afterThis[session, default: []].append(waitForTurn(of: session, nil))
                }
            }
        }
        bring(names)
    }

    /// Has the sessions of these names read the log, where they are behind.
    private func bring(_ names: Set<String>) {
        state.withLock { $0.names = names }
        for name in names {
            guard let session = missing(name) else { continue }
            let after = waitForTurn(of: session, name)
            var failed: ReplayError?
            follower.change { state in
                failed = state.failed[session]
                if failed != nil { return }
                state.add(session) { $0.isIncomplete = true }
                state.afterNext[session, default: []].append(after)
            }
            if let failed { after(failed) }
        }
        endTurn()
    }

    /// Counts a turn that has to end first. `name` is that of the question if the turn's failure concerns it.
    private func waitForTurn(
        of session: LogSession, _ name: String?
    ) -> StoreFollower.AfterTurn {
        state.withLock { $0.turns += 1 }
        return { error in
            if let error, let name {
                self.state.withLock {
                    $0.refusals.bySession[name] = SessionError(error, of: name)
                }
            }
            self.endTurn()
        }
    }

    private func endTurn() {
        let isLast = state.withLock { state in
            state.turns -= 1
            return state.turns == 0
        }
        if isLast { finish() }
    }

    /// All turns are over. A session that is not at its head has ended, unless another session of this store
    /// has the name until the log has refused that one.
    private func finish() {
        let (names, refusals) = state.withLock { ($0.names, $0.refusals) }
        for name in names where refusals.bySession[name] == nil && heads.byName[name] != nil {
            let isBlocked = follower.state.withLock { $0.blocked[name] != nil }
            if isBlocked, missing(name) != nil { return wait(for: name) }
        }
        then(refusals)
    }

    /// Goes on when a blocked name is free.
    private func wait(for name: String) {
        let names = state.withLock { state in
            state.turns = 1
            return state.names.filter { state.refusals.bySession[$0] == nil }
        }
        let again: @Sendable () -> Void = { self.bring(names) }
        let waits = follower.state.withLock { state in
            guard state.blocked[name] != nil else { return false }
            state.afterBlocked[name, default: []].append(again)
            return true
        }
        if !waits { follower.later(again) }
    }

    /// The session of a name that has to read the log; nil if the store is where the log was.
    private func missing(_ name: String) -> LogSession? {
        let present = follower.store?.find(name)
        guard let head = heads.byName[name] else {
            // The name was free. A session that is being made is not in the log yet.
            return present.flatMap { $0.acknowledgedOrRecall() > 0 ? $0.logSession : nil }
        }
        // Without waiting for a long write, as the answers about all other sessions would wait, too.
        if let present, present.uid == head.session.uid,
            present.acknowledgedOrRecall() >= head.revision
        {
            return nil
        }
        return head.session
    }
}
