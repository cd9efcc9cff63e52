// Compresses one stream. Each write is flushed, so that the client can read each record at once.

import HTTPWire

/// Confined to the shard of its connection.
final class StreamCompression {
    /// The bytes that the compressor of one stream takes.
    static let stateBytes = 36_864

    private let encoder = GzipEncoder(isSmall: true)
    private let records = OutputBuffer()

    /// Nil when there is no memory for the compressor.
    init?() {
        guard encoder.isReady else { return nil }
    }

    /// Compresses the records that `write` appends. `write` returns whether they are the last.
    ///
    /// - Returns: whether that succeeded. After a failure the stream cannot continue.
    func write(into out: OutputBuffer, _ write: (OutputBuffer) -> Bool) -> Bool {
        let isLast = write(records)
        let isWritten =
            records.isEmpty || encoder.write(records.bytes, flush: .sync, into: out)
        records.removeAll(keepingCapacity: records.capacity <= 4_096)
        return isWritten && (!isLast || encoder.finish(into: out))
    }
}
