// Creating a session from a document of a state: values, what nodes still show, registrations and
// scopes are there from its first revision on.

import JSONCodec
import SessionLog
import TraitEngine

extension SessionStore {
    /// Creates the session of a document, or the one of a body as a request has it. For files that
    /// are loaded at the start: everything is done before the call returns.
    ///
    /// - Throws: what the document is refused for, with a pointer into it; `exists`, `quota`, what
    ///   the log says. Then nothing was created.
    package func load(_ json: JSONValue) throws(SessionError) -> Session {
        guard json.kind != .object || json.member("name") != nil else {
            throw SessionError(.missingMember, "A session file needs a `name`.", pointer: "")
        }
        if DocumentReader.isDocument(json) { return try create(json) }
        let creation = SessionCreation(SessionCreation.Order(), self)
        while true {
            switch try creation.step(json) {
            case nil: continue
            case .found(let session)?: return session
            case .created(let session, _, let response)?:
                try wait(for: response)
                return session
            case .repeated?: throw SessionError(.internalError, "A file has no key.")
            }
        }
    }

    private func create(_ json: JSONValue) throws(SessionError) -> Session {
        var configured = SessionConfiguration()
        var reader = try DocumentReader(
            json, server: limits.hierarchy, keepsRevisions: false, hashSeed: environment.random()
        ) { configuration in
            configured = configuration
            return configuration.limits.hierarchyLimits(server: limits.hierarchy)
        }
        guard let name = try reader.name(), Identifier.isValid(name) else {
            throw SessionError(
                .malformedIdentifier, "The `name` of the document is no identifier.",
                pointer: "/name")
        }
        if try findOrOpen(name) != nil { throw .exists(name) }
        try reader.read()
        let notes = reader.notes
        let hierarchy = try reader.finish(revision: 1)
        let session = makeSession(name, configured, hierarchy: hierarchy)
        session.adopt(notes.mapValues { $0.dated(session.createdAt) }, chain: 0)
        try append(session, json)
        return session
    }

    /// Makes the document the session's first entry.
    private func append(_ session: Session, _ json: JSONValue) throws(SessionError) {
        let text = TextBuffer()
        let isWhole =
            log.properties.survivesRestart || json.rawBytes.count <= limits.retainedBytesMax
        let opening = EntryPayload.begin(
            text, header: session.header, cause: UnsafeRawBufferPointer(start: nil, count: 0))
        let payload = EntryPayload.end(
            text, opening, digest: session.digest.full, isWhole: isWhole,
            document: isWhole ? json.rawBytes : nil)
        let entry = LogEntry(
            revision: 1, time: session.createdAt, payload: text.json.array(), after: 0)
        let commit = RetainedCommit(
            entry: entry, payload: payload, isWhole: isWhole, counts: OperationCounts(), notes: [],
            endings: [])
        guard try insert(session) else { throw .exists(session.name) }
        let part = LogAppend(session: session.logSession, entries: [entry], expecting: 0)
        switch log.append([part]).first {
        case .appended?:
            session.adopt(commit)
        case .conflict?:
            remove(session)
            throw .exists(session.name)
        case .full(let reason, let free, let min)?:
            remove(session)
            throw .storageFull(reason, freeBytes: free, minFreeBytes: min)
        case .refused(let reason)?:
            remove(session)
            throw SessionError(.storageFull, "The log refused the session: \(reason).")
        case .unknown(let reason)?, .unavailable(let reason)?:
            remove(session)
            throw SessionError(.logUnavailable, "The log did not take the session: \(reason).")
        case nil:
            remove(session)
            throw SessionError(.logUnavailable, "The log gave no result.")
        }
    }

    /// Blocks until the log has answered: only before anything is served.
    private func wait(for response: PendingResponse?) throws(SessionError) {
        guard let response else { return }
        let waker = BlockingWaker()
        if !response.attach(waker) { waker.wait() }
        if case .refused(let error) = response.decision { throw error }
    }
}

extension Session {
    /// The first entry of a session whose state came from a document is in the log.
    func adopt(_ commit: RetainedCommit) {
        locked {
            chain = commit.entry.checksum
            storedAcknowledged = commit.revision
            retained.append(commit)
        }
    }
}

extension RegistrationNote {
    /// A document of another session says nothing of when registrations were made in this one.
    func dated(_ time: Int64) -> RegistrationNote {
        RegistrationNote(
            label: label, createdAt: createdAt == 0 ? time : createdAt, asked: asked, ttl: ttl)
    }
}
