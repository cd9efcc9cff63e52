// Answers whose body the workers have made, or make while it is sent.

import HTTPServer
import HTTPWire
import Ledger
import TraitSessions

/// A page that a worker has written.
final class LongBody {
    let buffer: OutputBuffer
    /// The token of the next page.
    let next: String?

    init(_ bytes: UnsafeRawBufferPointer, next: String?) {
        buffer = OutputBuffer(capacity: bytes.count)
        buffer.append(bytes)
        self.next = next
    }
}

extension Request {
    /// Answers with a page, its `Link`, its revision and its entity tag.
    func finish(_ page: Page, _ body: LongBody, _ uid: String, _ revision: Int64) {
        if let next = body.next { page.link(next, self) }
        finishReading(uid: uid, revision: revision, bodyBytes: body.buffer.count)
        if context.status == 304 { return }
        context.isTaken = true
        context.leave(on: exchange, .owned(body.buffer))
    }

    /// Answers with the context's header lines and the body of `producer`.
    ///
    /// - Throws: `outOfMemory` when there is no room for the parts that are ahead of the client.
    func stream(_ contentType: StaticString, _ producer: BodyProducer) throws(Problem) {
        let reservation = try translated(
            try exchange.memory.reserving(BodyProducer.bytesAhead, for: exchange.caller))
        context.isTaken = true
        context.status = 200
        context.contentType = contentType
        context.leave(on: exchange, .produced(producer.holding(reservation)))
    }
}
