// Working memory of notifications, kept from one commit to the next.

/// A trait that changed on the way down, as words.
struct FrameChange: BitwiseCopyable {
    var trait: UInt16
    var layer: Layer
    /// The node that decides the new value; 0 for the default; of a deleted node the complement of
    /// the frame that shows its value.
    var node: Int32
    var revision: Int64
    var old: UInt64
    var new: UInt64

    var source: Source {
        layer == .default
            ? .default
            : Source(kind: layer, node: Hierarchy.handle(node), revision: revision)
    }
}

/// A distinct set of changes: a range of `NotificationBuffers.changes`, by trait index.
struct Frame: BitwiseCopyable {
    var start: Int32
    var count: Int32
    /// The changed traits, folded.
    var fold: UInt64

    static let empty = Frame(start: 0, count: 0, fold: 0)
    var end: Int32 { start &+ count }
    /// Frames this small drop changes by clearing bits, larger ones are copied.
    var isSmall: Bool { count <= 64 }
    var allLive: UInt64 { count >= 64 ? .max : (1 &<< UInt64(count)) &- 1 }
}

/// A watch node to visit, and after it those behind it in its parent's list, with the changes that
/// arrive at all of them.
struct Visit: BitwiseCopyable {
    var watch: Int32
    /// The watch node that lists it; -1 for one to be visited alone.
    var parent: Int32
    /// Position in `NotificationBuffers.frames`.
    var frame: Int32
    var level: Int32
    /// Which of a small frame's changes no nearer node hides.
    var live: UInt64
    /// The live changes' traits, folded.
    var fold: UInt64
    /// Traits that `below` of the parent names and that no child visited so far watches.
    var unconfirmed: UInt64
}

struct NotificationBuffers: ~Copyable {
    /// A commit with more notes or changes is large. Its memory is kept for further large commits.
    private static let largeMin = 65_536
    /// After so many small commits in a row that memory is given back.
    private static let quietMax = 64

    var changes: ContiguousArray<FrameChange> = []
    var frames: ContiguousArray<Frame> = []
    var stack = PlainBuffer<Visit>()
    /// Visits taken from the stack together.
    private var batch = PlainBuffer<Visit>()
    /// Watched children found in groups.
    var found: ContiguousArray<Int32> = []
    var notes = PlainBuffer<Note>()
    private var scratch = PlainBuffer<Note>()
    private var digits = PlainBuffer<UInt32>()
    /// Notes of hidden registrations.
    var hidden: ContiguousArray<Note> = []
    /// In a layout hierarchy, for hidden registrations of images that use the device's scale or
    /// idiom: what the node showed before.
    var framesBefore: [Int32: Int32] = [:]
    /// By frame its number in the commit; -1 until a notification carries it.
    var numbers: ContiguousArray<Int32> = []
    var wideSelections: [Int32] = []
    /// Words by trait, for one comparison of two places.
    var before: ContiguousArray<UInt64> = []
    var after: ContiguousArray<UInt64> = []
    /// The sum of visited watch nodes and notes at which a commit stops to notify.
    var stepsMax = Int.max
    /// Whether the last commit stopped there.
    var isCutShort = false
    var visitedWatchNodes = 0
    /// Sink for prefetch reads, so that the compiler keeps them.
    var readAhead: Int32 = 0
    var visitedWatchGroups = 0
    /// Registrations visited node by node, for tests of what operations cost.
    var visitedRegistrations = 0
    private var isLarge = false
    private var quietCommits = 0

    mutating func fit(_ traitCount: Int) {
        while before.count < traitCount {
            before.append(0)
            after.append(0)
        }
    }

    mutating func start() {
        changes.removeAll(keepingCapacity: true)
        frames.removeAll(keepingCapacity: true)
        frames.append(.empty)
        notes.removeAll()
        if !wideSelections.isEmpty { wideSelections = [] }
        if !hidden.isEmpty { hidden.removeAll(keepingCapacity: hidden.count < Self.largeMin) }
        if !framesBefore.isEmpty { framesBefore = [:] }
    }

    /// Lists of children that a walk follows in turns.
    private static let batchMax = 16

    /// Takes the newest visits from the stack; valid until this is called again.
    mutating func nextVisits() -> UnsafeMutableBufferPointer<Visit> {
        batch.removeAll()
        while batch.count < Self.batchMax, let visit = stack.popLast() { batch.append(visit) }
        return batch.view
    }

    /// The notes in delivery order; valid until the next one is added.
    mutating func sortedNotes() -> UnsafeMutableBufferPointer<Note> {
        let room = scratch.fit(notes.count)
        return RadixSort.sort(notes.view, room, &digits)
    }

    mutating func finish() {
        if notes.count > Self.largeMin || changes.count > Self.largeMin {
            isLarge = true
            quietCommits = 0
        } else if isLarge {
            quietCommits += 1
            if quietCommits == Self.quietMax { trim() }
        }
    }

    private mutating func trim() {
        isLarge = false
        quietCommits = 0
        notes.removeAll()
        notes.trim(to: Self.largeMin)
        scratch.trim(to: Self.largeMin)
        stack.trim(to: Self.largeMin)
        found = []
        changes = []
        frames = []
        numbers = []
    }
}
