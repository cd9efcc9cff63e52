// Keeps the sessions of a store at the heads of a log that other processes write to, too: sessions that others make
// appear, and those that others delete go.

import Background
import DequeModule
import SessionLog
import Synchronization
import TraitJSON

/// Takes what the log appends. Two threads apply it, each to one session at a time, so that a session that takes long
/// does not hold up the others.
final class StoreFollower: LogFollower {
    /// Called when the turn of a session is over, with the reason if the session could not take over its news.
    typealias AfterTurn = @Sendable (ReplayError?) -> Void

    package struct State {
        /// The news that wait for their turn, by session.
        var waiting: [LogSession: News] = [:]
        /// The sessions of `waiting`, in the order in which their turns come.
        var turns = Deque<LogSession>()
        /// The sessions whose turn it is, by name: a name may belong to two sessions, one after the other.
        var applying: [String: (session: LogSession, knownAt: Uptime?)] = [:]
        var threads = 0
        /// Functions to call after the run that is under way, and after the next one.
        var afterThis: [LogSession: [AfterTurn]] = [:]
        var afterNext: [LogSession: [AfterTurn]] = [:]
        /// Functions to call when nothing waits any more.
        var whenIdle: [@Sendable () -> Void] = []
        /// Sessions whose name this store still needs for another one: one that is being made, and that the log
        /// will refuse.
        var blocked: [String: LogSession] = [:]
        /// Functions to call when a blocked name is free.
        var afterBlocked: [String: [@Sendable () -> Void]] = [:]
        /// Sessions with an entry that cannot be applied. They stay at the revision before it.
        var failed: [LogSession: ReplayError] = [:]
        /// Sessions that the log could not be read for, or that had no room. They are tried again with the next news
        /// of any session, when one of the store is gone, and by `retry`.
        var behind: Set<LogSession> = []
        /// For sessions that are blocked, failed or behind, by name and uid: when all of the log was known to them.
        var late: [String: [String: Uptime]] = [:]
        /// When the log had told all that it had.
        var knownAt: Uptime?

        mutating func add(_ session: LogSession, _ add: (inout News) -> Void) {
            if failed[session] != nil { return }
            if waiting[session] == nil { turns.append(session) }
            add(&waiting[session, default: News(knownAt: knownAt)])
        }

        /// The next turn that can begin.
        mutating func next() -> (LogSession, News)? {
            guard let at = turns.firstIndex(where: { applying[$0.name] == nil }) else { return nil }
            let session = turns.remove(at: at)
            let news = waiting.removeValue(forKey: session) ?? News()
            let times = [news.knownAt, late[session.name]?.removeValue(forKey: session.uid)]
            if late[session.name]?.isEmpty ?? false { late[session.name] = nil }
            applying[session.name] = (session, times.compactMap(\.self).min())
            afterThis[session] = afterNext.removeValue(forKey: session)
            return (session, news)
        }

        /// The session whose turn it is does not take over its news.
        mutating func noteLate(_ session: LogSession) {
            guard let time = applying[session.name]?.knownAt else { return }
            late[session.name, default: [:]][session.uid] = time
        }

        var isIdle: Bool { turns.isEmpty && applying.isEmpty }
    }

    /// Entries that a session has not taken over yet.
    struct News {
        private static let entriesMax = 64

        /// When all of the log was known but what came from then on; nil if the log does not say.
        var knownAt: Uptime?
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

    let state = Mutex(State())
    private let queue = WorkQueue("traitd.follower", isConcurrent: true)
    private static let threadsMax = 2
    /// The log keeps the follower, and the store its subscription.
    weak let store: SessionStore?
    private let onFailure: @Sendable (ReplayError) -> Void

    init(_ store: SessionStore, onFailure: @escaping @Sendable (ReplayError) -> Void) {
        self.store = store
        self.onFailure = onFailure
    }

    // MARK: - The log's threads

    func appended(_ entries: [LogEntry], to session: LogSession, isOwn: Bool) {
        // The log's answer makes own entries visible.
        if !isOwn { wait(for: session) { $0.add(entries) } }
    }

    func lostTrack(of session: LogSession) { wait(for: session) { $0.isIncomplete = true } }

    private func wait(for session: LogSession, _ add: (inout News) -> Void) {
        change { $0.add(session, add) }
    }

    /// Changes what waits, and has the sessions that are behind tried again.
    func change(_ body: (inout State) -> Void) {
        let knownAt = store?.log?.knownAt
        let starts = state.withLock { state in
            state.knownAt = knownAt
            for session in state.behind { state.add(session) { $0.isIncomplete = true } }
            state.behind = []
            body(&state)
            guard !state.turns.isEmpty, state.threads < Self.threadsMax else { return false }
            state.threads += 1
            return true
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
        for body in waiting { later(body) }
    }

    /// Tries the sessions again that are behind.
    func retry() { if state.withLock({ !$0.behind.isEmpty }) { change { _ in } } }

    /// How many sessions have an entry that cannot be applied.
    var failedCount: Int { state.withLock(\.failed.count) }

    /// Blocks until everything that the log has appended is applied.
    func finish() {
        let idle = Signal()
        let waits = state.withLock { state in
            if state.isIdle { return false }
            state.whenIdle.append { idle.signal() }
            return true
        }
        if waits { idle.wait() }
    }

    // MARK: - Its own threads

    func later(_ body: @escaping @Sendable () -> Void) { queue.async(body) }

    /// Takes turns until none can begin.
    private func run() {
        while let (session, news) = next() {
            let error = bringUp(session, news)
            let (after, idle) = state.withLock { state in
                state.applying[session.name] = nil
                let idle = state.isIdle ? state.whenIdle : []
                if state.isIdle { state.whenIdle = [] }
                return (state.afterThis.removeValue(forKey: session) ?? [], idle)
            }
            for body in after { body(error) }
            for body in idle { body() }
        }
    }

    /// The next turn. Starts the second thread if there are more.
    private func next() -> (LogSession, News)? {
        let (turn, starts) = state.withLock { state -> ((LogSession, News)?, Bool) in
            guard let turn = state.next() else {
                state.threads -= 1
                return (nil, false)
            }
            let starts = !state.turns.isEmpty && state.threads < Self.threadsMax
            if starts { state.threads += 1 }
            return (turn, starts)
        }
        if starts { queue.async { self.run() } }
        return turn
    }

    /// Returns why the session cannot take over its news.
    private func bringUp(_ session: LogSession, _ news: News) -> ReplayError? {
        do throws(ReplayError) {
            do throws(ReplayError) {
                try take(news, of: session)
            } catch {
                guard error.cause == .damaged || error.cause == .refused, try reload(session)
                else { throw error }
            }
            return nil
        } catch {
            state.withLock { state in
                state.noteLate(session)
                guard error.isFinal else {
                    state.behind.insert(session)
                    return
                }
                // Only the operator's log needs the evidence, which no budget counts.
                var kept = error
                kept.evidence = nil
                state.failed[session] = kept
            }
            onFailure(error)
            return error
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
        state.withLock { state in
            state.blocked[session.name] = session
            state.noteLate(session)
        }
        // It may have gone between the two looks.
        if store.find(session.name) !== present { isFree(session.name) }
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
        // The log may answer the one that has gone later.
        self.state.withLock { _ = $0.behind.insert(session) }
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
        // A request of this process has the name now. Confirmations wait until it is free.
        if !isNew { try take(News(), of: session) }
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
            // The follower is notified of later appends.
            for session in try log.sessions() { follower.lostTrack(of: session) }
        } catch {
            throw ReplayError(error)
        }
    }

    /// Blocks until every entry that the log has delivered is applied.
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
