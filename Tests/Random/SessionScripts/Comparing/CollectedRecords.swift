// What a test gives a stream in place of a connection.

import TraitSessions

/// Keeps what a stream appends. Confined to its test.
package final class CollectedRecords: RecordSink {
    package var bytes: [UInt8] = []

    package init() {}

    package var count: Int { bytes.count }

    package func append(_ bytes: UnsafeRawBufferPointer) { self.bytes += bytes }
}

/// Records without a frame, as a long poll has them.
package final class PlainRecords: FramedRecords {
    private let bytes: [UInt8]

    package init(_ bytes: UnsafeRawBufferPointer) { self.bytes = Array(bytes) }

    package var count: Int { bytes.count }

    package func withBytes<R>(_ body: (UnsafeRawBufferPointer) -> R) -> R {
        bytes.withUnsafeBytes(body)
    }
}
