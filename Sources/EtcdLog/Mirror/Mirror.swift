// The log as this process knows it: sessions, heads and entries. Appends of this process, the watch and
// reads of rows fill it, in any order; reading the log asks nothing else.

import Background
import SessionLog
import Synchronization

final class Mirror: Sendable {
    fileprivate struct State {
        var sessions: [String: MirroredSession] = [:]
        /// The uid of the live session of each name.
        var names: [String: String] = [:]
        /// Sessions that were forgotten, by uid, with the revision of etcd. Their rows may still come from the
        /// watch, and must not make them again.
        var forgotten: [String: Int64] = [:]
        var isAwaited = false
        /// The tags of rows that this process is appending, by key. The answer brings them, so that the watch need not.
        var outgoing: [String: UInt64] = [:]
    }

    private let state = Mutex(State())
    /// Held while entries are taken and followers are told, so that what the mirror shows under this lock
    /// was told. Followers read the mirror meanwhile.
    private let delivery = Mutex(())
    private let news = Signal()
    let followers = LogFollowers()

    // MARK: - Reading

    func sessions() -> [LogSession] {
        state.withLock { state in state.names.values.compactMap { state.sessions[$0]?.session } }
            .sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
    }

    func session(named name: String) -> LogSession? {
        state.withLock { state in state.names[name].flatMap { state.sessions[$0]?.session } }
    }

    /// - Throws: the failure of a session that cannot be read.
    func read<Result>(
        _ uid: String, _ body: (MirroredSession) -> Result
    ) throws(LogFailure) -> Result? {
        // Under the lock: a copy that lives while entries are appended would have all of them copied.
        try state.withLock { state throws(LogFailure) in
            guard let session = state.sessions[uid] else { return nil }
            if let failure = session.failure { throw failure }
            return body(session)
        }
    }

    var uids: [String] { state.withLock { Array($0.sessions.keys) } }

    /// The sessions whose end has been here for so long.
    func sessions(endedFor age: Duration) -> [LogSession] {
        let latest = Uptime.now - age
        return state.withLock { state in
            state.sessions.values.filter { $0.endedAt.map { $0 <= latest } ?? false }.map(\.session)
        }
    }

    /// The sessions that cannot be read, with the reason.
    var failures: [(session: LogSession, failure: LogFailure)] {
        state.withLock { state in
            state.sessions.values.compactMap { one in one.failure.map { (one.session, $0) } }
        }
    }

    /// The newest revision of each session that was told. A session that cannot be read may have had any head.
    var heads: [String: Int64] {
        state.withLock { $0.sessions.compactMapValues { $0.failure == nil ? $0.head : nil } }
    }

    /// The newest revision of a session that was told; nil for one that is not here or cannot be read.
    func readableHead(of uid: String) -> Int64? {
        state.withLock { $0.sessions[uid].flatMap { $0.failure == nil ? $0.head : nil } }
    }

    func name(of uid: String) -> String? { state.withLock { $0.sessions[uid]?.session.name } }

    func contains(_ uid: String) -> Bool { state.withLock { $0.sessions[uid] != nil } }

    /// The newest revision of a session that was told; 0 for one that is not here.
    func head(of uid: String) -> Int64 { state.withLock { $0.sessions[uid]?.head ?? 0 } }

    // MARK: - Filling

    enum Delivery {
        case taken
        /// Entries before these are missing.
        case gap
    }

    /// Takes over entries of a session and tells followers the new ones.
    ///
    /// - Parameters:
    ///   - name: the session's name; empty when it is not known.
    ///   - revision: the revision of etcd that has the entries.
    ///   - isOwn: whether this process has appended them.
    func deliver(
        _ entries: [LogEntry], to uid: String, name: String, at revision: Int64,
        isOwn: Bool = false
    ) -> Delivery {
        delivery.withLock { _ in
            let taken = state.withLock { $0.take(entries, uid, name, revision) }
            switch taken {
            case .gap: return .gap
            case .new(let new, let session):
                if !new.isEmpty { followers.appended(new, to: session, isOwn: isOwn) }
            case .failed(let session):
                followers.lostTrack(of: session)
            case .ignored: break
            }
            wakeWaiter()
            return .taken
        }
    }

    /// Rows are being appended, or no longer.
    func noteOutgoing(_ rows: [(key: String, tag: UInt64)], isOver: Bool) {
        state.withLock { state in
            for row in rows { state.outgoing[row.key] = isOver ? nil : row.tag }
        }
    }

    /// The tag of the row with that key that this process is appending; nil for others.
    func outgoingTag(of key: String) -> UInt64? { state.withLock { $0.outgoing[key] } }

    /// Puts a session where the log is, whose older entries were truncated before they came here.
    func restart(_ session: LogSession, _ list: SnapshotList, madeAt: Int64) {
        delivery.withLock { _ in
            state.withLock { state in
                let known = state.sessions[session.uid]
                guard list.base > known?.head ?? -1, state.forgotten[session.uid] == nil else {
                    return
                }
                state.put(
                    MirroredSession(session, madeAt: known?.madeAt ?? madeAt, list))
            }
            followers.lostTrack(of: session)
        }
    }

    /// A session whose tombstone is truncated is told as ended.
    func noteDeleted(_ session: LogSession) {
        delivery.withLock { _ in
            state.withLock { state in
                state.sessions[session.uid]?.noteDeleted()
                if state.names[session.name] == session.uid { state.names[session.name] = nil }
            }
            followers.lostTrack(of: session)
        }
    }

    /// The session cannot be read any further.
    func fail(_ uid: String, _ failure: LogFailure) {
        delivery.withLock { _ in
            let session = state.withLock { state -> LogSession? in
                guard let known = state.sessions[uid], known.failure == nil else { return nil }
                state.sessions[uid]?.failure = failure.named(known.session, after: known.head)
                return known.session
            }
            if let session { followers.lostTrack(of: session) }
            wakeWaiter()
        }
    }

    /// Fills the mirror at the start, before anything follows.
    func begin(_ sessions: [MirroredSession]) {
        state.withLock { state in for session in sessions { state.put(session) } }
    }

    /// Takes the newer list of a session's snapshots, and drops the entries that are truncated.
    func note(_ list: SnapshotList, of uid: String) {
        state.withLock { $0.sessions[uid]?.note(list) }
    }

    /// The log has nothing of the session any more.
    func forget(_ uid: String, at revision: Int64) {
        delivery.withLock { _ in
            let session = state.withLock { state -> LogSession? in
                state.forgotten[uid] = revision
                guard let known = state.sessions.removeValue(forKey: uid) else { return nil }
                if state.names[known.session.name] == uid { state.names[known.session.name] = nil }
                return known.isDeleted ? nil : known.session
            }
            if let session { followers.lostTrack(of: session) }
            wakeWaiter()
        }
    }

    /// The watch has passed a revision of etcd.
    func notePassed(_ revision: Int64) {
        state.withLock { state in
            if state.forgotten.isEmpty { return }
            state.forgotten = state.forgotten.filter { $0.value >= revision }
        }
    }

    // MARK: - Waiting

    /// The sessions that were not told up to these heads. Sessions that cannot be read never will be.
    func behind(_ heads: [String: Head]) -> [String] {
        delivery.withLock { _ in state.withLock { $0.behind(heads) } }
    }

    /// Blocks until nothing is behind or the time is over. To be called by one thread at a time.
    func wait(for heads: [String: Head], atMost: Duration) -> [String] {
        let end = Uptime.monotonic(after: atMost)
        while true {
            let behind = delivery.withLock { _ in
                state.withLock { state in
                    let behind = state.behind(heads)
                    state.isAwaited = !behind.isEmpty
                    return behind
                }
            }
            if behind.isEmpty || !news.wait(until: end) { return behind }
        }
    }

    private func wakeWaiter() {
        let isAwaited = state.withLock { state in
            defer { state.isAwaited = false }
            return state.isAwaited
        }
        if isAwaited { news.signal() }
    }
}

extension LogFailure {
    /// The same with the session and the first revision that cannot be read.
    fileprivate func named(_ session: LogSession, after head: Int64) -> LogFailure {
        guard case .damaged = kind else { return self }
        return LogFailure(.damaged(session: session, revision: head &+ 1), reason)
    }
}

extension Mirror.State {
    enum Taken {
        case new([LogEntry], LogSession)
        case gap
        case failed(LogSession)
        case ignored
    }

    mutating func take(
        _ entries: [LogEntry], _ uid: String, _ name: String, _ revision: Int64
    ) -> Taken {
        guard forgotten[uid] == nil, let first = entries.first else { return .ignored }
        if sessions[uid] == nil {
            guard first.revision == 1, !name.isEmpty else { return .gap }
            sessions[uid] = MirroredSession(LogSession(name: name, uid: uid), madeAt: revision)
        }
        // In place: a copy of the session would copy all its entries.
        guard let session = sessions[uid]?.session, sessions[uid]?.failure == nil else {
            return .ignored
        }
        do throws(LogFailure) {
            guard let new = try sessions[uid]?.take(entries) else { return .gap }
            if !new.isEmpty { noteName(uid) }
            return .new(new, session)
        } catch {
            sessions[uid]?.failure = error
            return .failed(session)
        }
    }

    mutating func put(_ session: MirroredSession) {
        sessions[session.session.uid] = session
        noteName(session.session.uid)
    }

    /// Gives the name to a live session, unless a later one has it.
    private mutating func noteName(_ uid: String) {
        guard let session = sessions[uid] else { return }
        let name = session.session.name
        let holder = names[name]
        if session.isDeleted {
            if holder == uid { names[name] = nil }
        } else if holder.flatMap({ sessions[$0]?.madeAt }) ?? .min <= session.madeAt {
            names[name] = uid
        }
    }

    func behind(_ heads: [String: Head]) -> [String] {
        heads.compactMap { uid, head in
            guard let session = sessions[uid] else { return forgotten[uid] == nil ? uid : nil }
            if session.failure != nil { return nil }
            let isThere = session.head >= head.revision && (session.isDeleted || !head.isDeleted)
            return isThere ? nil : uid
        }
    }
}
