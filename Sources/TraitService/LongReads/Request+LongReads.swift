// Answers whose body the workers have made, or make while it is sent.

import HTTPServer
import HTTPWire
import Ledger
import SessionViews
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

    /// Answers as `stream` does, compressed for clients that accept gzip, whatever the length. Indented JSON is not
    /// compressed.
    ///
    /// - Parameter what: what the body is, for people.
    /// - Throws: `outOfMemory`.
    func streamCompressed(
        _ what: String, _ contentType: StaticString, _ producer: BodyProducer
    ) throws(Problem) {
        guard !context.origin.isPretty, exchange.willCompress(bodyBytes: .max) else {
            return try stream(contentType, producer)
        }
        let packer = GzipEncoder()
        guard packer.isReady else {
            throw Problem(.outOfMemory, "There is no memory to compress the \(what).")
        }
        context.field("Content-Encoding", "gzip")
        try stream(contentType, .compressing(producer, with: packer))
    }
}

extension BodyProducer {
    /// The body of another producer, compressed.
    ///
    /// - Parameter packer: one that is ready.
    fileprivate static func compressing(
        _ producer: BodyProducer, with packer: GzipEncoder
    ) -> BodyProducer {
        let plain = OutputBuffer()
        return BodyProducer { out, budget in
            plain.removeAll()
            let part = producer.produce(into: plain, budget: budget)
            // zlib allocates its memory before the answer begins, so this never fails.
            guard packer.write(plain.bytes, flush: .none, into: out) else { return .broken }
            if case .last = part, !packer.finish(into: out) { return .broken }
            return part
        }
    }
}
