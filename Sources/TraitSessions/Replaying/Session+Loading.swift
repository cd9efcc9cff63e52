// Loading a session from its log: the newest snapshot or the first entry, and then every entry
// after it.

import JSONCodec
import SessionLog
import TraitEngine
import TraitJSON

extension Session {
    /// Loads a session that only reads its log.
    ///
    /// - Throws: which part of the log is missing or cannot be replayed.
    package static func load(
        _ logSession: LogSession, from log: any SessionLog, limits: ServiceLimits,
        environment: SessionEnvironment
    ) throws(ReplayError) -> Session {
        Session(
            try loadState(
                logSession, from: log,
                SessionSurroundings(limits: limits, environment: environment, log: log)))
    }

    static func loadState(
        _ logSession: LogSession, from log: any SessionLog, _ source: SessionSurroundings
    ) throws(ReplayError) -> SessionState {
        let replayer = Replayer()
        let (start, first) = try reading(logSession) { () throws(LogFailure) in
            try beginning(of: logSession, log)
        }
        try source.check(start.snapshot?.revision ?? 1, of: logSession.uid, logSession.name)
        let state =
            if let snapshot = start.snapshot {
                try SessionState.restore(snapshot, of: logSession, source)
            } else {
                try begin(with: first, of: logSession, source, replayer)
            }
        var wakes = WakeList()
        while !state.isDeleted {
            let entries = try next(of: logSession, log, after: state.head, source.environment)
            if entries.isEmpty {
                if isForgotten(logSession, log) { state.end(wakes: &wakes) }
                break
            }
            try state.apply(entries, with: replayer, wakes: &wakes)
            source.environment.onWork?(entries.count)
        }
        if let newest = start.newestSnapshot { state.upkeep.schedule.note(newest) }
        if state.acknowledgedTime == 0 { takeTime(of: logSession, log, state) }
        return state
    }

    /// Takes over the time of the newest entry, which a snapshot does not have. Without it the next commit of a process
    /// whose clock is behind would be older than the one before. A log that has dropped the entry does not know its time.
    /// Then the present stands for it: reads of an earlier time are refused, as the revision at that time is not known.
    private static func takeTime(
        of session: LogSession, _ log: any SessionLog, _ state: SessionState
    ) {
        let entry = try? log.tail(of: session, after: state.head - 1, limit: 1).first
        let isKnown = entry?.revision == state.head
        let present = max(state.environment.now(), state.createdAt)
        state.queue.acknowledgedTime = isKnown ? entry?.time ?? present : present
    }

    /// The snapshot that a session begins with, or else its first entry. Another replica may truncate the log
    /// between the two.
    private static func beginning(
        of session: LogSession, _ log: any SessionLog
    ) throws(LogFailure) -> (LogStart, LogEntry?) {
        var start = try log.start(of: session)
        if start.snapshot != nil { return (start, nil) }
        let first = try log.tail(of: session, after: 0, limit: 1).first
        if first?.revision == 1 { return (start, first) }
        start = try log.start(of: session)
        return (start, nil)
    }

    /// The session that its first entry begins: at revision 0 or, if the entry has a document, at revision 1.
    package static func begin(
        with first: LogEntry?, of logSession: LogSession, _ source: SessionSurroundings,
        _ replayer: Replayer
    ) throws(ReplayError) -> SessionState {
        guard let first else {
            throw ReplayError(
                session: logSession.name, revision: 1,
                reason: "the log has neither a snapshot nor the first entry")
        }
        try source.environment.checkSpace(
            toLoad: first.payload.count, of: logSession.name, revision: 1)
        do throws(SessionError) {
            return try replayer.withContent(of: first) { content throws(SessionError) in
                guard let header = content.header, header.uid == logSession.uid,
                    header.name == logSession.name || source.writerName == nil,
                    Timestamp.range.contains(first.time)
                else {
                    throw SessionError(
                        .malformedBody, "the first entry has the header of another session")
                }
                guard let document = content.document else {
                    return SessionState(header: header, hierarchy: nil, source)
                }
                return try created(by: document, header, first, content, source)
            }
        } catch {
            throw ReplayError(
                error, session: logSession.name, revision: 1, reason: error.detail)
        }
    }

    /// A session at revision 1 that was created from a document.
    private static func created(
        by document: JSONValue, _ header: SessionHeader, _ entry: LogEntry,
        _ content: EntryContent, _ source: SessionSurroundings
    ) throws(SessionError) -> SessionState {
        let state = try SessionState(
            logged: document, keepsRevisions: false, header, revision: 1, source)
        guard state.digest.full == content.digest else {
            throw SessionError(.internalError, "the document leads to another digest")
        }
        state.adopt(
            RetainedCommit(
                entry: entry, payload: content.ranges, counts: OperationCounts(), notes: [],
                endings: []))
        return state
    }

    /// The entries of the log after a revision that are applied next, when there is memory for them.
    static func next(
        of session: LogSession, _ log: any SessionLog, after revision: Int64,
        _ environment: SessionEnvironment
    ) throws(ReplayError) -> [LogEntry] {
        let entries = try reading(session) { () throws(LogFailure) in
            try log.tail(of: session, after: revision, limit: entriesAtATime)
        }
        if !entries.isEmpty {
            try environment.checkSpace(
                toLoad: entries.reduce(0) { $0 + $1.payload.count }, of: session.name,
                revision: revision + 1)
        }
        return entries
    }

    /// Entries applied in one section of the lock.
    static let entriesAtATime = 64

    private static func reading<R>(
        _ session: LogSession, _ body: () throws(LogFailure) -> R
    ) throws(ReplayError) -> R {
        do throws(LogFailure) {
            return try body()
        } catch {
            throw ReplayError(error, session: session.name)
        }
    }
}
