// The undo entries of the open transaction and of the commits that are not acknowledged yet. The
// first old value of each node, trait and layer in a transaction is stored only once, and serves
// both undo and the comparison with the state before.

/// The undo entries of the open transaction and of all unacknowledged commits. Positions count
/// from the log's beginning of time.
struct UndoLog: ~Copyable {
    struct Part: BitwiseCopyable {
        var revision: Int64
        /// Position of the first entry.
        var start: Int
        var holdsResources: Bool
        /// The digest's sums before the commit.
        var sums: StateDigest
    }

    private var entries = ChunkedQueue<UndoEntry>()
    /// Commits that can be undone.
    private var commits = ChunkedQueue<Part>()
    /// Where the open transaction starts.
    private(set) var transactionStart = 0
    /// Whether acknowledging the open transaction has to free something.
    private var holdsResources = false
    /// Words of the open transaction's old values, where the trait was redefined after the value changed.
    private var translations: [Int32: UInt64] = [:]

    var end: Int { entries.end }
    /// Bytes of the entries and commits in it.
    var heldBytes: Int {
        entries.count &* MemoryLayout<UndoEntry>.stride &+ commits.count
            &* MemoryLayout<Part>.stride
    }
    var unacknowledgedCount: Int { commits.count }
    var isEmpty: Bool { entries.isEmpty && commits.isEmpty }

    subscript(position: Int) -> UndoEntry {
        entries[position]
    }

    /// The value entry at a position relative to the transaction's start, with the word that its old value has by
    /// the trait's present definition.
    func value(at relative: Int32) -> ReplacedValue {
        guard case .value(var value) = entries[transactionStart + Int(relative)] else {
            preconditionFailure("not a value entry")
        }
        if !translations.isEmpty, let word = translations[relative] { value.old?.word = word }
        return value
    }

    /// Gives the old value of an entry of the open transaction another word for comparisons. Undoing uses the
    /// entry's own word.
    mutating func translate(_ relative: Int32, _ word: UInt64) { translations[relative] = word }

    mutating func forgetTranslations() {
        if !translations.isEmpty { translations = [:] }
    }

    /// - Parameter holdsResources: whether the entry holds something that is to be freed once the
    ///   commit is acknowledged.
    @inline(__always)
    mutating func append(_ entry: UndoEntry, holdsResources: Bool = false) {
        entries.append(entry)
        if holdsResources { self.holdsResources = true }
    }

    mutating func begin() {
        transactionStart = end
        holdsResources = false
    }

    /// Makes the open transaction's entries those of a commit.
    mutating func seal(_ revision: Int64, _ sums: StateDigest) {
        commits.append(
            Part(
                revision: revision, start: transactionStart, holdsResources: holdsResources,
                sums: sums))
        transactionStart = end
    }

    /// The newest entry of the open transaction, taken out.
    mutating func popLast() -> UndoEntry? {
        end > transactionStart ? entries.popLast() : nil
    }

    /// Opens the newest unacknowledged commit again, as the open transaction. Answers the digest's
    /// sums before it; nil when there is none.
    mutating func reopen() -> StateDigest? {
        guard let part = commits.popLast() else { return nil }
        transactionStart = part.start
        holdsResources = part.holdsResources
        return part.sums
    }

    /// The positions of the oldest unacknowledged commit's entries, if its revision is at most
    /// `revision`, and whether they are worth going through. It can no longer be reopened.
    mutating func acknowledgeOldest(
        through revision: Int64
    ) -> (entries: Range<Int>, holdsResources: Bool)? {
        if commits.isEmpty { return nil }
        let part = commits[commits.start]
        if part.revision > revision { return nil }
        commits.drop(before: commits.start + 1)
        return (part.start..<unacknowledgedStart, part.holdsResources)
    }

    /// Drops the entries of acknowledged commits. O(entries / 8).
    mutating func dropAcknowledged() { entries.drop(before: unacknowledgedStart) }

    private var unacknowledgedStart: Int {
        commits.isEmpty ? transactionStart : commits[commits.start].start
    }

    /// All entries that can still be undone, for the invariants.
    var remaining: [UndoEntry] { remainingPositions.map { entries[$0] } }
    /// Their positions.
    var remainingPositions: Range<Int> { unacknowledgedStart..<end }
}
