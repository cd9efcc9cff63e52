// How to take operations back: what each primitive change replaced, in order. The first old
// value of each node, trait and layer in a transaction is remembered here only once, and serves
// both for going back and for telling what changed.

struct UndoEntry: BitwiseCopyable {
    enum Operation: UInt8, BitwiseCopyable {
        /// `node` was made.
        case created
        /// `node` had trait parent `a`, behind sibling `b` (-1: first, -2: it stayed there), and
        /// structural parent `c`.
        case placed
        /// `node` stood behind sibling `a` (-1: first) of the trait parent that it has.
        case ordered
        /// View `node` had controller `a`.
        case paired
        /// `node` had the label in slot `a`.
        case labelled
        /// `node` had this word and revision if `a` is 1; `b` is the node's next value entry.
        case value
        /// The structural subtree of `node` was marked as deleted.
        case marked
        /// Deleted `node` was taken out from under trait parent `a`, behind sibling `b`.
        case buried
        /// Registration `a` was made.
        case registered
        /// Registration `a` ended; it stood behind `b` among all.
        case ended
        /// The definitions were those in slot `a`; `trait` was defined.
        case defined
        /// The definitions were those in slot `a`; `trait` was deleted.
        case undefined
        /// The definitions were those in slot `a`: an environment key, colour or image changed.
        case renamed
        /// Scope `a` was made.
        case scoped
        /// Scope `a` was as in slot `b` of the copies.
        case rescoped
        /// Scope `a` went stale.
        case staled
        /// Scope `a` ended.
        case unscoped
        /// In a layout hierarchy `node` had the flags `trait`, showed frame `a` (-1: still does),
        /// had changed at `word` and was up to date at `revision`.
        case layout
        /// `node` had limits of the content size category from `a` to `b`, set at `revision`.
        case limited
    }

    var operation: Operation
    var layer: Layer = .default
    var trait: UInt16 = 0
    var node: Int32
    var a: Int32 = 0
    var b: Int32 = 0
    var c: Int32 = 0
    var word: UInt64 = 0
    var revision: Int64 = 0

    var storedValue: StoredValue? { a == 1 ? StoredValue(word: word, revision: revision) : nil }
}

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
    /// Commits that can be taken back.
    private var commits = ChunkedQueue<Part>()
    /// Where the open transaction starts.
    private(set) var transactionStart = 0
    /// Whether the open transaction must be gone through when it is acknowledged.
    var holdsResources = false

    var end: Int { entries.end }
    /// Bytes of the entries and commits in it.
    var heldBytes: Int {
        entries.count &* MemoryLayout<UndoEntry>.stride &+ commits.count
            &* MemoryLayout<Part>.stride
    }
    var unacknowledgedCount: Int { commits.count }
    var isEmpty: Bool { entries.isEmpty && commits.isEmpty }

    subscript(position: Int) -> UndoEntry {
        get { entries[position] }
        nonmutating set { entries[position] = newValue }
    }

    mutating func append(
        _ operation: UndoEntry.Operation, _ node: Int32, _ a: Int32 = 0, _ b: Int32 = 0,
        _ c: Int32 = 0
    ) {
        entries.append(UndoEntry(operation: operation, node: node, a: a, b: b, c: c))
    }

    mutating func append(_ entry: UndoEntry) { entries.append(entry) }

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

    /// Drops the entries of acknowledged commits. O(entries / 64).
    mutating func dropAcknowledged() { entries.drop(before: unacknowledgedStart) }

    private var unacknowledgedStart: Int {
        commits.isEmpty ? transactionStart : commits[commits.start].start
    }

    /// Everything that can still be taken back, for the invariants.
    var remaining: [UndoEntry] { (unacknowledgedStart..<end).map { entries[$0] } }
}
