// Reading from a session and writing to it: conditions, revisions and what every answer carries.

import HTTPWire
import JSONCodec
import TraitEngine

extension TraitService {
    /// The session that the path names.
    func session(_ request: Request) throws(Problem) -> Session {
        try registry.session(request.context.firstParameter)
    }

    /// Runs `read` under the session's lock and gives the answer its revision and entity tag.
    func reading(
        _ request: Request, _ read: (Session) throws(Problem) -> Void
    ) throws(Problem) {
        try reading(request, try session(request), read)
    }

    func reading(
        _ request: Request, _ session: Session, _ read: (Session) throws(Problem) -> Void
    ) throws(Problem) {
        try session.locked { () throws(Problem) in
            try request.checkIsThere(session)
            request.context.hold = session.hold(until: session.head)
            try read(session)
            request.finishReading(session)
        }
    }

    /// The same for what has no entity tag, since it is no representation of the session's state
    /// or changes without a commit.
    func looking(
        _ request: Request, _ look: (Session) throws(Problem) -> Void
    ) throws(Problem) {
        let session = try session(request)
        try session.locked { () throws(Problem) in
            try request.checkIsThere(session)
            request.context.hold = session.hold(until: session.head)
            try look(session)
            request.context.field("Traitd-Revision", session.head)
        }
    }

    /// Runs `operations` as one commit and answers with it.
    ///
    /// - Parameters:
    ///   - condition: the body's `ifRevision`.
    ///   - describe: writes another answer than the commit, while the commit is applied; gets
    ///     whether it was a dry run.
    func writing(
        _ request: Request, ifRevision: Int64? = nil,
        describe: ((Session, CommitOutcome) -> Void)? = nil,
        _ operations: (inout Transaction) throws(Problem) -> Void
    ) throws(Problem) {
        let context = request.context
        var options = CommitOptions()
        options.dryRun = context.query.flag(.dryRun)
        options.changes = context.query.flag(.changes)
        options.ifRevision = ifRevision
        options.cause = request.cause
        let session = try session(request)
        try session.locked { () throws(Problem) in
            try request.checkIsThere(session)
            do throws(Problem) {
                try request.checkIfMatch(session)
                let outcome = try session.commit(
                    options, text: context.operations, wakes: &context.wakes,
                    describe: { describe?(session, $0) }, operations)
                if describe == nil { request.write(outcome, options, session) }
                // After a dry run the head is where it was.
                context.hold = session.hold(until: session.head)
                context.field("Traitd-Revision", session.head)
            } catch {
                context.hold = session.hold(until: session.head)
                throw error
            }
        }
        if request.prefersMinimal {
            context.body.reset()
            context.status = 204
            context.contentType = nil
            context.field("Preference-Applied", "return=minimal")
        }
    }
}

extension Request {
    fileprivate func checkIsThere(_ session: Session) throws(Problem) {
        if session.isDeleted {
            throw Problem(.unknownSession, "The session '\(session.name)' was deleted just now.")
        }
    }

    // MARK: - Answers

    /// `{"session","revision","notified","changes"?}`.
    fileprivate func write(
        _ outcome: CommitOutcome, _ options: CommitOptions, _ session: Session
    ) {
        context.body.beginObject()
        context.body.key("session")
        context.body.value(session.name)
        context.body.key("revision")
        context.body.value(outcome.revision)
        if outcome.isUnchanged {
            context.body.key("unchanged")
            context.body.value(true)
        }
        if options.dryRun {
            context.body.key("dryRun")
            context.body.value(true)
        }
        context.body.key("notified")
        context.body.value(outcome.notified)
        if options.changes || options.dryRun {
            writeChanges(outcome, limit: session.limits.answeredChangesMax)
        }
        context.body.endObject()
        context.body.newline()
    }

    private func writeChanges(_ outcome: CommitOutcome, limit: Int) {
        context.body.key("changes")
        context.body.beginArray()
        var written = 0
        for case .change(let note) in outcome.notes {
            guard let id = note.id else { continue }
            if written == limit { break }
            context.body.beginObject()
            context.body.key("registration")
            context.body.value(id)
            context.body.key("node")
            context.body.value(note.node)
            note.writeChanges(into: &context.body)
            context.body.endObject()
            written += 1
        }
        context.body.endArray()
        writeInvalidations(outcome, limit: limit)
        if outcome.notified > limit {
            context.body.key("truncated")
            context.body.value(true)
        }
    }

    /// The tracked scopes that went stale, when there are some.
    private func writeInvalidations(_ outcome: CommitOutcome, limit: Int) {
        let stale = outcome.notes.lazy.compactMap { note -> InvalidationNote? in
            if case .invalidation(let note) = note { note } else { nil }
        }.prefix(limit)
        if stale.isEmpty { return }
        context.body.key("invalidations")
        context.body.beginArray()
        for note in stale {
            context.body.beginObject()
            note.write(into: &context.body)
            context.body.endObject()
        }
        context.body.endArray()
    }

    var prefersMinimal: Bool {
        exchange.header(.prefer)?.elementsEqual("return=minimal".utf8) ?? false
    }

    /// `cause` of what this request commits: its id, and the trace it belongs to. Neither has anything
    /// that JSON would escape.
    var cause: [UInt8] {
        let id = context.requestIDBytes
        let trace = exchange.header(.traceparent).flatMap { Self.isTraceparent($0) ? $0 : nil }
        var json: [UInt8] = []
        json.reserveCapacity(40 + id.count + (trace?.count ?? 0))
        json.append(contentsOf: #"{"requestId":""#.utf8)
        json.append(contentsOf: id)
        if let trace {
            json.append(contentsOf: #"","traceparent":""#.utf8)
            json.append(contentsOf: trace)
        }
        json.append(contentsOf: #""}"#.utf8)
        return json
    }

    /// The shape of a W3C trace parent: hexadecimal fields of 2, 32, 16 and 2 digits.
    private static func isTraceparent(_ bytes: UnsafeRawBufferPointer) -> Bool {
        bytes.count == 55
            && bytes.enumerated().allSatisfy { position, byte in
                [2, 35, 52].contains(position)
                    ? byte == UInt8(ascii: "-")
                    : (0x30...0x39).contains(byte) || (0x61...0x66).contains(byte)
            }
    }
}
