// The notes of a commit: the parts of an engine commit that streams and answers show, as JSON.
// Written while the engine's indices are valid.

import JSONCodec
import TraitEngine
import TraitJSON

/// The notes of one commit.
struct CommitNotes {
    var notes: [RetainedCommit.Note] = []
    /// Bytes of the notes. Bytes that several notes share count once.
    var bytes = 0
    /// Of all different changes.
    var places: [ChangePlace] = []
    /// Watches whose changes went beyond the limit.
    var lostWatches: [RegistrationIndex] = []
    /// The subtrees with streams that have notes; nil for none.
    var subtrees: NotedSubtrees?
}

extension SessionState {
    /// The notes of the commit in delivery order: from the top of the trait tree down; at equal
    /// depth registrations in the order in which they were made, then tracked scopes.
    ///
    /// - Parameters:
    ///   - bytesMax: how many bytes of different changes registrations may get, and as many
    ///     watches; nil for a commit that is in the log already.
    ///   - isShort: whether the commit has to be short; see `WorkBudget`.
    /// - Throws: `transactionTooLarge` when registrations would get more. A watch that would get
    ///   more is left out and listed in `lostWatches`.
    func notes(
        of commit: Commit, _ renames: [RenameNote], bytesMax: Int?, isShort: Bool
    ) throws(SessionError) -> CommitNotes {
        let isAlone =
            streams.feeds.subtrees.isEmpty && commit.invalidations.isEmpty && renames.isEmpty
        var changes = try changeNotes(
            of: commit, bytesMax: bytesMax, isShort: isShort, isAlone: isAlone)
        if isAlone { return changes.all }
        var finder =
            streams.feeds.subtrees.isEmpty
            ? nil : NotedSubtrees.Finder(hierarchy, streams.feeds.subtrees)
        var notes: [RetainedCommit.Note] = []
        notes.reserveCapacity(renames.count + changes.list.count + commit.invalidations.count)
        // By note: its place among the subtrees.
        var places: [Int32] = []
        func add(_ note: RetainedCommit.Note, at node: NodeIndex?) {
            notes.append(note)
            if finder == nil { return }
            places.append(node.flatMap { finder?.place(of: $0) } ?? -1)
        }
        func add(_ change: (node: NodeIndex, note: ChangeNote)) {
            // Watches are no part of a subtree's stream.
            add(.change(change.note), at: change.note.id == nil ? nil : change.node)
        }
        for note in renames {
            changes.all.bytes += note.byteCount
            let place = note.node ?? note.parent
            add(.renamed(note), at: place.flatMap { hierarchy.contains($0) ? $0 : nil })
        }
        var rest = changes.list[...]
        var known: (node: NodeIndex, depth: Int)?
        for invalidation in commit.invalidations {
            let depth = hierarchy.depth(of: invalidation.node)
            while let next = rest.first {
                if known?.node != next.node { known = (next.node, hierarchy.depth(of: next.node)) }
                if let known, known.depth > depth { break }
                add(next)
                rest.removeFirst()
            }
            let note = note(invalidation)
            changes.all.bytes += note.changed.count
            add(.invalidation(note), at: invalidation.node)
        }
        for change in rest { add(change) }
        changes.all.notes = notes
        changes.all.subtrees = finder?.subtrees(of: places)
        return changes.all
    }

    /// The changes of each registration and watch, and their sum.
    private struct ChangeNotes {
        /// With their nodes; empty where the notes are the changes alone.
        var list: [(node: NodeIndex, note: ChangeNote)] = []
        var all = CommitNotes()
    }

    /// Equal for notifications with equal changes.
    private struct Selection: Hashable {
        let frame: Int32
        let selection: UInt64
    }

    private func changeNotes(
        of commit: Commit, bytesMax: Int?, isShort: Bool, isAlone: Bool
    ) throws(SessionError) -> ChangeNotes {
        var notes = ChangeNotes()
        guard !commit.notifications.isEmpty else { return notes }
        if !isShort, let bytesMax { try checkTexts(of: commit, bytesMax) }
        if isAlone {
            notes.all.notes.reserveCapacity(commit.notifications.count)
        } else {
            notes.list.reserveCapacity(commit.notifications.count)
        }
        var writer = JSONWriter()
        typealias Changes = (json: [UInt8], places: Range<Int>)
        var known: [Selection: Changes] = [:]
        var last: (selection: Selection, changes: Changes)?
        var watchBytes = 0
        for notification in commit.notifications {
            let info = hierarchy.registrationInfo(notification.registration)
            let selection = Selection(
                frame: notification.frame, selection: notification.selection)
            let changes: Changes
            var isNew = false
            if let last, last.selection == selection {
                changes = last.changes
            } else if let shared = known.isEmpty ? nil : known[selection] {
                changes = shared
            } else if info.identifier == nil, !notes.all.lostWatches.isEmpty {
                // The limit is reached, so the changes of further watches would only be dropped.
                notes.all.lostWatches.append(notification.registration)
                continue
            } else {
                writer.reset()
                let room =
                    isShort
                    ? WorkBudget.Short.notificationBytesMax - notes.all.bytes
                    : ChangeNote.changesBytesMax
                let first = notes.all.places.count
                guard
                    write(
                        commit.changes(of: notification), bytesMax: room, into: &writer,
                        &notes.all.places)
                else { throw isShort ? .takesLong : notificationsTooLong(bytesMax ?? room) }
                changes = (writer.array(), first..<notes.all.places.count)
                isNew = true
            }
            var note = ChangeNote(
                registration: notification.registration, id: info.identifier,
                node: hierarchy.identifier(of: notification.node), changes: changes.json,
                places: changes.places)
            let dynamics = commit.dynamicChanges(of: notification)
            if !dynamics.isEmpty {
                note.colors = write(dynamics, .color, with: &writer)
                note.images = write(dynamics, .image, with: &writer)
            }
            let bytes = note.colors.count + note.images.count + (isNew ? changes.json.count : 0)
            if isShort, notes.all.bytes + bytes > WorkBudget.Short.notificationBytesMax {
                throw .takesLong
            }
            if let bytesMax {
                if info.identifier == nil {
                    if watchBytes + bytes > bytesMax {
                        notes.all.lostWatches.append(notification.registration)
                        continue
                    }
                    watchBytes += bytes
                } else if notes.all.bytes - watchBytes + bytes > bytesMax {
                    throw notificationsTooLong(bytesMax)
                }
            }
            if let last, isNew { known[last.selection] = last.changes }
            if last?.selection != selection { last = (selection, changes) }
            notes.all.bytes += bytes
            if isAlone {
                notes.all.notes.append(.change(note))
            } else {
                notes.list.append((notification.node, note))
            }
        }
        return notes
    }

    /// Refuses, before any change is written, a commit whose changes have too many bytes of texts alone. A short
    /// write needs no such check, as it ends after few bytes. O(different changes).
    private func checkTexts(of commit: Commit, _ bytesMax: Int) throws(SessionError) {
        var seen: Set<Selection> = []
        var last: Selection?
        var bytes = 0
        for notification in commit.notifications {
            let selection = Selection(
                frame: notification.frame, selection: notification.selection)
            if selection == last { continue }
            last = selection
            // Changes that are first written for a watch count for watches, not for registrations.
            guard seen.insert(selection).inserted,
                hierarchy.registrationInfo(notification.registration).identifier != nil
            else { continue }
            for change in commit.changes(of: notification) {
                // A case is written by its name.
                if case .stringEnumeration = hierarchy.definitions[change.trait].type { continue }
                bytes += change.previous.textBytes + change.current.textBytes
            }
            if bytes > bytesMax { throw notificationsTooLong(bytesMax) }
        }
    }

    /// The nodes whose subtrees have streams and that the commit has deleted. O(nodes with such streams)
    /// for a commit that deletes nodes.
    func endedSubtrees(_ transaction: Transaction) -> [Int32] {
        if streams.feeds.subtrees.isEmpty
            || !transaction.counts.kinds.contains(where: { $0.kind == .deleteNode })
        {
            return []
        }
        return streams.feeds.subtrees.filter { !hierarchy.contains(NodeIndex(rawValue: $0)) }
    }

    private func notificationsTooLong(_ bytesMax: Int) -> SessionError {
        .limit(
            .transactionTooLarge,
            "The notifications of this commit would have more than notificationBytesMax=\(bytesMax) bytes. "
                + "Write less at once, or register for fewer traits.",
            name: "notificationBytesMax", value: bytesMax)
    }

    private func note(_ invalidation: Invalidation) -> InvalidationNote {
        let definitions = hierarchy.definitions
        let changed = definitions.inCatalogueOrder(invalidation.changed)
        return InvalidationNote(
            node: hierarchy.identifier(of: invalidation.node), place: invalidation.node,
            scope: invalidation.scope,
            invalidation: invalidation.invalidation,
            changed: JSONWriter.text { $0.list(changed.lazy.map { definitions[$0].key }) })
    }

    /// Returns whether that is all; false when the changes have more than `bytesMax` bytes.
    private func write(
        _ changes: [TraitChange], bytesMax: Int, into writer: inout JSONWriter,
        _ places: inout [ChangePlace]
    ) -> Bool {
        writer.beginArray()
        for change in changes {
            if writer.count > bytesMax { return false }
            let encoding = encodings.encoding(of: change.trait, in: hierarchy.definitions)
            writer.beginObject()
            writer.key("trait")
            let trait = writer.position &+ 1
            writer.value(encoding.definition.key)
            let traitEnd = writer.position &- 1
            writer.key("previous")
            let previous = writer.position
            let isFormer =
                !encodings.former.isEmpty && !encoding.definition.accepts(change.previous)
            let before = isFormer ? encodings.former[change.trait] : nil
            (before ?? encoding).write(change.previous, into: &writer)
            let previousEnd = writer.position
            writer.key("current")
            let current = writer.position
            encoding.write(change.current, into: &writer)
            places.append(
                ChangePlace(
                    trait: trait, traitEnd: traitEnd, previous: previous, previousEnd: previousEnd,
                    current: current, currentEnd: writer.position))
            writer.key("source")
            write(change.source, into: &writer)
            writer.endObject()
        }
        writer.endArray()
        return writer.count <= bytesMax
    }

    /// `[{"color" or "image","previous","current"}…]`; empty when there are none of that kind.
    private func write(
        _ changes: [DynamicChange], _ kind: DynamicKind, with writer: inout JSONWriter
    ) -> [UInt8] {
        let changes = changes.filter { $0.kind == kind }
        if changes.isEmpty { return [] }
        writer.reset()
        writer.beginArray()
        for change in changes {
            writer.beginObject()
            writer.member(kind.member, change.name)
            writer.member("previous", raw: Array(change.previous.utf8))
            writer.member("current", raw: Array(change.current.utf8))
            writer.endObject()
        }
        writer.endArray()
        return writer.array()
    }

    func endings(of commit: Commit) -> [RetainedCommit.Ending] {
        commit.endedRegistrations.map { ended in
            RetainedCommit.Ending(
                registration: ended.registration,
                key: ended.identifier.map {
                    let info = hierarchy.registrationInfo(ended.registration)
                    return RegistrationKey(id: $0, revision: info.createdRevision)
                },
                reason: ended.reason == .nodeDeleted ? .nodeDeleted : .registrationRemoved)
        }
    }

    package func write(_ source: Source, into writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("kind", source.kind.name)
        if let node = source.node {
            writer.member("node", node, of: hierarchy)
        } else if let node = source.deletedNode {
            write(deleted: node, into: &writer)
        }
        writeRevision(source.revision, into: &writer)
        writer.endObject()
    }

    /// `"revision"` of the open object, which has set a value; `"assumed"` for a value that is assumed.
    func writeRevision(_ revision: Int64?, into writer: inout JSONWriter) {
        if let revision, revision > assumedAfter {
            writer.member("assumed", true)
        } else {
            writer.member("revision", ifPresent: revision)
        }
    }
}

extension SessionState {
    /// `"node","deleted"` of the open object, for a deleted node whose value is still shown.
    func write(deleted node: DeletedNode, into writer: inout JSONWriter) {
        writer.member("node", hierarchy.identifier(of: node))
        writer.member("deleted", true)
    }
}

extension JSONWriter {
    /// Where the next byte comes, in an array no longer than `ChangeNote.changesBytesMax`.
    fileprivate var position: UInt32 { UInt32(truncatingIfNeeded: count) }
}

extension ChangeNote {
    /// `"changes"`, and `"colors"` and `"images"` when there are some, of the open object.
    func writeChanges(into writer: inout JSONWriter) {
        forEachMember { writer.member($0, raw: $1) }
    }

    /// The members that `writeChanges` writes, with their JSON.
    func forEachMember(_ body: (StaticString, [UInt8]) -> Void) {
        body("changes", changes)
        if !colors.isEmpty { body("colors", colors) }
        if !images.isEmpty { body("images", images) }
    }
}

extension InvalidationNote {
    /// `"node","scope","invalidation","changed"` of the open object.
    func write(into writer: inout JSONWriter) {
        writer.member("node", node)
        writer.member("scope", scope)
        writer.member("invalidation", invalidation)
        writer.member("changed", raw: changed)
    }
}

extension DynamicKind {
    /// The name of the kind in bodies and paths.
    package var member: StaticString { self == .color ? "color" : "image" }
}
