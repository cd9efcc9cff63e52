// The properties of a log that the layers above need before they use it.

package struct LogProperties: Equatable, Sendable {
    /// The durability that sessions report, such as `disk`.
    package let durability: String
    /// Whether other processes may append as well, so that an append can meet their entries.
    package let isShared: Bool
    /// The most bytes that the payload of one entry may have.
    package let maxEntryBytes: Int
    /// The most entries that all parts of one batch may have together.
    package let maxBatchEntries: Int
    /// The most bytes that the payloads of one batch may have together. A part of one entry may have more.
    package let maxBatchBytes: Int
    /// How many threads may call `append` at once. Those of one session come one after the other.
    package let appendsAtATime: Int

    /// How long a request waits for the log; then its outcome is unknown. Nil for as long as the log takes.
    package let waitMax: Duration?

    package init(
        durability: String, isShared: Bool = true, maxEntryBytes: Int = .max,
        maxBatchEntries: Int = .max, maxBatchBytes: Int = .max, appendsAtATime: Int = 1,
        waitMax: Duration? = nil
    ) {
        self.durability = durability
        self.isShared = isShared
        self.maxEntryBytes = maxEntryBytes
        self.maxBatchEntries = maxBatchEntries
        self.maxBatchBytes = maxBatchBytes
        self.appendsAtATime = max(1, appendsAtATime)
        self.waitMax = waitMax
    }
}
