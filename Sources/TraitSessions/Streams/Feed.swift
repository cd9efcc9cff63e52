// What streams with equal filters share: which retained commits concern them, who waits for the
// next one, and the newest records, encoded once.

import DequeModule
import Synchronization
import TraitEngine

/// What a stream listens to.
enum FeedFilter: Sendable {
    /// Every commit, and the changes of all registrations.
    case session
    /// Named registrations, in the order in which they were named.
    case registrations([NamedRegistration])
    /// One node and a set of traits, without being part of the session's state.
    case watch(RegistrationIndex, node: String, traits: [String])

    /// A registration as a stream knows it.
    struct NamedRegistration: Sendable {
        let index: RegistrationIndex
        let id: String
        let node: String
        /// The revision that made it: what happens later concerns it.
        let since: Int64
    }

    /// Equal for equal filters; what the fingerprint is made of.
    var key: String {
        switch self {
        case .session: "session"
        case .registrations(let registrations):
            "registrations:" + registrations.map(\.id).sorted().joined(separator: ",")
        case .watch(_, let node, let traits):
            "watch:\(node):" + traits.sorted().joined(separator: ",")
        }
    }

    /// Whether the filter lets the note of a commit through. The same for every stream with that
    /// filter, whenever it reads: records are numbered by it.
    func admits(_ note: RetainedCommit.Note, of revision: Int64) -> Bool {
        switch (self, note) {
        case (.session, .change(let note)): note.id != nil
        case (.session, .invalidation): true
        case (.registrations(let registrations), .change(let note)):
            // An index is used again after its registration has ended.
            registrations.contains { $0.index == note.registration && $0.since < revision }
        case (.registrations(let registrations), .invalidation(let note)):
            registrations.contains { $0.node == note.node && $0.since < revision }
        case (.watch(let watch, _, _), .change(let note)): note.registration == watch
        case (.watch(_, let node, _), .invalidation(let note)): note.node == node
        }
    }

    /// The nodes whose scopes concern it; none for a whole session, which all concern.
    var nodes: Set<String> {
        switch self {
        case .session: []
        case .registrations(let registrations): Set(registrations.map(\.node))
        case .watch(_, let node, _): [node]
        }
    }

    var registrations: [RegistrationIndex] {
        switch self {
        case .session: []
        case .registrations(let registrations): registrations.map(\.index)
        case .watch(let index, _, _): [index]
        }
    }
}

/// Confinement: everything but `encoded` is touched only under the session's lock.
final class Feed: @unchecked Sendable {
    let filter: FeedFilter
    let key: String
    /// 8 hexadecimal digits: FNV-1a over the key, alike in every process.
    let fingerprint: String
    /// Commits up to here cannot concern the feed: its registrations did not exist.
    let since: Int64
    /// The retained commits that concern it, ascending; of a session's feed all do.
    private var matching = Deque<Match>()
    /// The newest matching revision that is no longer retained.
    private(set) var lostThrough: Int64 = 0
    /// The registrations that still exist.
    private(set) var live: [RegistrationIndex]
    private(set) var ending: (revision: Int64, reason: StreamReason)?
    private var listeners = Listeners()
    /// When the last listener left, or the feed was made; milliseconds of `SessionEnvironment.uptime`.
    private(set) var idleSince: Int64
    /// Whether the table looks at it when idle feeds are removed.
    var isAmongIdle = false
    let encoded = Mutex<EncodedRecords>(EncodedRecords())

    init(_ filter: FeedFilter, since: Int64, now: Int64) {
        self.filter = filter
        key = filter.key
        self.since = since
        live = filter.registrations
        idleSince = now
        let digits = String(Fingerprint.of(key), radix: 16)
        fingerprint = String(repeating: "0", count: 8 - digits.count) + digits
    }

    var isSession: Bool { if case .session = filter { true } else { false } }
    var isWatch: Bool { if case .watch = filter { true } else { false } }

    // MARK: - Listening

    func listen(_ handle: any Waker) -> Int {
        encoded.withLock { $0.readers += 1 }
        return listeners.add(handle)
    }

    func leave(_ listener: Int, now: Int64) {
        encoded.withLock { $0.readers -= 1 }
        listeners.remove(listener)
        if listeners.isEmpty { idleSince = now }
    }

    var hasListeners: Bool { !listeners.isEmpty }
    var listenerCount: Int { listeners.count }

    func wake(_ wakes: inout WakeList) { listeners.wake(&wakes) }

    // MARK: - Commits

    /// A commit with something for the feed.
    struct Match {
        let revision: Int64
        /// The first and the last note that the filter admits. What is in between is looked at too, but
        /// of thousands of notes most feeds have one.
        let first: Int32
        var last: Int32

        var notes: Range<Int> { Int(first)..<Int(last) + 1 }
    }

    /// Remembers that the filter admits a note of the commit. To be called in the order of both.
    /// Returns whether it is the commit's first.
    func match(_ revision: Int64, note: Int) -> Bool {
        let note = Int32(clamping: note)
        if let last = matching.indices.last, matching[last].revision == revision {
            matching[last].last = note
            return false
        }
        matching.append(Match(revision: revision, first: note, last: note))
        return true
    }

    /// A commit that concerns the feed has just happened, and the feed knows of it.
    func happened(_ revision: Int64, wakes: inout WakeList) {
        encoded.withLock { $0.happened(revision) }
        wake(&wakes)
    }

    func end(_ reason: StreamReason, at revision: Int64, wakes: inout WakeList) {
        if ending == nil { ending = (revision, reason) }
        encoded.withLock { $0.end() }
        wake(&wakes)
    }

    func lose(_ registration: RegistrationIndex) {
        live.removeAll { $0 == registration }
    }

    /// Forgets matching revisions before `oldest`, which is the oldest one retained.
    func forget(before oldest: Int64) {
        while let first = matching.first, first.revision < oldest {
            lostThrough = first.revision
            matching.removeFirst()
        }
    }

    /// The matches from `revision` on, at most `limit`. O(log n).
    func matching(from revision: Int64, limit: Int) -> Deque<Match>.SubSequence {
        var low = 0
        var high = matching.count
        while low < high {
            let middle = low + (high - low) / 2
            if matching[middle].revision < revision { low = middle + 1 } else { high = middle }
        }
        return matching[low..<min(matching.count, low + limit)]
    }
}
