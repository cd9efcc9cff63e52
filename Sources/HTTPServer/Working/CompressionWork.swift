// Compressing a megabyte takes milliseconds, in which a shard answers a thousand requests: long
// bodies are compressed beside the shards.

import HTTPWire

/// An answer on its way through the compressor.
///
/// `@unchecked Sendable`: it belongs to the shard, then to one worker after the other, then to the
/// shard again; each lets go of it when it passes it on.
final class CompressionWork: Work, @unchecked Sendable {
    private static let sliceBytes = 131_072

    private let answer: Answer
    private var position = 0
    private var compressed = OutputBuffer()
    private var encoder: GzipEncoder?
    private var hasFailed = false

    init(_ answer: Answer) { self.answer = answer }

    func slice() -> Bool {
        let bytes = answer.body.bytes
        let encoder = encoder ?? GzipEncoder(level: 1)
        self.encoder = encoder
        let end = min(bytes.count, position &+ Self.sliceBytes)
        let part = UnsafeRawBufferPointer(rebasing: bytes[position..<end])
        position = end
        let isLast = end == bytes.count
        let succeeded =
            encoder.write(part, flush: .none, into: compressed)
            && (!isLast || encoder.finish(into: compressed))
        // Memory is short: the body goes out as it is.
        if !succeeded { hasFailed = true }
        guard isLast || hasFailed else { return false }
        self.encoder = nil
        return true
    }

    func finish(_ connection: Connection) {
        connection.endWait()
        let body = hasFailed ? answer.body : compressed
        connection.write(
            answer.status, answer.contentType, answer.fields.bytes, .owned(body),
            hasFailed ? .identityNegotiated : .gzip)
        connection.settle()
    }
}
