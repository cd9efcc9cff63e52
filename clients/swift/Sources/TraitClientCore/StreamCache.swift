// The rules of docs/streams.md as a value: records go in, changes and what to do with the connection come out.
// The cache does no I/O and has no clock, so tests drive it record by record.

/// What follows a stream: the cache of a watch, or the position of a stream of records.
package protocol StreamFollower: Sendable {
    /// Begins a connection and answers with the token to send, if there is one.
    mutating func connect() -> String?
    /// The next stream begins anew.
    mutating func forgetToken()
    mutating func receive(_ record: StreamRecord) -> StreamStep
    /// Whether what the follower shows was complete once.
    var isComplete: Bool { get }
    /// Whether the follower is complete at this position of the stream.
    var isCurrent: Bool { get }
    var revision: Int64? { get }
}

/// What a record brings about.
package struct StreamStep: Sendable {
    package enum Connection: Sendable, Hashable {
        case goOn
        /// The records contradict each other or the digest: connect again without a token.
        case fault(String, code: String = "malformed-record")
        /// The values have more bytes than the follower may hold.
        case tooLarge
        case end(StreamEnd)
    }

    package var changes: [TraitChange] = []
    package var connection = Connection.goOn
    /// The record is the one before, once more.
    package var isRepeated = false
}

/// Which record came last: a record with the revision and the part of the one before is a duplicate, and one with
/// a lower revision is a fault.
struct RecordOrder: Sendable {
    enum Verdict { case next, duplicate, wentBack }

    private(set) var revision: Int64?
    private var part: Int64?
    private var isAnew = true

    mutating func receive(_ record: StreamRecord) -> Verdict {
        guard let next = record.revision else { return .next }
        defer { isAnew = false }
        switch record.contents {
        case .begin, .reset: break
        case _ where isAnew: break
        default:
            if let revision, next < revision { return .wentBack }
            if let part = record.part, next == revision, part == self.part { return .duplicate }
        }
        (revision, part) = (next, record.part)
        return .next
    }

    /// A stream that does not resume may begin at any revision, also when its `begin` is lost.
    mutating func beginConnection(resuming: Bool) {
        if !resuming { (isAnew, part) = (true, nil) }
    }
}

/// The cache of a watch.
package struct StreamCache: StreamFollower {
    /// What the watch shows: a complete state, or nothing before the first one.
    package private(set) var values = CachedValues()
    package private(set) var isComplete = false
    package private(set) var token: String?

    /// A state that is being read beside the shown one.
    private struct Collection: Sendable {
        var values = CachedValues()
        /// The pairs in the order in which they came.
        var order: [(node: String, trait: String)] = []
    }
    private var collection: Collection?
    private var order = RecordOrder()
    private var hasSentToken = false
    /// Of the session of the last `begin`.
    private var uid: String?

    private let bytesMax: Int

    /// - Parameter bytesMax: what the shown values may have, and as much a state that is read beside them.
    package init(bytesMax: Int = 64 << 20) { self.bytesMax = bytesMax }

    package var isCurrent: Bool { isComplete && collection == nil }
    /// Of the last record that the shown values take into account.
    package private(set) var revision: Int64?

    package mutating func connect() -> String? {
        hasSentToken = token != nil
        // A connection that does not resume brings a whole state, even if its `begin` is lost.
        collection = hasSentToken ? nil : Collection()
        order.beginConnection(resuming: hasSentToken)
        return token
    }

    package mutating func forgetToken() { token = nil }

    package mutating func receive(_ record: StreamRecord) -> StreamStep {
        switch order.receive(record) {
        case .duplicate: return StreamStep(isRepeated: true)
        case .wentBack: return fault("the revision went back at \(record.token ?? record.type)")
        case .next: break
        }
        let revision = record.revision ?? order.revision ?? 0
        var step = StreamStep()
        switch record.contents {
        case .begin(let uid, _):
            // A stream that resumes begins where the token is. If it does not, another session has the name, and
            // `reset` follows, or the token did not reach the server, and the state does.
            // Pages of long polls name no session.
            let isOther = self.uid != nil && uid != self.uid
            if !hasSentToken || isOther || record.revision != self.revision { beginState() }
            self.uid = uid
        case .reset, .gap:
            uid = record.body["uid"]?.string ?? uid
            beginState()
        case .state(let node, let traits):
            // Nothing announced the state: a proxy has dropped the token, for example.
            if collection == nil { beginState() }
            for (trait, value) in traits { collect(value, trait, at: node) }
        case .change(let node, let changed):
            for change in changed {
                guard let trait = change["trait"]?.string, let value = change["current"] else {
                    continue
                }
                if collection != nil {
                    collect(value, trait, at: node)
                } else {
                    show(value, trait, at: node, revision, &step)
                }
            }
        case .sync(let digest):
            guard agrees(digest) else {
                return fault("the digest differs at \(record.token ?? "")", code: "digest-differs")
            }
            completeState(revision, &step)
        case .bookmark(let digest):
            guard agrees(digest) else {
                return fault("the digest differs at \(record.token ?? "")", code: "digest-differs")
            }
            // Bookmarks have a digest after a `sync` only: the `sync` was lost, and the digest proves the state.
            if digest != nil { completeState(revision, &step) }
        case .end(let end):
            if !end.canResume { token = nil }
            step.connection = .end(end)
        case .renamed, .other: break
        }
        if (collection?.values ?? values).bytes > bytesMax {
            step.connection = .tooLarge
            return step
        }
        if isCurrent, record.isResumable {
            token = record.token ?? token
            self.revision = order.revision
        }
        return step
    }

    private mutating func fault(
        _ reason: String, code: String = "malformed-record"
    ) -> StreamStep {
        token = nil
        return StreamStep(connection: .fault(reason, code: code))
    }

    private mutating func beginState() {
        collection = Collection()
        token = nil
    }

    private mutating func collect(_ value: TraitValue, _ trait: String, at node: String) {
        guard case .added? = collection?.values.set(value, trait, at: node) else { return }
        collection?.order.append((node, trait))
    }

    private mutating func show(
        _ value: TraitValue, _ trait: String, at node: String, _ revision: Int64,
        _ step: inout StreamStep
    ) {
        let previous: TraitValue?
        switch values.set(value, trait, at: node) {
        case .equal: return
        case .added: previous = nil
        case .replaced(let value): previous = value
        }
        step.changes.append(
            TraitChange(
                node: node, trait: trait, previous: previous, current: value, revision: revision))
    }

    /// A server that gives no digest is taken to agree.
    private func agrees(_ digest: String?) -> Bool {
        digest == nil || digest == (collection?.values ?? values).digest.digestText
    }

    /// Shows the collected state in one step, and reports how it differs from the one shown before.
    private mutating func completeState(_ revision: Int64, _ step: inout StreamStep) {
        guard let collection else { return }
        self.collection = nil
        defer { isComplete = true }
        guard isComplete else {
            values = collection.values
            return
        }
        let gone = values.pairs(missingIn: collection.values)
        for (node, trait) in collection.order {
            guard let value = collection.values.value(trait, at: node) else { continue }
            show(value, trait, at: node, revision, &step)
        }
        for (node, trait) in gone {
            step.changes.append(
                TraitChange(
                    node: node, trait: trait, previous: values.value(trait, at: node), current: nil,
                    revision: revision))
        }
        values = collection.values
    }
}

extension StreamRecord {
    /// Whether a stream can go on after the record, if the state was complete.
    var isResumable: Bool {
        switch contents {
        case .begin, .state, .reset, .gap, .end: false
        case .change, .renamed, .sync, .bookmark, .other: true
        }
    }
}
