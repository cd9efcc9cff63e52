// The properties of a log that the layers above need before they use it.

package struct LogProperties: Equatable, Sendable {
    /// The durability that sessions report, such as `disk`.
    package let durability: String
    /// Whether other processes may append as well, so that an append can meet their entries.
    package let hasOtherWriters: Bool
    /// The most bytes that the payload of one entry may have.
    package let maxEntryBytes: Int
    /// The most entries that all parts of one batch may have together.
    package let maxBatchEntries: Int

    package init(
        durability: String, hasOtherWriters: Bool = true, maxEntryBytes: Int = .max,
        maxBatchEntries: Int = .max
    ) {
        self.durability = durability
        self.hasOtherWriters = hasOtherWriters
        self.maxEntryBytes = maxEntryBytes
        self.maxBatchEntries = maxBatchEntries
    }
}
