// The sessions by name, and the log that all of them share.

import Background
import SessionLog
import Synchronization
import TraitEngine
import TraitJSON

package final class SessionStore: Sendable {
    private struct State {
        var byName = SessionTable()
        var sorted = SortedSessions()

        /// Adds a session, in the place of another one of its name.
        mutating func insert(_ session: Session) {
            if byName[session.name] != nil { sorted.remove(session.name) }
            byName.insert(session)
            sorted.insert(session)
        }
    }

    /// How many neighbours of an unknown name are considered for a suggestion, on each side.
    private static let neighboursMax = 64
    /// How many sessions are listed under the lock at a time, before those outside of the scope are dropped.
    private static let pageStep = 256

    private let sessions = Mutex(State())
    let surroundings: SessionSurroundings
    /// Where the log that others share gets sessions of documents.
    let imports = WorkQueue("traitd.imports")
    package let meters = SessionMeters()
    package let upkeep = UpkeepLists()
    package let idempotencyClaims = IdempotencyClaims()
    package let start = StartProgress()
    /// Whether requests have to wait until the sessions of the log have been read. One load.
    package var isStarting: Bool { start.isRunning.load(ordering: .acquiring) }
    package let attachment = AttachmentSlot()
    /// Nil unless the store follows its log.
    let following = Mutex<Following?>(nil)
    /// Whether others write to the log, too.
    package let isShared: Bool

    package init(
        limits: ServiceLimits, environment: SessionEnvironment, log: (any SessionLog)? = nil,
        refusing refusals: [String: Int64] = [:]
    ) {
        isShared = log?.properties.isShared ?? false
        surroundings = SessionSurroundings(
            limits: limits, environment: environment,
            writer: log.map { [meters] in LogWriter($0, meters, environment) },
            refusing: refusals)
    }

    package var limits: ServiceLimits { surroundings.limits }
    package var environment: SessionEnvironment { surroundings.environment }
    package var log: (any SessionLog)? { surroundings.log }
    var writer: LogWriter? { surroundings.writer }
    /// The sessions that were made and that have ended.
    package var events: SessionEvents { surroundings.events }

    package var count: Int { sessions.withLock { $0.byName.count } }

    /// The session of that name. O(1).
    ///
    /// - Parameter scope: which names may be suggested in its place; nil for all.
    package func session(
        _ name: UnsafeRawBufferPointer, visibleTo scope: @autoclosure () -> SessionScope? = nil
    ) throws(SessionError) -> Session {
        if let session = sessions.withLock({ $0.byName[name] }) { return session }
        throw try unknown(name, visibleTo: scope())
    }

    /// The error for a session that does not exist, or that the caller may not see.
    ///
    /// - Throws: `malformedIdentifier`.
    package func unknown(
        _ name: UnsafeRawBufferPointer, visibleTo scope: SessionScope?
    ) throws(SessionError) -> SessionError {
        let checked = try Identifier.checked(name)
        let known = neighbours(of: checked, visibleTo: scope ?? .all)
        return SessionError(
            .unknownSession, "There is no session '\(checked)'.",
            didYouMean: Suggestion.nearest(to: checked, among: known),
            hint: .createSession(checked))
    }

    /// The names next to `name` that the caller may see. Hidden sessions take no place among them and no time, so
    /// that a suggestion says nothing of them: a pattern that is no range of names has none.
    private func neighbours(of name: String, visibleTo scope: SessionScope) -> [String] {
        sessions.withLock { state in
            scope.ranges.flatMap {
                state.sorted.names(near: name, in: $0, reach: Self.neighboursMax)
            }
        }
    }

    package func find(_ name: String) -> Session? { sessions.withLock { $0.byName[name] } }

    /// Sessions after `name` in byte order, at most `limit`. O(log n + limit).
    package func page(after name: String?, limit: Int) -> [Session] {
        sessions.withLock { $0.sorted.after(name, limit: limit) }
    }

    /// Sessions in `scope` after `name` in byte order, at most `limit`. O(log n + limit) for a scope that is all
    /// ranges, whatever lies outside of them; for other scopes O(sessions passed over) as well.
    package func page(after name: String?, limit: Int, visibleTo scope: SessionScope) -> [Session] {
        if scope.coversAll { return page(after: name, limit: limit) }
        var found: [Session] = []
        if scope.isAllRanges {
            sessions.withLock { state in
                for range in scope.ranges where found.count < limit {
                    found += state.sorted.after(name, in: range, limit: limit - found.count)
                }
            }
            return found
        }
        var last = name
        while found.count < limit {
            let some = page(after: last, limit: Self.pageStep)
            guard let end = some.last else { break }
            found += some.filter { scope.contains($0.name) }.prefix(limit - found.count)
            last = end.name
        }
        return found
    }

    // MARK: - Adding and removing

    /// The state of a new session.
    func makeState(
        _ name: String, _ configuration: SessionConfiguration, hierarchy: Hierarchy? = nil
    ) -> SessionState {
        let header = SessionHeader(
            name: name, uid: environment.name(length: 12), createdAt: environment.now(),
            configuration: configuration,
            effectiveLimits: configuration.limits.hierarchyLimits(server: limits.hierarchy))
        return SessionState(header: header, hierarchy: hierarchy, surroundings)
    }

    /// Makes a session of a state that is complete. The store removes the session when it ends.
    func own(_ state: SessionState) -> Session {
        let session = make(state)
        begin(session)
        return session
    }

    /// Makes a session without what happens by itself.
    func make(_ state: SessionState) -> Session {
        // Weak: the store refers to the session, and a strong reference back would be a cycle.
        Session(state) { [weak self] in self?.remove($0) }
    }

    /// Has leases and temporary values end from now on, by commits behind the present head.
    func begin(_ session: Session) {
        session.withState { state in
            state.streams.listing = UpkeepListing(session, in: upkeep)
            state.startLeases()
            state.report(to: meters)
            state.beginPast()
        }
    }

    /// - Throws: `quota` when no further session could be added now.
    func checkRoom() throws(SessionError) {
        if count >= limits.sessionsMax { throw isFull }
    }

    /// - Throws: `logUnavailable` while a process that shares the log does not read what this one writes.
    ///
    /// - Parameter format: what the session needs.
    func checkReaders(format: Int64) throws(SessionError) {
        let needed = LogVersions(format: format, semantics: SessionHeader.semantics)
        guard let common = log?.commonVersions, !common.includes(needed) else { return }
        throw SessionError(
            .logUnavailable,
            "A server that shares the log reads sessions up to format \(common.format) and semantics \(common.semantics); this one makes it with format \(format) and semantics \(SessionHeader.semantics). Make the session at an older server, or stop the older servers first."
        )
    }

    private var isFull: SessionError {
        .limit(
            .quota, "The server holds sessionsMax=\(limits.sessionsMax) sessions. Delete one.",
            name: "sessionsMax", value: limits.sessionsMax)
    }

    /// Adds a session. Returns false when there is a session of its name.
    /// - Throws: `quota` when there are too many.
    func insert(_ session: Session) throws(SessionError) -> Bool {
        let inserted = sessions.withLock { sessions -> Bool? in
            if sessions.byName[session.name] != nil { return false }
            if sessions.byName.count >= limits.sessionsMax { return nil }
            sessions.insert(session)
            return true
        }
        guard let inserted else { throw isFull }
        return inserted
    }

    /// Adds a session whose first entry is in the log, and returns it. When another request has
    /// opened the session from the log since, returns that one. A session of the name that the
    /// log refuses, which its request has not removed yet, gives way.
    func insertAppended(_ session: Session) -> Session {
        sessions.withLock { sessions in
            if let present = sessions.byName[session.name], present.uid == session.uid {
                return present
            }
            sessions.insert(session)
            return session
        }
    }

    /// Puts a session that was loaded anew into the place of the same session. Returns false when that one has gone.
    func replace(_ session: Session, with next: Session) -> Bool {
        sessions.withLock { sessions in
            guard sessions.byName[session.name] === session else { return false }
            sessions.insert(next)
            return true
        }
    }

    /// Adds a session from the log. The limits do not apply.
    func insertLoaded(_ session: Session) { sessions.withLock { $0.insert(session) } }

    /// Removes this session. A newer session of the same name stays.
    func remove(_ session: Session) {
        sessions.withLock { sessions in
            guard sessions.byName[session.name] === session else { return }
            sessions.byName.remove(session.name)
            sessions.sorted.remove(session.name)
        }
        if log != nil { following.withLock { $0?.follower }?.isFree(session.name) }
    }

    // MARK: - Memory

    /// Calls `body` with all sessions, without the store's lock.
    func forEachSession(_ body: (Session) -> Void) {
        var last: String?
        while true {
            let sessions = page(after: last, limit: Self.sessionsAtATime)
            for session in sessions { body(session) }
            guard sessions.count == Self.sessionsAtATime, let name = sessions.last?.name else {
                return
            }
            last = name
        }
    }

    private static let sessionsAtATime = 256

    // MARK: - The log

    /// The session of that name, from the store or from the log, where another writer may have made
    /// it.
    package func findOrOpen(_ name: String) throws(SessionError) -> Session? {
        if let session = find(name) { return session }
        guard let log else { return nil }
        let held: LogSession?
        do throws(LogFailure) {
            held = try log.session(named: name)
        } catch {
            throw SessionError(.logUnavailable, "The log does not answer: \(error).")
        }
        return try held.map { held throws(SessionError) in try open(held, log) }
    }

    /// Loads a session from the log, and adds it.
    private func open(
        _ logSession: LogSession, _ log: any SessionLog
    ) throws(SessionError) -> Session {
        if let present = find(logSession.name), present.uid == logSession.uid { return present }
        let session: Session
        do throws(ReplayError) {
            session = own(try Session.loadState(logSession, from: log, surroundings))
        } catch {
            throw SessionError(.logUnavailable, error.description)
        }
        if session.withState(\.isDeleted) { throw .deleted(session.name) }
        guard try insert(session) else {
            // Another request has opened it since.
            if let present = find(session.name), present.uid == session.uid { return present }
            throw .exists(session.name)
        }
        return session
    }
}

/// The sessions by name, confined by the store's mutex. Every request looks one up, so a name is compared as the
/// bytes that the request has, and no string is made of it.
struct SessionTable {
    private var names: NameTable
    /// The sessions at the places that `names` leads to; nil at those that are free.
    private var places: [Session?] = []
    private var free: [Int32] = []

    /// - Parameter seed: a secret of the process, so that no client can choose names that collide.
    init(seed: UInt64 = MachineRandom.next()) { names = NameTable(seed: seed) }

    var count: Int { places.count - free.count }

    /// The session of that name. O(length of the name).
    subscript(name: UnsafeRawBufferPointer) -> Session? {
        names.target(of: name).flatMap { places[Int($0)] }
    }

    subscript(name: String) -> Session? { names.target(of: name).flatMap { places[Int($0)] } }

    /// Adds the session, in the place of another one of its name. Amortised O(length of the name).
    mutating func insert(_ session: Session) {
        if let place = names.target(of: session.name) {
            places[Int(place)] = session
        } else if let place = free.popLast() {
            places[Int(place)] = session
            names.insert(session.name, target: place)
        } else {
            names.insert(session.name, target: Int32(places.count))
            places.append(session)
        }
    }

    /// Removes the session of that name, if there is one. Amortised O(length of the name).
    mutating func remove(_ name: String) {
        guard let place = names.target(of: name) else { return }
        names.remove(name)
        places[Int(place)] = nil
        free.append(place)
    }
}
