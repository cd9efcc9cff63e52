// `POST …/rows`: a window into the nodes in tree order, at any place of a tree of any size.

import HTTPServer
import HTTPWire
import JSONCodec
import SessionViews
import TraitEngine
import TraitJSON
import TraitSessions

/// How a request for rows goes on after the session's lock is released.
private enum RowsCourse: Sendable {
    /// The client has this window.
    case known
    /// The rows and the hits are kept.
    case kept(RowsQuestion, RowTable, RowHits?)
    /// They have to be made from a snapshot; the rows may be kept.
    case unread(RowsQuestion, SessionSnapshot, RowTable?)
}

extension TraitService {
    /// A window is found on the workers. Its rows are written under the session's lock if the nodes have the order
    /// that the window was found in, else all is made anew from a snapshot.
    func listRows(_ request: Request) throws(Problem) {
        let context = request.context
        let session = try session(request)
        var course = RowsCourse.known
        try request.withBody { json throws(SessionError) in
            let body = try RowsBody(json, limits)
            course = try request.withState(of: session, before: true) {
                state throws(SessionError) in
                try request.checkIsThere(state)
                context.response = state.pendingResponse(until: state.head)
                let question = try body.question(in: state)
                if request.knowsRows(uid: state.uid, revision: state.head) { return .known }
                return try self.course(question, state, session)
            }
        }
        switch course {
        case .known: return
        case .kept(let question, let table, let hits):
            var view = question.view(of: table, hits)
            work(request) { _ in
                view.advance()
            } then: { window, request throws(Problem) in
                try self.show(window, question, table, of: session, request)
            }
        case .unread(let question, let snapshot, let table):
            makeRows(question, snapshot, table, of: session, request)
        }
    }

    private func course(
        _ question: RowsQuestion, _ state: SessionState, _ session: Session
    ) throws(SessionError) -> RowsCourse {
        let kept = session.rows.find(
            order: state.hierarchy.versions.order, question.find, now: environment.uptime())
        if let kept, question.find == nil || kept.hits != nil {
            return .kept(question, kept.table, kept.hits)
        }
        return .unread(question, try state.snapshot(), kept?.table)
    }

    /// Writes the window, on the shard.
    private func show(
        _ window: RowWindow, _ question: RowsQuestion, _ table: RowTable, of session: Session,
        _ request: Request
    ) throws(Problem) {
        let context = request.context
        let isCurrent = try translating { () throws(SessionError) in
            try request.withState(of: session, before: true) { state throws(SessionError) in
                try request.checkIsThere(state)
                let versions = state.hierarchy.versions
                guard versions.order == table.order, question.find?.isCurrent(versions) ?? true
                else { return false }
                context.response = state.pendingResponse(until: state.head)
                window.write(
                    from: state, bytesMax: limits.pageBytesMax, into: &context.body)
                request.finishRows(
                    uid: state.uid, revision: state.head, bodyBytes: request.sentBytes(nil))
                return true
            }
        }
        if !isCurrent { try listRows(request) }
    }

    private func makeRows(
        _ question: RowsQuestion, _ snapshot: SessionSnapshot, _ table: RowTable?,
        of session: Session, _ request: Request
    ) {
        let rows = RowsWork(
            snapshot, question, table: table, environment.memory, bytesMax: limits.pageBytesMax)
        let (store, memory) = (store, environment.memory)
        work(request, revision: snapshot.revision) { _ throws(SessionError) in
            try rows.step { table in
                store.keepRows(table, of: session)
            } keepHits: { hits, find, table throws(SessionError) in
                try session.rows.keep(hits, of: find, in: table, memory)
            }
        } then: { body, request throws(Problem) in
            let context = request.context
            request.finishRows(
                uid: snapshot.header.uid, revision: snapshot.revision,
                bodyBytes: request.sentBytes(body.buffer.count))
            context.isTaken = true
            context.leave(on: request.exchange, .owned(body.buffer))
        }
    }
}

extension Request {
    /// The entity tag of an answer to this request's query and body, of a state.
    private func rowsTag(uid: String, revision: Int64, isCompressed: Bool) -> String {
        let seed = exchange.query.map { UInt64(Fingerprint.of($0)) } ?? 0
        let hash = Fingerprint.wide(exchange.body, seed: seed)
        return "\"\(uid).\(revision)-rows-\(String(hash, radix: 16))"
            + (isCompressed ? "\(EntityTagCoding.gzipSuffix)" : "") + "\""
    }

    /// Makes the answer 304 for a client that has it. The tag says all on which the answer depends, so nothing is
    /// read.
    fileprivate func knowsRows(uid: String, revision: Int64) -> Bool {
        if exchange.header(.ifNoneMatch) == nil { return false }
        for isCompressed in [false, true]
        where !isCompressed || exchange.willCompress(bodyBytes: .max) {
            let tag = rowsTag(uid: uid, revision: revision, isCompressed: isCompressed)
            guard Array(tag.utf8).withUnsafeBytes({ knows($0) }) else { continue }
            context.field("Traitd-Revision", revision)
            context.field("ETag", tag)
            context.status = 304
            context.contentType = nil
            return true
        }
        return false
    }

    fileprivate func finishRows(uid: String, revision: Int64, bodyBytes: Int) {
        context.field("Traitd-Revision", revision)
        context.field(
            "ETag",
            rowsTag(
                uid: uid, revision: revision,
                isCompressed: exchange.willCompress(bodyBytes: bodyBytes)))
    }
}
