// Compressing a megabyte takes milliseconds, in which a shard answers a thousand requests: long
// bodies are compressed on one queue beside the shards.

import Dispatch
import HTTPWire

/// An answer on its way through the compressor.
///
/// `@unchecked Sendable`: it belongs to the shard, then to the compressor's queue, then to the shard
/// again; each lets go of it when it passes it on.
final class CompressionJob: @unchecked Sendable {
    let status: Int
    let contentType: StaticString?
    private let fields: [UInt8]
    private(set) var body: OutputBuffer
    private(set) var coding = ContentCoding.identityNegotiated

    init(
        _ status: Int, _ contentType: StaticString?, _ fields: UnsafeRawBufferPointer,
        _ body: UnsafeRawBufferPointer
    ) {
        self.status = status
        self.contentType = contentType
        self.fields = [UInt8](fields)
        self.body = OutputBuffer(capacity: body.count)
        self.body.append(body)
    }

    func withFields(_ use: (UnsafeRawBufferPointer) -> Void) {
        fields.withUnsafeBytes(use)
    }

    /// Leaves the body plain if memory is short.
    fileprivate func compress(_ encoder: GzipEncoder) {
        let compressed = OutputBuffer(capacity: body.count / 4)
        guard encoder.encode(body.bytes, into: compressed) else { return }
        body = compressed
        coding = .gzip
    }
}

/// The queue, and the one encoder it uses.
///
/// `@unchecked Sendable`: the encoder is touched on the queue only.
final class Compressor: @unchecked Sendable {
    private let queue = DispatchQueue(label: "http.compressor")
    private lazy var encoder = GzipEncoder(level: 1)

    /// Calls `done` on the compressor's queue.
    func run(_ job: CompressionJob, done: @escaping @Sendable () -> Void) {
        queue.async { [self] in
            job.compress(encoder)
            done()
        }
    }
}
