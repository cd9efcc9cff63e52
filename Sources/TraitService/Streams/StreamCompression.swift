// Compresses one stream: all that is sent at a time is flushed, so that a reader has each record as
// soon as it is written.

import HTTPWire

/// Confined to the shard of its connection.
final class StreamCompression {
    /// What the compressor of one stream takes.
    static let stateBytes = 36_864

    private let encoder = GzipEncoder(isSmall: true)
    private let records = OutputBuffer()

    /// Nil when there is no memory for it.
    init?() {
        guard encoder.isReady else { return nil }
    }

    /// Compresses what `write` appends; `write` says whether that is the last.
    ///
    /// - Returns: whether it worked; what follows could not be read otherwise.
    func write(into out: OutputBuffer, _ write: (OutputBuffer) -> Bool) -> Bool {
        let isLast = write(records)
        let isWritten =
            records.isEmpty || encoder.write(records.bytes, flush: .sync, into: out)
        records.removeAll(keepingCapacity: records.capacity <= 4_096)
        return isWritten && (!isLast || encoder.finish(into: out))
    }
}
