// What streams and answers need of the engine's commit, written down while its indices still mean
// this.

import JSONCodec
import TraitEngine

extension Session {
    /// In delivery order: from the top of the trait tree down; at equal depth registrations in
    /// the order in which they were made, then tracked scopes.
    func notes(of commit: Commit) -> [RetainedCommit.Note] {
        let changes = changeNotes(of: commit)
        if commit.invalidations.isEmpty { return changes.map { .change($0.note) } }
        var notes: [RetainedCommit.Note] = []
        notes.reserveCapacity(changes.count + commit.invalidations.count)
        var rest = changes[...]
        var known: (node: NodeIndex, depth: Int)?
        for invalidation in commit.invalidations {
            let depth = hierarchy.depth(of: invalidation.node)
            while let next = rest.first {
                if known?.node != next.node { known = (next.node, hierarchy.depth(of: next.node)) }
                if let known, known.depth > depth { break }
                notes.append(.change(next.note))
                rest.removeFirst()
            }
            notes.append(.invalidation(note(invalidation)))
        }
        return notes + rest.map { .change($0.note) }
    }

    private func changeNotes(of commit: Commit) -> [(node: NodeIndex, note: ChangeNote)] {
        guard !commit.notifications.isEmpty else { return [] }
        var notes: [(node: NodeIndex, note: ChangeNote)] = []
        notes.reserveCapacity(commit.notifications.count)
        var writer = JSONWriter()
        var last: (frame: Int32, selection: UInt64, json: [UInt8])?
        for notification in commit.notifications {
            let info = hierarchy.registrationInfo(notification.registration)
            let json: [UInt8]
            if let last, last.frame == notification.frame,
                last.selection == notification.selection
            {
                json = last.json
            } else {
                writer.reset()
                write(commit.changes(of: notification), into: &writer)
                json = writer.array()
                last = (notification.frame, notification.selection, json)
            }
            var note = ChangeNote(
                registration: notification.registration, id: info.identifier,
                node: hierarchy.identifier(of: notification.node), changes: json)
            let dynamics = commit.dynamicChanges(of: notification)
            if !dynamics.isEmpty {
                note.colors = write(dynamics, .color, with: &writer)
                note.images = write(dynamics, .image, with: &writer)
            }
            notes.append((notification.node, note))
        }
        return notes
    }

    private func note(_ invalidation: Invalidation) -> InvalidationNote {
        var writer = JSONWriter()
        writer.beginArray()
        let definitions = hierarchy.definitions
        for trait in definitions.inCatalogueOrder(invalidation.changed) {
            writer.value(definitions[trait].key)
        }
        writer.endArray()
        return InvalidationNote(
            node: hierarchy.identifier(of: invalidation.node), scope: invalidation.scope,
            invalidation: invalidation.invalidation, changed: writer.array())
    }

    private func write(_ changes: [TraitChange], into writer: inout JSONWriter) {
        writer.beginArray()
        for change in changes {
            let encoding = encodings.encoding(of: change.trait, in: hierarchy.definitions)
            writer.beginObject()
            writer.key("trait")
            writer.value(encoding.definition.key)
            writer.key("previous")
            encoding.write(change.previous, into: &writer)
            writer.key("current")
            encoding.write(change.current, into: &writer)
            writer.key("source")
            write(change.source, into: &writer)
            writer.endObject()
        }
        writer.endArray()
    }

    /// `[{"color" or "image","previous","current"}…]`; nothing when there are none of that kind.
    private func write(
        _ changes: [DynamicChange], _ kind: DynamicKind, with writer: inout JSONWriter
    ) -> [UInt8] {
        let changes = changes.filter { $0.kind == kind }
        if changes.isEmpty { return [] }
        writer.reset()
        writer.beginArray()
        for change in changes {
            writer.beginObject()
            writer.key(kind.member)
            writer.value(change.name)
            writer.key("previous")
            writer.raw(Array(change.previous.utf8))
            writer.key("current")
            writer.raw(Array(change.current.utf8))
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
        writer.key("kind")
        writer.value(source.kind.name)
        if let node = source.node {
            writer.key("node")
            hierarchy.withIdentifier(of: node) { writer.value(bytes: $0) }
        } else if let node = source.deletedNode {
            write(deleted: node, into: &writer)
        }
        if let revision = source.revision {
            writer.key("revision")
            writer.value(revision)
        }
        writer.endObject()
    }
}

extension Session {
    /// `"node","deleted"` of the open object: a node that is gone while its value is shown.
    func write(deleted node: DeletedNode, into writer: inout JSONWriter) {
        writer.key("node")
        writer.value(hierarchy.identifier(of: node))
        writer.key("deleted")
        writer.value(true)
    }
}

extension ChangeNote {
    /// `"changes"`, and `"colors"` and `"images"` when there are some, of the open object.
    func writeChanges(into writer: inout JSONWriter) {
        writer.key("changes")
        writer.raw(changes)
        if !colors.isEmpty {
            writer.key("colors")
            writer.raw(colors)
        }
        if !images.isEmpty {
            writer.key("images")
            writer.raw(images)
        }
    }
}

extension InvalidationNote {
    /// `"node","scope","invalidation","changed"` of the open object.
    func write(into writer: inout JSONWriter) {
        writer.key("node")
        writer.value(node)
        writer.key("scope")
        writer.value(scope)
        writer.key("invalidation")
        writer.value(invalidation)
        writer.key("changed")
        writer.raw(changed)
    }
}

extension DynamicKind {
    /// What one is called in bodies and paths.
    package var member: StaticString { self == .color ? "color" : "image" }
}
