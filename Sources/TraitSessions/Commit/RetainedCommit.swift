// A commit as its session retains it, and the window of acknowledged commits that streams can resume from. Streams,
// resume tokens and the log are views of such commits.

import Background
import DequeModule
import SessionLog
import TraitEngine

/// Immutable, shared by all readers.
package final class RetainedCommit: Sendable {
    /// One change or invalidation that the commit brings to a registration, watch or scope.
    package enum Note: Sendable {
        case change(ChangeNote)
        case invalidation(InvalidationNote)
        /// Before all others of its commit.
        case renamed(RenameNote)

        /// The node of the note.
        var node: String {
            switch self {
            case .change(let note): note.node
            case .invalidation(let note): note.node
            case .renamed(let note): note.to
            }
        }

        /// Whether the note is for a registration. Watches are no part of the state and do not
        /// count.
        var isRegistered: Bool {
            if case .change(let note) = self { note.id != nil } else { false }
        }
    }

    /// A registration or watch that ended with this commit.
    struct Ending: Sendable {
        let registration: RegistrationIndex
        /// nil for a watch.
        let key: RegistrationKey?
        let reason: StreamReason
    }

    package let entry: LogEntry
    private let payload: EntryPayload
    /// Whether the entry has all operations. Otherwise no stream may read the commit, and it is not
    /// retained.
    let isWhole: Bool
    package let counts: OperationCounts
    /// In delivery order.
    package let notes: [Note]
    let places: [ChangePlace]
    /// Bytes of the notes. Bytes that several notes share count once.
    let noteBytes: Int
    let endings: [Ending]
    /// Whether registrations were made or ended.
    let changesRegistrations: Bool
    /// Deleted nodes whose subtrees have streams.
    let endedSubtrees: [Int32]
    /// The subtrees with streams that have notes; nil for none.
    let subtrees: NotedSubtrees?
    /// Leases that must not have been renewed when the log takes the entry; nil for none.
    let leases: LeaseGuard?
    /// Nanoseconds of `SessionEnvironment.ticks`; 0 when no stream was open.
    package let decidedAt: UInt64

    init(
        entry: LogEntry, payload: EntryPayload, isWhole: Bool = true, counts: OperationCounts,
        notes: [Note], places: [ChangePlace] = [], noteBytes: Int = 0, endings: [Ending],
        registers: Bool = false,
        endedSubtrees: [Int32] = [], subtrees: NotedSubtrees? = nil, leases: LeaseGuard? = nil,
        decidedAt: UInt64 = 0
    ) {
        self.entry = entry
        self.payload = payload
        self.isWhole = isWhole
        self.counts = counts
        self.notes = notes
        self.places = places
        self.noteBytes = noteBytes
        self.endings = endings
        changesRegistrations = registers || endings.contains { $0.key != nil }
        self.endedSubtrees = endedSubtrees
        self.subtrees = subtrees
        self.leases = leases
        self.decidedAt = decidedAt
    }

    /// The same commit with what another one brings to registrations.
    func with(_ other: RetainedCommit) -> RetainedCommit {
        RetainedCommit(
            entry: entry, payload: payload, isWhole: isWhole, counts: counts, notes: other.notes,
            places: other.places, noteBytes: other.noteBytes, endings: other.endings,
            registers: changesRegistrations, endedSubtrees: other.endedSubtrees,
            subtrees: other.subtrees, leases: leases, decidedAt: decidedAt)
    }

    /// Whether the place of a node in the tree may have changed.
    var changesTree: Bool {
        counts.contains { $0 == .createNode || $0 == .updateNode || $0 == .deleteNode }
    }

    /// Whether traits were defined or deleted.
    var changesDefinitions: Bool { counts.changesDefinitions }

    /// Whether nodes, traits or registrations were made.
    var makesMembers: Bool {
        counts.contains {
            switch $0 {
            case .createNode, .putNode, .defineTrait, .putTrait, .register, .renameNode,
                .renameTrait:
                true
            default: false
            }
        }
    }

    /// Whether delivering the commit to streams, or releasing its undo entries, takes longer than an
    /// event loop may wait.
    var takesLongToPublish: Bool {
        notes.count + endings.count > WorkBudget.Short.deletedMax
            || counts.total > WorkBudget.Short.acknowledgedMax
    }

    /// Freeing a million notes takes tens of milliseconds, so another thread frees them.
    deinit {
        guard
            notes.count + endings.count > Disposal.itemsMax
                || entry.payload.count > Disposal.bytesMax
        else { return }
        Disposal.keepForAWhile((notes, endings, entry))
    }

    /// Bytes of one record of a note at most, about.
    static func recordBytes(of note: Note) -> Int {
        switch note {
        case .change(let note):
            200 + note.node.utf8.count + note.changes.count + note.colors.count + note.images.count
        case .invalidation(let note): 200 + note.node.utf8.count + note.changed.count
        case .renamed(let note): 200 + note.from.utf8.count + note.to.utf8.count
        }
    }

    /// The operations, as a JSON array.
    package func withOperations<R>(_ body: (UnsafeRawBufferPointer) -> R) -> R {
        entry.payload.withUnsafeBytes {
            body(UnsafeRawBufferPointer(rebasing: $0[payload.operations]))
        }
    }

    /// The cause of the commit, as a JSON object; empty when there is none.
    package func withCause<R>(_ body: (UnsafeRawBufferPointer) -> R) -> R {
        entry.payload.withUnsafeBytes { bytes in
            guard let accessor = payload.accessor else {
                return body(UnsafeRawBufferPointer(rebasing: bytes[payload.cause]))
            }
            // The form of today: the accessor is the caller's id.
            let cause =
                Array(bytes[payload.cause.lowerBound..<accessor.lowerBound])
                + Array("{\"id\":".utf8) + Array(bytes[accessor]) + Array("}".utf8)
                + Array(bytes[accessor.upperBound..<payload.cause.upperBound])
            return cause.withUnsafeBytes(body)
        }
    }

    package var revision: Int64 { entry.revision }

    /// The number of notified registrations.
    package var notified: Int { notes.count { $0.isRegistered } }

    /// The memory of the commit, about. 320 bytes are the measured cost beside the content.
    package var byteCount: Int {
        320 + entry.payload.count + notes.count * 136 + noteBytes
            + places.count * MemoryLayout<ChangePlace>.stride + endings.count * 32
            + (subtrees?.byteCount ?? 0)
    }
}

/// A change that a registration or watch is notified of.
package struct ChangeNote: Sendable {
    let registration: RegistrationIndex
    /// nil for a watch.
    package let id: String?
    package let node: String
    /// The `changes` array, ready to copy; shared by notes of the same changes.
    let changes: [UInt8]
    /// The places of the changes, among those of the commit.
    let places: Range<Int>
    /// What one array takes at most.
    static let changesBytesMax = Int(UInt32.max)
    /// The arrays `colors` and `images`, ready to copy; empty when there are none.
    var colors: [UInt8] = []
    var images: [UInt8] = []
}

/// The bytes of `changes` at which the parts of one change begin and end: the key of the trait without quotes, and the
/// values.
struct ChangePlace: Sendable {
    let trait: UInt32
    let traitEnd: UInt32
    let previous: UInt32
    let previousEnd: UInt32
    let current: UInt32
    let currentEnd: UInt32
}

/// A tracked scope that went stale. Delivered to streams with a registration or watch on its node.
package struct InvalidationNote: Sendable {
    package let node: String
    /// The node, which may get another name.
    let place: NodeIndex
    package let scope: String
    /// The method that UIKit would call, such as `setNeedsLayout`.
    let invalidation: String
    /// The array `changed`, ready to copy.
    let changed: [UInt8]
}

// MARK: - The window

/// The bounds of what a session retains; the same for all sessions.
final class RetainedWindow: Sendable {
    /// So many commits stay whatever their bytes and age.
    let commitsMin: Int
    let commitsMax: Int
    let bytesMax: Int
    let ageMax: Int64

    init(_ limits: ServiceLimits) {
        commitsMax = max(1, limits.retainedCommitsMax)
        commitsMin = min(max(1, limits.retainedCommitsMin), commitsMax)
        bytesMax = limits.retainedBytesMax
        ageMax = limits.retainedAgeMilliseconds
    }
}

/// Contiguous revisions, oldest first. Beyond a minimal count, the window is bounded by count, bytes and age.
package struct RetainedCommits {
    private var commits = Deque<RetainedCommit>()
    /// So many commits at the front have left the window. The past needs them until a base has what they did.
    private var leftCount = 0
    private(set) var leftBytes = 0
    /// Whether commits that leave the window stay for the past.
    var keepsLeft = false
    package private(set) var bytes = 0
    /// The bytes of all commits that were ever appended.
    private(set) var bytesTaken = 0
    /// The time of the newest commit that was appended; 0 before. Kept, as a look at the commit would retain it.
    private var newestTime: Int64 = 0
    /// Likewise the revision of the newest one.
    private var newestRevision: Int64 = 0
    private let window: RetainedWindow

    init(_ window: RetainedWindow) { self.window = window }

    package var count: Int { commits.count - leftCount }
    package var oldestRevision: Int64? {
        count > 0 ? newestRevision - Int64(count) + 1 : nil
    }

    /// The oldest retained commit.
    var oldest: RetainedCommit? { count > 0 ? commits[leftCount] : nil }

    /// The oldest commit that the past can be rebuilt with.
    package var oldestForPast: RetainedCommit? { commits.first }

    /// The bytes of all commits, in the window or not.
    var heldBytes: Int { bytes &+ leftBytes }

    /// Amortised O(1).
    mutating func append(_ commit: RetainedCommit) {
        // Only the first commit of a session can be this; the window begins after it. A first commit
        // that outgrows the window is left out too: no stream existed before it.
        guard commit.isWhole, commit.revision > 1 || commit.byteCount <= window.bytesMax else {
            return
        }
        // Age counts from the commit before, so that no commit is dropped at once when the clock jumps ahead.
        let oldestTime = newestTime - window.ageMax
        newestTime = commit.entry.time
        newestRevision = commit.revision
        commits.append(commit)
        let added = commit.byteCount
        bytes += added
        bytesTaken &+= added
        while count > window.commitsMin, let first = oldest,
            count > window.commitsMax || bytes > window.bytesMax
                || first.entry.time < oldestTime
        {
            bytes -= first.byteCount
            if keepsLeft {
                leftCount += 1
                leftBytes += first.byteCount
            } else {
                commits.removeFirst()
            }
        }
    }

    /// Drops the oldest commits until all have at most so many bytes, for a process that is short of memory; the
    /// newest stays.
    ///
    /// - Parameter last: no commit after this revision is dropped.
    /// - Returns: what was dropped, at most `droppedMax` commits, to be let go without any lock.
    mutating func shrink(to bytesMax: Int, through last: Int64 = .max) -> [RetainedCommit] {
        var dropped: [RetainedCommit] = []
        while heldBytes > bytesMax, dropped.count < Self.droppedMax,
            let oldest = dropFirst(through: last)
        {
            dropped.append(oldest)
        }
        return dropped
    }

    /// Drops commits that have left the window, as `shrink`.
    mutating func dropLeft(through last: Int64) -> [RetainedCommit] {
        var dropped: [RetainedCommit] = []
        while leftCount > 0, dropped.count < Self.droppedMax,
            let oldest = dropFirst(through: last)
        {
            dropped.append(oldest)
        }
        return dropped
    }

    /// So many commits are dropped in one section of the session's lock: about a tenth of a millisecond.
    static let droppedMax = 4_096

    private mutating func dropFirst(through last: Int64) -> RetainedCommit? {
        guard commits.count > 1, let first = commits.first, first.revision <= last else {
            return nil
        }
        commits.removeFirst()
        if leftCount > 0 {
            leftCount -= 1
            leftBytes -= first.byteCount
        } else {
            bytes -= first.byteCount
        }
        return first
    }

    /// The entries after a revision, at most so many; empty where the next one is not there. O(entries).
    package func entries(after revision: Int64, atMost limit: Int) -> [LogEntry] {
        guard let first = commits.first?.revision, revision + 1 >= first,
            revision + 1 - first < Int64(commits.count)
        else { return [] }
        return commits[Int(revision + 1 - first)...].prefix(limit).map(\.entry)
    }

    /// How many of the commits are older than a time. Times of commits never go back. O(log commits).
    package func count(before time: Int64) -> Int {
        max(0, commits.firstPlace { $0.entry.time >= time } - leftCount)
    }

    /// The retained commit of that revision. O(1).
    package subscript(revision: Int64) -> RetainedCommit? {
        guard let oldest = oldestRevision, revision >= oldest,
            revision - oldest < Int64(count)
        else { return nil }
        return commits[leftCount + Int(revision - oldest)]
    }
}
