// Answering with a body that was, or is still to be, made beside the shard.

import HTTPServer
import HTTPWire

/// A page that a worker has written.
///
/// `@unchecked Sendable`: the worker lets go of it when it hands it to the shard.
final class LongBody: @unchecked Sendable {
    let buffer: OutputBuffer
    /// What the token of the next page names.
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
        if let next = body.next { page.link(after: next, self) }
        finishReading(uid: uid, revision: revision, bodyBytes: body.buffer.count)
        if context.status == 304 { return }
        context.isTaken = true
        context.leave(on: exchange, .owned(body.buffer))
    }

    /// Answers with the context's header lines and what `producer` makes.
    func stream(_ contentType: StaticString, _ producer: any BodyProducer) {
        context.isTaken = true
        context.status = 200
        context.contentType = contentType
        context.leave(on: exchange, .produced(producer))
    }
}
