// Keeps the sessions of a store at the heads of a log that other processes write to, too: sessions that others make
// appear, and those that others delete go.

import DequeModule
import Dispatch
import SessionLog
import Synchronization

/// Takes what the log appends. Its own queue applies it, one session after the other.
final class StoreFollower: LogFollower {
    private struct State {
        /// What waits for its turn, by session.
        var waiting: [LogSession: News] = [:]
        /// The sessions of `waiting`, in the order in which their turns come.
        var turns = Deque<LogSession>()
        var isRunning = false
        /// Sessions whose name this store still needs for another one: one that is being made, and that the log
        /// will refuse.
        var blocked: [String: LogSession] = [:]
        /// What waits until a blocked name is free.
        var afterBlocked: [String: [@Sendable () -> Void]] = [:]
        /// Sessions with an entry that cannot be applied. They stay at the revision before it.
        var failed: [LogSession: ReplayError] = [:]
        /// Sessions that the log could not be read for, or that had no room. They are tried again with the next news
        /// of any session, when one of the store is gone, and by `retry`.
        var behind: Set<LogSession> = []

        mutating func add(_ session: LogSession, _ add: (inout News) -> Void) {
            if failed[session] != nil { return }
            if waiting[session] == nil { turns.append(session) }
            add(&waiting[session, default: News()])
        }
    }

    /// Entries that a session has not taken over yet.
    private struct News {
        private static let entriesMax = 64

        private(set) var entries: [LogEntry] = []
        /// Whether the log may have more than these entries.
        var isIncomplete = false

        /// Beyond `entriesMax` the session reads the log instead, so that a slow session holds few entries.
        mutating func add(_ more: [LogEntry]) {
            if entries.count + more.count > Self.entriesMax {
                entries = []
                isIncomplete = true
            } else {
                entries += more
            }
        }
    }

    private let state = Mutex(State())
    private let queue = DispatchQueue(label: "traitd.follower")
    /// The log keeps the follower, and the store its subscription.
    private weak let store: SessionStore?
    private let onFailure: @Sendable (ReplayError) -> Void

    init(_ store: SessionStore, onFailure: @escaping @Sendable (ReplayError) -> Void) {
        self.store = store
        self.onFailure = onFailure
    }

    // MARK: - The log's threads

    func appended(_ entries: [LogEntry], to session: LogSession) {
        wait(for: session) { $0.add(entries) }
    }

    func lostTrack(of session: LogSession) { wait(for: session) { $0.isIncomplete = true } }

    private func wait(for session: LogSession, _ add: (inout News) -> Void) {
        change { $0.add(session, add) }
    }

    /// Changes what waits, and has the sessions that are behind tried again.
    private func change(_ body: (inout State) -> Void) {
        let starts = state.withLock { state in
            for session in state.behind { state.add(session) { $0.isIncomplete = true } }
            state.behind = []
            body(&state)
            defer { state.isRunning = true }
            return !state.isRunning
        }
        if starts { queue.async { self.run() } }
    }

    /// A session of the store is gone, so that another one can have its name and its room.
    func isFree(_ name: String) {
        var waiting: [@Sendable () -> Void] = []
        change { state in
            if let session = state.blocked.removeValue(forKey: name) {
                state.add(session) { $0.isIncomplete = true }
            }
            waiting = state.afterBlocked.removeValue(forKey: name) ?? []
        }
        for body in waiting { queue.async(execute: body) }
    }

    /// Tries the sessions again that are behind.
    func retry() { if state.withLock({ !$0.behind.isEmpty }) { change { _ in } } }

    /// How many sessions have an entry that cannot be applied.
    var failedCount: Int { state.withLock(\.failed.count) }

    /// Blocks until everything that the log has appended is applied.
    func finish() { queue.sync { takeTurns(.max) } }

    // MARK: - Its own queue

    /// One turn, and the others after what else waits for the queue.
    private func run() {
        guard let (session, news) = next() else { return }
        _ = bringUp(session, news)
        queue.async { self.run() }
    }

    private func takeTurns(_ count: Int) {
        var left = count
        while left > 0, let (session, news) = next() {
            _ = bringUp(session, news)
            left -= 1
        }
    }

    /// Returns why the session cannot take over its news.
    private func bringUp(_ session: LogSession, _ news: News) -> ReplayError? {
        do throws(ReplayError) {
            do throws(ReplayError) {
                try take(news, of: session)
            } catch {
                guard case .damaged = error.cause, try reload(session) else { throw error }
            }
            return nil
        } catch {
            state.withLock { state -> Void in
                switch error.cause {
                case .damaged, .unsupported: state.failed[session] = error
                case .unavailable, .outOfMemory: state.behind.insert(session)
                }
            }
            onFailure(error)
            return error
        }
    }

    private func next() -> (LogSession, News)? {
        state.withLock { state in
            guard let session = state.turns.popFirst() else {
                state.isRunning = false
                return nil
            }
            return (session, state.waiting.removeValue(forKey: session) ?? News())
        }
    }

    private func take(_ news: News, of session: LogSession) throws(ReplayError) {
        guard let store else { return }
        guard let present = store.find(session.name) else { return try open(session, in: store) }
        if present.uid == session.uid {
            try present.deliver(news.entries)
            if news.isIncomplete { try present.catchUp() }
            return
        }
        // The session of that name may have ended in the log, and its end may come later than this.
        try present.catchUp()
        if store.find(session.name) == nil { return try open(session, in: store) }
        state.withLock { $0.blocked[session.name] = session }
        // It may have gone between the two looks.
        if store.find(session.name) !== present { isFree(session.name) }
    }

    // MARK: - Confirmations

    /// Brings the sessions of a question to the heads that the log had. Then calls `then`, on any thread, with the
    /// reasons why some are not there.
    func take(
        _ heads: Result<LogHeads, LogFailure>, of question: LogQuestion,
        then: @escaping @Sendable (ConfirmationRefusals) -> Void
    ) {
        switch heads {
        case .success(let heads):
            queue.async { self.take(heads, of: question, ConfirmationRefusals(), then) }
        case .failure(let failure):
            then(
                ConfirmationRefusals(
                    all: SessionError(
                        .logUnavailable,
                        "The log does not say which revision is the newest: \(failure). Nothing changed."
                    )))
        }
    }

    private func take(
        _ heads: LogHeads, of question: LogQuestion, _ refusals: ConfirmationRefusals,
        _ then: @escaping @Sendable (ConfirmationRefusals) -> Void
    ) {
        guard let store else { return then(refusals) }
        var refusals = refusals
        if question.wantsList || question.wantsAllHeads {
            // What was told before the heads came.
            takeTurns(state.withLock(\.turns.count))
        }
        var names = question.names
        if question.wantsAllHeads {
            names.formUnion(heads.byName.keys)
            store.forEachSession { names.insert($0.name) }
        }
        var rest = LogQuestion()
        for name in names {
            do throws(ReplayError) {
                if try !bringUp(name, to: heads.byName[name], in: store) { rest.names.insert(name) }
            } catch {
                refusals.bySession[name] = SessionError(error, of: name)
            }
        }
        guard let name = rest.names.first else { return then(refusals) }
        // Another session of this store has the name, until the log has refused it.
        let (left, soFar) = (rest, refusals)
        let again: @Sendable () -> Void = { self.take(heads, of: left, soFar, then) }
        let waits = state.withLock { state in
            guard state.blocked[name] != nil else { return false }
            state.afterBlocked[name, default: []].append(again)
            return true
        }
        if !waits { queue.async(execute: again) }
    }

    /// Brings the session of a name to a head, which is nil if the name was free. Returns false if a session of this
    /// store that the log does not have yet has the name.
    private func bringUp(
        _ name: String, to head: LogHead?, in store: SessionStore
    ) throws(ReplayError) -> Bool {
        guard let head else {
            // A session that is being made is not in the log yet.
            guard let present = store.find(name), present.withState(\.acknowledged) > 0 else {
                return true
            }
            try rise(present.logSession)
            return true
        }
        if isAt(head, store.find(name)) { return true }
        try rise(head.session)
        // The session may have ended meanwhile.
        return isAt(head, store.find(name)) || state.withLock { $0.blocked[name] == nil }
    }

    private func isAt(_ head: LogHead, _ session: Session?) -> Bool {
        guard let session, session.uid == head.session.uid else { return false }
        // Without waiting for a long write, as the answers about all other sessions would wait, too.
        return session.acknowledgedOrRecall() >= head.revision
    }

    /// Brings a session to the newest revision that the log tells.
    private func rise(_ session: LogSession) throws(ReplayError) {
        if let error = state.withLock({ $0.failed[session] }) { throw error }
        let told = state.withLock { $0.waiting.removeValue(forKey: session) }
        var news = told ?? News()
        news.isIncomplete = true
        if let error = bringUp(session, news) { throw error }
    }

    /// Loads a session anew that cannot apply an entry: entries before that one may be truncated, or the session in
    /// memory may be at fault.
    ///
    /// - Returns: false if the store does not have the session.
    /// - Throws: the entry that cannot be applied, if it cannot be applied now either.
    private func reload(_ session: LogSession) throws(ReplayError) -> Bool {
        guard let store, let log = store.log, let present = store.find(session.name),
            present.uid == session.uid
        else { return false }
        let state = try Session.loadState(session, from: log, store.surroundings)
        if state.isDeleted { return false }
        let next = store.own(state)
        guard store.replace(present, with: next) else {
            next.giveWay()
            return false
        }
        present.giveWay()
        return true
    }

    private func open(_ session: LogSession, in store: SessionStore) throws(ReplayError) {
        guard let log = store.log else { return }
        func checked<R>(_ body: () throws(SessionError) -> R) throws(ReplayError) -> R {
            do { return try body() } catch {
                throw ReplayError(
                    session: session.name, revision: 1, reason: error.detail, cause: .unavailable)
            }
        }
        // Before the session is loaded, as it is tried again and again while the store is full.
        try checked { () throws(SessionError) in try store.checkRoom() }
        let state = try Session.loadState(session, from: log, store.surroundings)
        // It has ended already.
        if state.isDeleted { return }
        let isNew = try checked { () throws(SessionError) in try store.insert(store.own(state)) }
        // A request of this process may have the name now.
        if !isNew { lostTrack(of: session) }
    }
}

extension SessionStore {
    /// Keeps all sessions at the heads of the log from now on. To be called once, for a log that has other
    /// writers. Returns before the sessions of the log are there.
    ///
    /// - Parameter onFailure: called for each session with an entry that cannot be applied, which stays at the
    ///   revision before, and whenever the log cannot be read for a session, which is tried again later.
    /// - Throws: the log's failure.
    package func follow(
        onFailure: @escaping @Sendable (ReplayError) -> Void = { _ in }
    ) throws(ReplayError) {
        guard let log else { return }
        let follower = StoreFollower(self, onFailure: onFailure)
        let subscription = log.follow(follower)
        following.withLock {
            $0 = Following(
                follower: follower, subscription: subscription,
                confirmations: Confirmations(log, follower, surroundings.leases, meters))
        }
        do throws(LogFailure) {
            // Later appends are told.
            for session in try log.sessions() { follower.lostTrack(of: session) }
        } catch {
            throw ReplayError(error)
        }
    }

    /// Blocks until everything that the log has told is applied.
    package func finishFollowing() { following.withLock { $0?.follower }?.finish() }

    struct Following {
        let follower: StoreFollower
        let subscription: LogSubscription
        let confirmations: Confirmations
    }

    /// Tries the sessions again that could not take over what the log has. To be called about once a second.
    package func retryFollowing() { if isShared { following.withLock { $0?.follower }?.retry() } }

    /// How many sessions have an entry that this store cannot apply.
    package var refusedSessions: Int { following.withLock { $0?.follower }?.failedCount ?? 0 }

    /// Confirms that answers show the newest state; nil for a store that alone writes to its log.
    package var confirmations: Confirmations? {
        isShared ? following.withLock { $0?.confirmations } : nil
    }
}
