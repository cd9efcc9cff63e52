// A session out of a snapshot in its log, and a snapshot out of a session: the document of the
// state with what only a log needs.
//
//     {"header":{…},"revision","digest","outcomes":[…],"document":{…}}

import JSONCodec
import Ledger
import SessionLog
import TraitEngine
import TraitJSON

extension SessionState {
    /// Builds the session that a snapshot in a log holds.
    ///
    /// - Throws: what in the snapshot cannot be read, or that it led to another state than the one
    ///   it was taken of.
    package static func restore(
        _ snapshot: LogSnapshot, of logSession: LogSession, _ source: SessionSurroundings
    ) throws(ReplayError) -> SessionState {
        let session = try restore(snapshot, name: logSession.name, source)
        let hasName = session.name == logSession.name || source.writerName == nil
        guard session.uid == logSession.uid, hasName else {
            throw ReplayError(
                session: logSession.name, revision: snapshot.revision,
                reason:
                    "the snapshot cannot be restored: it is of the session '\(session.name)', \(session.uid)"
            )
        }
        return session
    }

    /// Builds the session of a snapshot, which need not be in a log.
    ///
    /// - Parameter name: the name of the session in errors.
    /// - Throws: what in the snapshot cannot be read, or that it led to another state.
    package static func restore(
        _ snapshot: LogSnapshot, name: String = "", _ source: SessionSurroundings
    ) throws(ReplayError) -> SessionState {
        try source.environment.checkSpace(
            toLoad: snapshot.payload.count, of: name, revision: snapshot.revision)
        do throws(SessionError) {
            return try snapshot.payload.withBytes { bytes throws(SessionError) in
                try restore(bytes, snapshot, source)
            }
        } catch {
            let place = error.pointer.map { " (at \($0))" } ?? ""
            throw ReplayError(
                error, session: name, revision: snapshot.revision,
                reason: "the snapshot cannot be restored: \(error.detail)\(place)")
        }
    }

    /// A copy of a session that does not change any more, with another header.
    package func copy(header: SessionHeader) -> SessionState {
        SessionState(
            frozen: hierarchy, header: header, chain: queue.chain, notes: registrationNotes,
            outcomes: outcomes, annotations: annotations, surroundings)
    }

    private static func restore(
        _ bytes: UnsafeRawBufferPointer, _ snapshot: LogSnapshot, _ source: SessionSurroundings
    ) throws(SessionError) -> SessionState {
        let tape = JSONTape(limits: JSONLimits(documentBytesMax: JSONLimits.documentBytesCeiling))
        return try tape.withDocument(bytes, refusal: SessionError.init) {
            json throws(SessionError) in
            let object = try ObjectReader(
                json, "a snapshot",
                members: ["header", "revision", "digest", "outcomes", "document"])
            let header = try SessionHeader(try object.required("header"))
            let session = try SessionState(
                logged: try object.required("document"), keepsRevisions: true, header,
                revision: snapshot.revision, source)
            session.queue.chain = snapshot.checksum
            let now = source.environment.now()
            for outcome in try RecordedOutcomes.read(object["outcomes"], now: now) {
                session.record(outcome)
            }
            guard UInt64(try object.requiredString("digest"), radix: 16) == session.digest.full
            else {
                throw SessionError(
                    .internalError,
                    "the digest is \(String(session.digest.full, radix: 16)), not the snapshot's")
            }
            return session
        }
    }

    /// The session of a document in a log, at a revision.
    convenience init(
        logged document: JSONValue, keepsRevisions: Bool, _ header: SessionHeader, revision: Int64,
        _ source: SessionSurroundings
    ) throws(SessionError) {
        var reader = try DocumentReader(
            document, server: nil, keepsRevisions: keepsRevisions,
            hashSeed: source.environment.random()
        ) { _ in header.effectiveLimits }
        reader.onWork = source.environment.onWork
        try reader.read(document)
        let (notes, managed, ends) = (reader.notes, reader.managed, reader.expiries)
        let covered = reader.covered
        self.init(header: header, hierarchy: try reader.finish(revision: revision), source)
        adopt(notes, managed, ends, covered)
    }

    /// Sets the parts of a session from a document beside its hierarchy, before anything else refers to the session.
    /// Registrations without a time of creation have that of the session.
    func adopt(
        _ notes: [RegistrationKey: RegistrationNote],
        _ managed: [(place: ManagedPlace, manager: String)] = [], _ ends: [Expiry] = [],
        _ covered: [CoveredPlace] = []
    ) {
        queue.acknowledged = head
        registrationNotes = RegistrationNotes(notes.mapValues { $0.dated(createdAt) })
        annotations.restore(managed, ends, covered, in: hierarchy)
    }
}

extension SessionSnapshot {
    /// The snapshot as a log keeps it. O(state); not to be called on a shard nor under any lock.
    ///
    /// - Parameter memory: what was reserved for its text, which is settled as the text takes it.
    package func logSnapshot(
        taking memory: MemoryReservation? = nil
    ) throws(SessionError) -> LogSnapshot {
        var json = JSONWriter(capacity: 65_536)
        let writer = SnapshotWriter(try session())
        while writer.write(into: &json) { memory?.settle(through: json.count) }
        return LogSnapshot(revision: revision, checksum: checksum, payload: json.array())
    }
}

extension Session {
    /// Writes a snapshot of the newest acknowledged revision into the log. O(state).
    ///
    /// - Throws: what the log says; `logUnavailable` while commits are pending.
    package func writeSnapshot() throws(SessionError) {
        let snapshot = try withState { state throws(SessionError) in
            guard state.acknowledged == state.head else {
                throw SessionError(.logUnavailable, "Commits wait for the log. Try again.")
            }
            return try state.snapshot()
        }
        try write(snapshot)
    }
}
