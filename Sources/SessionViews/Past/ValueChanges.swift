// The history of one resolved value: every commit after which a node has, or shows, another value of a trait. Made
// by a replay that resolves the value after each entry, O(commits · depth).

import JSONCodec
import Ledger
import SessionLog
import TraitEngine
import TraitJSON
import TraitSessions

/// One change, ready to be written. The parts are JSON text.
package struct ValueChange: Sendable {
    package let revision: Int64
    /// Milliseconds since 1970.
    package let time: Int64
    /// Nil where the node or the trait was not there.
    let previous: [UInt8]?
    /// Nil where the node or the trait is not there any more.
    let value: [UInt8]?
    let source: [UInt8]?
    /// Empty when nothing is known of it.
    let cause: [UInt8]
    /// The operations that decided it; empty for the beginning.
    let operations: [UInt8]
    /// Whether this is what the value was at the oldest revision that was looked at.
    package let begins: Bool

    /// About how many bytes the change takes, in memory and in an answer.
    package var byteCount: Int {
        160 + (previous?.count ?? 0) + (value?.count ?? 0) + (source?.count ?? 0) + cause.count
            + operations.count
    }

    /// `{"revision","time","previous","value" or "state","source"?,"cause"?,"operations"}` or, for the
    /// beginning, with `"begins": true` in place of cause and operations.
    package func write(into writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("revision", revision)
        writer.member("time", Timestamp.text(time))
        writer.member("previous", raw: previous ?? Array("null".utf8))
        if let value {
            writer.member("value", raw: value)
        } else {
            writer.member("state", "absent")
        }
        if let source {
            writer.member("source", raw: source)
        }
        if begins {
            writer.member("begins", true)
        } else {
            if !cause.isEmpty {
                writer.member("cause", raw: cause)
            }
            writer.member("operations", raw: operations)
        }
        writer.endObject()
    }
}

/// The changes of one value in a range of revisions. Immutable.
package struct ValueChanges: Sendable {
    /// The key of the trait; the given name where no state had it.
    package let trait: String
    /// Oldest first; the first one is the beginning.
    package let changes: [ValueChange]
    /// Whether the node, and the trait, were there at any of the revisions.
    package let hadNode: Bool
    package let hadTrait: Bool

    /// The changes that are older than a revision. O(log changes).
    package func changes(before revision: Int64) -> ArraySlice<ValueChange> {
        changes[..<changes.firstPlace { $0.revision >= revision }]
    }
}

/// The value of a trait at a node, as one state has it.
private struct SeenValue {
    var json: [UInt8]?
    var source: [UInt8]?
}

/// Replays the entries of a range. Used by one thread at a time.
final class ValueChangesWork: PastWork {
    let origin: Session
    private let node: String
    private let trait: String
    /// Nil for the oldest one that can be read.
    private var first: Int64?
    private let last: Int64
    private(set) var replay: PastReplay?
    private var changes: [ValueChange] = []
    private(set) var bytes = 0
    private var key: String
    private var (hadNode, hadTrait) = (false, false)
    // The values of the last state.
    private var seen: SeenValue?
    private var value: TraitValue?
    private var source: Source?
    private var encoding: TraitEncoding?
    private var path: [NodeIndex] = []
    /// The nodes above, in both trees, by name, and the node that decides the value.
    private var names: Set<String> = []
    private var decider: NodeIndex?
    private var deciderName: String?
    private var tracks: (node: NameTrack, trait: NameTrack)?
    /// Commits whose names are still to be followed, oldest first.
    private var unread: [RetainedCommit] = []

    init(_ origin: Session, node: String, trait: String, from first: Int64?, to last: Int64) {
        self.origin = origin
        self.node = node
        self.trait = trait
        self.first = first
        self.last = last
        key = trait
    }

    func step(_ memory: MemoryReservation) throws(SessionError) -> PastResult? {
        guard let replay, let first else {
            let first = self.first ?? min(last, origin.withState { $0.oldestPast.revision })
            self.first = first
            guard followNames(from: first) else { return nil }
            let replay = try PastReplay(of: origin, from: first, taking: memory)
            self.replay = replay
            if replay.state.head == first {
                begin(replay.state, time: origin.withState { $0.time(of: first) })
            }
            return nil
        }
        let isOver = try replay.step(
            to: last,
            after: { entry throws(SessionError) in
                if entry.revision == first {
                    self.begin(replay.state, time: entry.time)
                } else if entry.revision > first {
                    try self.look(at: replay.state, entry, replay.replayer)
                }
            })
        guard isOver else { return nil }
        self.replay = nil
        let changes = ValueChanges(
            trait: key, changes: changes, hadNode: hadNode, hadTrait: hadTrait)
        return PastResult(value: changes, byteCount: bytes + 1_024)
    }

    // MARK: - Names

    /// Follows the names of the node and the trait, some commits at a time. Returns whether that is done.
    private func followNames(from first: Int64) -> Bool {
        if tracks == nil {
            let (commits, key) = origin.withState { state in
                let definitions = state.hierarchy.definitions
                return (
                    first < last ? (first + 1...last).compactMap { state.retained[$0] } : [],
                    definitions.index(of: trait).map { definitions[$0].key } ?? trait
                )
            }
            unread = commits
            tracks = (NameTrack(node, isNode: true), NameTrack(key, isNode: false))
        }
        var count = 0
        while count < Self.commitsPerStep, let commit = unread.popLast() {
            tracks?.node.look(at: commit)
            tracks?.trait.look(at: commit)
            count += 1
        }
        if !unread.isEmpty { return false }
        tracks?.node.finish()
        tracks?.trait.finish()
        return true
    }

    private static let commitsPerStep = 64

    /// Kinds that change the names or the places of nodes.
    private static let structural = [
        OperationKind.renameNode, .updateNode, .deleteNode, .createNode,
    ].map { Array($0.rawValue.utf8) }

    // MARK: - One state

    private func begin(_ state: SessionState, time: Int64) {
        _ = update(from: state)
        let seen = seen ?? SeenValue()
        add(
            ValueChange(
                revision: state.head, time: time, previous: nil, value: seen.json,
                source: seen.source, cause: [], operations: [], begins: true))
    }

    private func look(
        at state: SessionState, _ entry: LogEntry, _ replayer: Replayer
    ) throws(SessionError) {
        let before = seen
        let former = DecidingNodes(decider: deciderName, path: names)
        let movesNodes = entry.payload.withUnsafeBytes { payload in
            Self.structural.contains { CommitFilter.contains(payload, $0) }
        }
        guard update(from: state, movesNodes: movesNodes) else { return }
        let now = seen ?? SeenValue()
        let filter = DecidingOperations(
            before: former, after: DecidingNodes(decider: deciderName, path: names),
            traits: tracks?.trait.names(at: entry.revision) ?? [key], state)
        let (cause, operations) = try replayer.withContent(of: entry) { content in
            (Self.cause(of: entry, content), filter.list(content.operations))
        }
        add(
            ValueChange(
                revision: entry.revision, time: entry.time, previous: before?.json,
                value: now.json, source: now.source, cause: cause, operations: operations,
                begins: false))
    }

    private func add(_ change: ValueChange) {
        bytes += change.byteCount
        changes.append(change)
    }

    /// Resolves the value. Returns whether it is another one than before. O(depth).
    ///
    /// - Parameter movesNodes: whether nodes may have other names, or other places.
    private func update(from state: SessionState, movesNodes: Bool = true) -> Bool {
        let hierarchy = state.hierarchy
        let before = seen?.json
        let node = tracks?.node.name(after: state.head) ?? node
        guard let index = hierarchy.node(node) else {
            (seen, value, source, encoding) = (SeenValue(), nil, nil, nil)
            (path, names, decider, deciderName) = ([], [node], nil, nil)
            return before != nil
        }
        hadNode = true
        updatePath(index, hierarchy, movesNodes)
        if movesNodes, let decider, hierarchy.contains(decider) {
            deciderName = hierarchy.identifier(of: decider)
        }
        let trait = tracks?.trait.name(after: state.head) ?? trait
        guard let trait = hierarchy.definitions.index(of: trait) else {
            (seen, value, source, encoding) = (SeenValue(), nil, nil, nil)
            (decider, deciderName) = (nil, nil)
            return before != nil
        }
        hadTrait = true
        let resolution = hierarchy.resolve(trait, at: index)
        // A definition that changed has another encoding, which may write the same value otherwise.
        let encoding = state.encodings.encoding(of: trait, in: hierarchy.definitions)
        if self.encoding === encoding, source == resolution.source, value == resolution.value {
            return false
        }
        key = encoding.definition.key
        let json = JSONWriter.text { encoding.write(resolution.value, into: &$0) }
        seen = SeenValue(
            json: json, source: JSONWriter.text { state.write(resolution.source, into: &$0) })
        decider = resolution.source.node
        deciderName =
            decider.map { hierarchy.identifier(of: $0) }
            ?? resolution.source.deletedNode.map { hierarchy.identifier(of: $0) }
        (self.encoding, source, value) = (encoding, resolution.source, resolution.value)
        return !Self.isSame(before, json)
    }

    /// Whether two texts are one value. Another definition may write its members in another order.
    private static func isSame(_ one: [UInt8]?, _ other: [UInt8]) -> Bool {
        guard let one else { return false }
        return one == other || meaning(of: one) == meaning(of: other)
    }

    private static func meaning(of text: [UInt8]) -> [UInt8] {
        let tape = JSONTape(limits: .logEntry)
        return text.withUnsafeBytes { bytes in
            guard let json = try? tape.parse(bytes) else { return text }
            return JSONWriter.text { $0.meaning(of: json) }
        }
    }

    /// The node and those above it in the trait tree; by name, those above these in the structural tree as well, with
    /// which they are deleted.
    private func updatePath(
        _ index: NodeIndex, _ hierarchy: Hierarchy, _ movesNodes: Bool
    ) {
        var next: NodeIndex? = index
        var level = 0
        var isSame = true
        while let node = next {
            if level == path.count {
                path.append(node)
                isSame = false
            } else if path[level] != node {
                path[level] = node
                isSame = false
            }
            level += 1
            next = hierarchy.traitParent(of: node)
        }
        if level < path.count {
            path.removeLast(path.count - level)
            isSame = false
        }
        if isSame, !movesNodes { return }
        var all: Set<NodeIndex> = []
        for node in path {
            for start in [node, hierarchy.controller(of: node)] {
                var place = start
                while let node = place, all.insert(node).inserted {
                    place = hierarchy.parent(of: node)
                }
            }
        }
        names = Set(all.map { hierarchy.identifier(of: $0) })
    }

    /// The cause of the entry with the manager of its values; empty when nothing is known.
    private static func cause(of entry: LogEntry, _ content: EntryContent) -> [UInt8] {
        let cause = entry.payload[content.ranges.cause]
        guard let manager = content.manager else { return Array(cause) }
        let added = JSONWriter.text { writer in
            writer.beginObject()
            writer.member("manager", manager)
            writer.endObject()
        }
        if cause.count <= 2 { return added }
        return cause.dropLast() + [UInt8(ascii: ",")] + added.dropFirst()
    }
}

extension PastStates {
    /// The changes of a value up to a revision that the session still has.
    ///
    /// - Parameters:
    ///   - first: the revision to begin with; nil for the oldest one that can be read.
    ///   - caller: pays for the memory.
    /// - Throws: `tooManyReads` when too many wait.
    package func changes(
        of trait: String, at node: String, in session: Session, from first: Int64?,
        to last: Int64, for caller: MemoryAccount?
    ) throws(SessionError) -> PastFinding<ValueChanges> {
        let key = PastKey(
            uid: session.uid, revision: last,
            what: .changes(node: node, trait: trait, from: first ?? 0))
        return try find(key, for: caller) {
            ValueChangesWork(session, node: node, trait: trait, from: first, to: last)
        }
    }
}
