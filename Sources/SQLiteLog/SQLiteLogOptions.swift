// The settings of the log on disk.

/// How a log uses its directory.
/// What is done with a directory whose newest acknowledged commit is not known.
package enum Unproved: Sendable {
    case refused
    /// It is opened, and stays as it is.
    case read
    /// Its entries count as all that was acknowledged.
    case accepted
}

package struct SQLiteLogOptions: Sendable {
    /// Bytes that stay free on the file system: appends are refused before less is left.
    package var minFreeDiskBytes: Int64 = 67_108_864
    /// How often a batch whose flush failed is written again before the log stops for good.
    package var flushAttemptsMax = 5
    /// The time before the first repetition; twice as long before each further one.
    package var flushRetry = Duration.milliseconds(10)
    /// Pages of the write-ahead log after which it is copied into the database: 16 MiB.
    package var checkpointPages = 4_096
    /// Bytes of a snapshot that one transaction writes, so that appends come in between.
    package var snapshotPartBytes = 1_048_576
    /// Rows that one transaction of upkeep deletes.
    package var upkeepRowsMax = 512
    /// The most bytes of an entry and of a snapshot. A start reads each as one JSON document, and a
    /// document has at most `JSONLimits.documentBytesCeiling` bytes.
    package var entryBytesMax = 536_870_911
    /// Whether a directory that is not there is made.
    package var createsDirectory = true
    /// Whether the directory is being filled, and no other process may take it for whole before
    /// `SQLiteLog.complete`.
    package var isPartial = false
    package var unproved = Unproved.refused
    /// The VFS below the checksums; nil for SQLite's default. Tests put theirs here.
    package var vfs: String?
    /// The free bytes of the file system, for tests; nil asks the file system.
    package var freeBytes: (@Sendable () -> Int64)?

    package init() {}
}
