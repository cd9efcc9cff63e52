// Bytes that many streams send: framed once, and sent by each stream from the same memory.

import HTTPWire

/// Whole records of a stream as they go over the wire, framed as a chunk. Immutable, so that the streams
/// of all shards send the same bytes.
package final class SharedRecords: Sendable {
    /// `2c` CR LF, the records, CR LF (RFC 9112 section 7.1).
    private let chunk: [UInt8]
    /// Where the records are in it.
    private let records: Range<Int>

    /// Copies the records. Without any it is empty, as an empty chunk would end the stream.
    package init(_ bytes: UnsafeRawBufferPointer) {
        let framed = OutputBuffer(capacity: bytes.count + 24)
        ResponseEncoder.chunk(bytes, into: framed)
        chunk = framed.array()
        let end = max(0, chunk.count - 2)
        records = end - bytes.count..<end
    }

    /// The number of bytes without the framing.
    package var count: Int { records.count }

    /// The records without the framing.
    @inline(__always)
    package func withBytes<R>(_ body: (UnsafeRawBufferPointer) -> R) -> R {
        chunk.withUnsafeBytes { body(UnsafeRawBufferPointer(rebasing: $0[records])) }
    }

    /// The records, framed as a chunk where the connection's version of HTTP has chunks.
    @inline(__always)
    func withFramed<R>(isChunked: Bool, _ body: (UnsafeRawBufferPointer) -> R) -> R {
        isChunked ? chunk.withUnsafeBytes(body) : withBytes(body)
    }
}
