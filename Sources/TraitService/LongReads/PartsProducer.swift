// A long answer about a snapshot, written part after part on the workers.

import HTTPServer
import HTTPWire
import JSONCodec
import TraitSessions

/// A text about a session that remembers how much of it is written.
protocol TextInParts: Sendable {
    /// Writes on until the writer has `budget` bytes. Runs while the session's lock is held.
    ///
    /// - Returns: whether that is all.
    mutating func write(from session: Session, budget: Int, into writer: inout JSONWriter) -> Bool

    /// Writes all of it, if that takes at most about `budget` bytes. Runs while the session's lock is held.
    ///
    /// - Returns: whether that is all; if not, the writer has a beginning.
    func writeAtOnce(from session: Session, budget: Int, into writer: inout JSONWriter) -> Bool
}

extension TextInParts {
    func writeAtOnce(from session: Session, budget: Int, into writer: inout JSONWriter) -> Bool {
        var all = self
        return all.write(from: session, budget: budget, into: &writer)
    }
}

extension NodeText: TextInParts {}

extension TraitService {
    /// Answers with a text about a session: a short one is written under the lock, a long one streamed from a
    /// snapshot.
    func readingInParts<Text: TextInParts>(
        _ request: Request, _ text: (Session) throws(SessionError) -> Text
    ) throws(Problem) {
        let context = request.context
        let session = try request.enter(try session(request), before: true)
        let long: (snapshot: SessionSnapshot, text: Text)
        do throws(SessionError) {
            defer { session.leave() }
            try request.checkIsThere(session)
            let head = session.head
            if session.acknowledged < head {
                context.response = session.pendingResponse(until: head)
            }
            let text = try text(session)
            let budget = limits.inlineAnswerBytesMax
            if text.writeAtOnce(from: session, budget: budget, into: &context.body) {
                return request.finishReading(uid: session.uid, revision: head)
            }
            context.body.reset()
            long = (try session.snapshot(), text)
        } catch {
            throw Problem(error)
        }
        readAtLength(request, long.snapshot) { _, _ in
            true
        } then: { _, request throws(Problem) in
            request.finishReading(
                uid: long.snapshot.header.uid, revision: long.snapshot.revision, bodyBytes: 0)
            if request.context.status == 304 { return }
            try request.stream("application/json", PartsProducer(long.snapshot, long.text))
        }
    }
}

/// Writes a text from a snapshot.
///
/// `@unchecked Sendable`: used by one slice of work at a time.
final class PartsProducer<Text: TextInParts>: BodyProducer, @unchecked Sendable {
    private let snapshot: SessionSnapshot
    private var text: Text
    private var writer = JSONWriter()
    private(set) var isBroken = false

    init(_ snapshot: SessionSnapshot, _ text: Text) {
        self.snapshot = snapshot
        self.text = text
    }

    func produce(into out: OutputBuffer, budget: Int) -> Bool {
        // The snapshot was materialized before the answer began, so this never fails.
        guard let session = try? snapshot.session() else {
            isBroken = true
            return true
        }
        let isLast = session.locked { text.write(from: session, budget: budget, into: &writer) }
        out.append(writer.bytes)
        writer.reset()
        return isLast
    }
}
