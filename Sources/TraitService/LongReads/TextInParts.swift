// A long answer about a snapshot, written part after part on the workers.

import HTTPServer
import HTTPWire
import JSONCodec
import Ledger
import SessionViews
import TraitJSON
import TraitSessions

/// A text about a session that remembers how much of it is written.
protocol TextInParts: Sendable {
    /// Writes on until the writer has `budget` bytes.
    ///
    /// - Returns: whether that is all.
    mutating func write(from session: SessionState, budget: Int, into writer: inout JSONWriter)
        -> Bool

    /// Writes all of it, if that takes at most about `budget` bytes.
    ///
    /// - Returns: whether that is all; if not, the writer has a beginning.
    func writeAtOnce(from session: SessionState, budget: Int, into writer: inout JSONWriter) -> Bool
}

extension TextInParts {
    func writeAtOnce(from session: SessionState, budget: Int, into writer: inout JSONWriter) -> Bool
    {
        var all = self
        return all.write(from: session, budget: budget, into: &writer)
    }
}

extension NodeText: TextInParts {}

extension TraitService {
    /// Answers with a text about a session: a short one is written under the lock, a long one streamed from a
    /// snapshot.
    func readingInParts<Text: TextInParts>(
        _ request: Request, _ form: AnswerForm = .json,
        _ text: (SessionState) throws(SessionError) -> Text
    ) throws(Problem) {
        let context = request.context
        let session = try session(request)
        let long: (snapshot: SessionSnapshot, text: Text)?
        do throws(SessionError) {
            long = try request.withState(of: session, before: true) { state throws(SessionError) in
                try request.checkIsThere(state)
                let head = state.head
                if state.acknowledged < head {
                    context.response = state.pendingResponse(until: head)
                }
                let text = try text(state)
                let budget = limits.inlineAnswerBytesMax
                if text.writeAtOnce(from: state, budget: budget, into: &context.body) {
                    request.finishReading(form, uid: state.uid, revision: head)
                    return nil
                }
                context.body.reset()
                return (try state.snapshot(), text)
            }
        } catch {
            throw Problem(error)
        }
        guard let long else { return }
        work(request, revision: long.snapshot.revision) { _ throws(SessionError) in
            try long.snapshot.session()
        } then: { _, request throws(Problem) in
            request.finishStreaming(form, of: long.snapshot, bodyBytes: 0)
            if request.context.status == 304 { return }
            try request.stream(form.contentType, BodyProducer(long.snapshot, long.text))
        }
    }
}

extension BodyProducer {
    /// A body of JSON.
    ///
    /// - Parameter write: writes on until the writer has so many bytes.
    convenience init(
        _ empty: consuming JSONWriter,
        _ write: @escaping (_ budget: Int, inout JSONWriter) -> BodyPart
    ) {
        var writer = empty
        self.init { out, budget in
            let part = write(budget, &writer)
            out.append(writer.bytes)
            writer.reset()
            return part
        }
    }

    /// A body of JSON about the session of a snapshot.
    ///
    /// - Parameter write: writes on until the writer has so many bytes, while the session's lock is held. Returns
    ///   whether that is all.
    convenience init(
        _ snapshot: SessionSnapshot,
        _ write: @escaping (SessionState, Int, inout JSONWriter) -> Bool
    ) {
        self.init(JSONWriter()) { budget, writer in
            // The snapshot was materialized before the answer began, so this never fails.
            guard let session = try? snapshot.session() else { return .broken }
            return BodyPart(isLast: session.withState { write($0, budget, &writer) })
        }
    }

    /// A text about the session of a snapshot.
    convenience init<Text: TextInParts>(_ snapshot: SessionSnapshot, _ text: Text) {
        var text = text
        self.init(snapshot) { text.write(from: $0, budget: $1, into: &$2) }
    }

    /// The page of a long poll whose one record is sent in pieces.
    convenience init(_ record: LongRecord) {
        var record = record
        self.init { out, budget in
            record.appendNext(budget, into: out)
            return BodyPart(isLast: record.left == 0)
        }
    }

    /// A body that is in memory.
    convenience init(_ buffer: OutputBuffer) { self.init(count: buffer.count) { $0(buffer.bytes) } }

    convenience init(_ bytes: [UInt8]) {
        self.init(count: bytes.count) { bytes.withUnsafeBytes($0) }
    }

    private convenience init(
        count: Int, _ withBytes: @escaping ((UnsafeRawBufferPointer) -> Void) -> Void
    ) {
        var position = 0
        self.init { out, budget in
            let end = min(count, position + max(1, budget))
            withBytes { out.append(UnsafeRawBufferPointer(rebasing: $0[position..<end])) }
            position = end
            return BodyPart(isLast: position == count)
        }
    }

    /// Bytes of about three parts: one that is being written, and two that wait for the client.
    static let bytesAhead = 196_608

    /// A producer of this body that also holds the memory with which the parts were admitted.
    func holding(_ reservation: MemoryReservation) -> BodyProducer {
        BodyProducer { out, budget in
            withExtendedLifetime(reservation) { self.produce(into: out, budget: budget) }
        }
    }
}
