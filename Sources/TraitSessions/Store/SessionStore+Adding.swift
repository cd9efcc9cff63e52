// Adding a session at its first revision to the log and to the store.

import Background
import JSONCodec
import Ledger
import SessionLog
import TraitEngine
import TraitJSON

extension SessionStore {
    /// Adds a session that was read from a document to the log and to this store.
    ///
    /// - Parameter document: the bytes of the document; nil when no log keeps them.
    /// - Returns: the session, and what its answer waits for. A log that others share may take long, so it gets the
    ///   session on a thread of its own, one after the other.
    /// - Throws: `exists`, and why the log refuses. Then nothing was created.
    package func add(
        _ state: SessionState, document: [UInt8]?, cause: [UInt8]
    ) throws(SessionError) -> (session: Session, response: PendingResponse?) {
        let text = TextBuffer()
        let opening = cause.withUnsafeBytes {
            EntryPayload.begin(text, cause: $0) { state.header.write(into: &$0) }
        }
        let payload = (document ?? []).withUnsafeBytes {
            EntryPayload.end(
                text, opening, digest: state.digest.full, isWhole: document != nil,
                document: document == nil ? nil : $0)
        }
        let entry = LogEntry(
            revision: 1, time: state.createdAt, payload: text.json.array(), after: 0)
        text.json.reset(keeping: 0)
        let commit = RetainedCommit(
            entry: entry, payload: payload, isWhole: document != nil, counts: OperationCounts(),
            notes: [], endings: [])
        guard let log else {
            state.adopt(commit)
            let session = own(state)
            guard try insert(session) else { throw .exists(session.name) }
            return (session, nil)
        }
        let session = make(state)
        guard isShared else { return (try append(commit, to: log, of: session), nil) }
        let response = PendingResponse(revision: 1, hasCommit: true)
        imports.async { [self] in
            // A request that was refused at its deadline may have its session yet, as its answer says.
            let decision: PendingResponse.Decision
            do throws(SessionError) {
                _ = try append(commit, to: log, of: session)
                decision = .released
            } catch {
                decision = .refused(error)
            }
            response.decide(decision)?.wake()
        }
        return (session, response)
    }

    /// Blocks until the log has the first entry of a session, or has refused it.
    ///
    /// - Returns: the session, as requests find it.
    private func append(
        _ commit: RetainedCommit, to log: any SessionLog, of session: Session
    ) throws(SessionError) -> Session {
        // The log decides which session gets the name. Another request may open the session from
        // the log at once.
        let part = LogAppend(session: session.logSession, entries: [commit.entry], expecting: 0)
        let start = Uptime.monotonic
        writer?.unshown?.begin(start)
        defer { writer?.unshown?.end(start) }
        switch log.append([part]).first {
        case .appended?: break
        case .conflict?: throw .exists(session.name)
        case .full(let reason, let disk)?:
            throw .storageFull(reason, disk)
        case .refused(let reason)?:
            throw SessionError(.storageFull, "The log refused the session: \(reason).")
        case .unknown(let reason)?:
            throw SessionError(
                .logUnavailable,
                "Whether the log has the session is not known: \(reason). Ask for the session after the server was started again."
            )
        case .unavailable(let reason)?:
            throw SessionError(.logUnavailable, "The log did not take the session: \(reason).")
        case .denied(let reason)?: throw .logRefused(reason)
        case .leaseRenewed?, nil: throw SessionError(.logUnavailable, "The log gave no result.")
        }
        session.withState { $0.adopt(commit) }
        // Not before: nothing may end in a commit that does not follow this entry.
        begin(session)
        let added = insertAppended(session)
        added.withState { _ = $0.countBytes() }
        return added
    }
}

extension SessionState {
    /// Takes over the first entry of a session from a document. The entry is in the log.
    func adopt(_ commit: RetainedCommit) {
        queue.chain = commit.entry.checksum
        queue.acknowledged = commit.revision
        queue.acknowledgedTime = commit.entry.time
        streams.retained.append(commit)
        surroundings.events.add(commit, of: identity)
    }
}

extension SessionStore {
    /// The state of a new session at revision 1, from a document that was read wholly. O(state).
    ///
    /// - Parameters:
    ///   - configuration: what the document says of the session.
    ///   - owner: the account that the session's bytes count to; nil for none.
    /// - Throws: `quota`, what contradicts something else in the document, and `logUnavailable` while a server that
    ///   shares the log does not read the session's format.
    package func makeState(
        _ name: String, _ configuration: SessionConfiguration,
        from reader: consuming DocumentReader, owner: MemoryAccount?
    ) throws(SessionError) -> SessionState {
        try checkRoom()
        let (notes, ends, covered) = (reader.notes, reader.expiries, reader.covered)
        let hierarchy = try reader.finish(revision: 1)
        try checkReaders(
            format: max(
                configuration.neededFormat, hierarchy.definitions.neededFormat,
                covered.isEmpty ? ends.isEmpty ? 1 : 2 : 4))
        let state = makeState(name, configuration, hierarchy: hierarchy)
        state.upkeep.holding.owner = owner
        state.adopt(notes, [], ends, covered)
        return state
    }
}
