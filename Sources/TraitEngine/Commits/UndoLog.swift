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
        /// In a layout hierarchy `node` had the flags `trait`, showed frame `a` (-1: still does),
        /// had changed at `word` and was up to date at `revision`.
        case layout
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

/// The undo entries of the open transaction and of all unacknowledged commits.
struct UndoLog {
    private struct Part {
        var revision: Int64
        /// Position of the first entry, counted from the log's beginning of time.
        var start: Int
        var holdsResources: Bool
    }

    private var entries: ContiguousArray<UndoEntry> = []
    /// Entries dropped from the front, ever.
    private var dropped = 0
    private var commits: ContiguousArray<Part> = []
    /// Commits at the front of `commits` that are acknowledged.
    private var acknowledged = 0
    /// Where the open transaction starts.
    private(set) var transactionStart = 0
    /// Whether the open transaction must be gone through when it is acknowledged.
    var holdsResources = false

    var end: Int { dropped + entries.count }
    var unacknowledgedCount: Int { commits.count - acknowledged }
    var isEmpty: Bool { entries.isEmpty && unacknowledgedCount == 0 }

    subscript(position: Int) -> UndoEntry {
        get { entries[position - dropped] }
        set { entries[position - dropped] = newValue }
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
    mutating func seal(_ revision: Int64) {
        commits.append(
            Part(
                revision: revision, start: transactionStart, holdsResources: holdsResources))
        transactionStart = end
    }

    /// The newest entry of the open transaction, taken out.
    mutating func popLast() -> UndoEntry? {
        end > transactionStart ? entries.removeLast() : nil
    }

    /// Opens the newest unacknowledged commit again, as the open transaction.
    mutating func reopen() -> Bool {
        guard commits.count > acknowledged, let part = commits.popLast() else { return false }
        transactionStart = part.start
        holdsResources = part.holdsResources
        if commits.count == acknowledged { dropCommits() }
        return true
    }

    /// The positions of the oldest unacknowledged commit's entries, if its revision is at most
    /// `revision`; nil without entries worth going through.
    mutating func acknowledgeOldest(
        through revision: Int64
    ) -> (entries: Range<Int>, holdsResources: Bool)? {
        guard acknowledged < commits.count, commits[acknowledged].revision <= revision else {
            return nil
        }
        let part = commits[acknowledged]
        acknowledged += 1
        let end = acknowledged < commits.count ? commits[acknowledged].start : transactionStart
        return (part.start..<end, part.holdsResources)
    }

    /// Drops the entries of acknowledged commits.
    mutating func dropAcknowledged() {
        let start = acknowledged < commits.count ? commits[acknowledged].start : transactionStart
        let count = start - dropped
        if count == entries.count {
            entries.removeAll(keepingCapacity: entries.capacity < 65_536)
            dropped += count
        } else if count > 1_024, count * 2 > entries.count {
            entries.removeFirst(count)
            dropped += count
        }
        if acknowledged == commits.count {
            dropCommits()
        } else if acknowledged > 1_024, acknowledged * 2 > commits.count {
            commits.removeFirst(acknowledged)
            acknowledged = 0
        }
    }

    private mutating func dropCommits() {
        commits.removeAll(keepingCapacity: true)
        acknowledged = 0
    }

    /// Everything that can still be taken back, for the invariants.
    var remaining: ArraySlice<UndoEntry> {
        let start = acknowledged < commits.count ? commits[acknowledged].start : transactionStart
        return ArraySlice(entries[(start - dropped)...])
    }
}
