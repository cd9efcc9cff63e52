// What the layers above must know of a log before they use it.

package struct LogProperties: Equatable, Sendable {
    /// What a session says of its log: `memory`, `sqlite`…
    package let durability: String
    /// Whether entries outlive the process. If not, entries may be truncated without a snapshot.
    package let survivesRestart: Bool
    /// Whether `append` never waits. Only then may it be called under a session's lock, and by
    /// several threads at a time.
    package let answersAtOnce: Bool
    /// Whether other processes may append as well, so that an append can meet their entries.
    package let hasOtherWriters: Bool
    /// The most bytes that the payload of one entry may have.
    package let maxEntryBytes: Int
    /// The most entries that all parts of one batch may have together.
    package let maxBatchEntries: Int

    package init(
        durability: String, survivesRestart: Bool, answersAtOnce: Bool,
        hasOtherWriters: Bool = true, maxEntryBytes: Int = .max, maxBatchEntries: Int = .max
    ) {
        self.durability = durability
        self.survivesRestart = survivesRestart
        self.answersAtOnce = answersAtOnce
        self.hasOtherWriters = hasOtherWriters
        self.maxEntryBytes = maxEntryBytes
        self.maxBatchEntries = maxBatchEntries
    }
}
