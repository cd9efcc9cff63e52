// A session as one JSON document, in the form in which `DocumentReader` reads it back. The state
// profile has everything that the session's behaviour depends on: definitions in their order, nodes
// in tree order with the revision that set each value, what detached and pending nodes still show,
// registrations and scopes in their order. The other profiles leave out parts that a copy does not have:
// `exchange` has no revisions, and `specified` has nothing that follows from the rest.
//
//     {"format":1,"name","propagation","updates","systemTraits"?,"limits"?,
//      "traits":{key: definition…},"environmentKeys":{…},"colors":{…},"images":{…},
//      "nodes":[…],"frames":[…]?,"shown":[…]?,"registrations":[…],"scopes":[…]}
//
// The body of a PUT that creates a session is such a document without the parts that only a state has.

import JSONCodec
import TraitEngine
import TraitJSON

/// Writes a session that is read alone, a slice at a time.
///
/// Confined to one thread at a time.
package final class DocumentWriter {
    /// The parts of a session that are written.
    package enum Profile: Sendable {
        /// Everything that the session's behaviour depends on: for the log.
        case state
        /// Like `state`, but without revisions: for another session.
        case exchange
        /// Settings, definitions, nodes with what was set at them, registrations and scopes.
        case specified
    }

    private enum Stage {
        case definitions, nodes, frames, shown, registrations, scopes, end
    }

    private let owner: Session
    /// Read by `write` alone, which holds the lock.
    let session: SessionState
    let profile: Profile
    private var stage = Stage.definitions
    /// The node or the registration that was written last.
    private var lastNode: NodeIndex?
    var lastRegistration: RegistrationIndex?
    private lazy var frames = session.hierarchy.shownFrames()
    private lazy var holders = Self.holders(session.hierarchy.definitions)

    var hierarchy: Hierarchy { session.hierarchy }

    /// - Parameter session: a session that nothing changes, such as a snapshot's.
    package init(_ session: Session, _ profile: Profile = .state) {
        owner = session
        self.session = session.unlockedState
        self.profile = profile
    }

    /// Environment keys by the trait that holds their values.
    private static func holders(_ definitions: TraitDefinitions) -> [TraitIndex: EnvironmentKey] {
        var holders: [TraitIndex: EnvironmentKey] = [:]
        for key in definitions.environmentKeys {
            guard let holder = definitions.holder(ofEnvironmentKey: key.key),
                definitions.environmentKey(heldBy: holder) != nil
            else { continue }
            holders[holder] = key
        }
        return holders
    }

    /// Items that one slice writes: about a millisecond of work.
    static let itemsAtATime = 500

    /// Writes the next slice, while the session's lock is held. Returns whether there is more. Other readers of the
    /// session take turns with this one.
    package func write(into json: inout JSONWriter) -> Bool {
        owner.withState { _ in writeSlice(into: &json) }
    }

    private func writeSlice(into json: inout JSONWriter) -> Bool {
        switch stage {
        case .definitions:
            json.beginObject()
            writeHead(into: &json)
            writeDefinitions(into: &json)
            json.beginArray("nodes")
            stage = .nodes
        case .nodes:
            if writeNodes(into: &json) { return true }
            json.endArray()
            stage = profile != .specified && frames != nil ? .frames : .registrations
        case .frames:
            writeFrames(into: &json)
            json.beginArray("shown")
            lastNode = nil
            stage = .shown
        case .shown:
            if writeShown(into: &json) { return true }
            json.endArray()
            stage = .registrations
        case .registrations:
            if lastRegistration == nil {
                json.beginArray("registrations")
            }
            if writeRegistrations(into: &json) { return true }
            json.endArray()
            stage = .scopes
        case .scopes:
            writeScopes(into: &json)
            json.endObject()
            stage = .end
        case .end: break
        }
        return stage != .end
    }

    /// The whole document.
    package func writeAll(into json: inout JSONWriter) {
        while write(into: &json) {}
    }

    // MARK: - Settings and definitions

    private func writeHead(into json: inout JSONWriter) {
        json.member("format", SessionHeader.writtenFormat)
        json.member("name", session.name)
        json.member("propagation", session.configuration.propagation.rawValue)
        json.member("updates", session.configuration.updates.rawValue)
        session.configuration.writeSystemTraits(into: &json)
        if !session.configuration.limits.isEmpty {
            json.key("limits")
            session.configuration.limits.write(into: &json)
        }
    }

    private func writeDefinitions(into json: inout JSONWriter) {
        let definitions = hierarchy.definitions
        var encodings = TraitEncodings()
        for kind in DefinitionKind.allCases {
            json.beginObject(kind.list)
            // Traits by their indices, which they get again where the document is read.
            let names =
                kind == .trait
                ? definitions.custom.map { definitions[$0].key } : kind.names(in: definitions)
            for name in names {
                json.key(name)
                kind.write(name, of: definitions, with: &encodings, into: &json)
            }
            json.endObject()
        }
        writeManagers(into: &json)
    }

    // MARK: - Nodes

    private func writeNodes(into json: inout JSONWriter) -> Bool {
        visit { node in write(node, into: &json) }
    }

    /// Visits the next nodes in tree order. Returns whether there are more.
    private func visit(_ body: (NodeIndex) -> Void) -> Bool {
        hierarchy.visit(after: &lastNode, atMost: Self.itemsAtATime) { node, _ in body(node) }
    }

    private func write(_ node: NodeIndex, into json: inout JSONWriter) {
        json.beginObject()
        json.member("id", node, of: hierarchy)
        NodeWriter.writeStand(of: node, in: hierarchy, into: &json)
        let traitParent = hierarchy.traitParent(of: node)
        if traitParent != hierarchy.parent(of: node) {
            json.member("traitParent", orNull: traitParent, of: hierarchy)
        }
        json.member("label", ifPresent: hierarchy.label(of: node))
        writeValues(of: node, into: &json)
        if profile == .state, !session.annotations.managers.isEmpty {
            writeManagers(of: node, into: &json)
        }
        session.writeEnds(at: node, into: &json)
        json.endObject()
    }

    private func writeManagers(of node: NodeIndex, into json: inout JSONWriter) {
        let managed = session.annotations.managers.places(at: node)
        if managed.isEmpty { return }
        json.beginObject("managers")
        for (place, manager) in managed where place.isNode {
            json.member("node", manager)
        }
        for kind in [.overrides, .supplied] + ManagedPlace.Kind.ofNodes {
            write(kind, managed, into: &json)
        }
        json.endObject()
    }

    /// `"KIND":{name: manager…}`, if there are any.
    private func write(
        _ kind: ManagedPlace.Kind, _ managed: [(place: ManagedPlace, manager: String)],
        into json: inout JSONWriter
    ) {
        let own = managed.filter { $0.place.kind == kind }
        if own.isEmpty { return }
        json.key(kind.member)
        json.beginObject()
        for (place, manager) in own {
            json.key(place.name(in: hierarchy))
            json.value(manager)
        }
        json.endObject()
    }

    /// The managers of definitions, in a document of the state.
    private func writeManagers(into json: inout JSONWriter) {
        let managed = session.annotations.managers.places(at: nil)
        if profile != .state || managed.isEmpty { return }
        json.beginObject("managers")
        for kind in ManagedPlace.Kind.ofSessions { write(kind, managed, into: &json) }
        json.endObject()
    }

    /// The values of each layer, and the revisions that set them in the same order.
    private func writeValues(of node: NodeIndex, into json: inout JSONWriter) {
        var facts: [StoredFact] = []
        hierarchy.forEachStoredValue(of: node) { facts.append($0) }
        guard !facts.isEmpty else { return }
        for section in DocumentSection.allCases {
            let own = facts.filter { section.has($0, isHolder: holders[$0.trait] != nil) }
            if own.isEmpty || (profile == .specified && section.layer == .kept) { continue }
            json.key(section.member)
            json.beginObject()
            for fact in own { write(fact, into: &json) }
            json.endObject()
            if profile != .state { continue }
            json.key(section.revisions)
            json.beginArray()
            for fact in own { json.value(fact.revision) }
            json.endArray()
        }
    }

    /// The member of a value: the trait's key, or the environment key's.
    private func write(_ fact: StoredFact, into json: inout JSONWriter) {
        if let key = holders[fact.trait] {
            json.key(key.key)
            return TraitEncoding(key.definition).write(fact.value, into: &json)
        }
        let encoding = session.encodings.encoding(of: fact.trait, in: hierarchy.definitions)
        json.member(encoding.member)
        encoding.write(fact.value, into: &json)
    }

    // MARK: - What nodes show

    private func writeFrames(into json: inout JSONWriter) {
        json.beginArray("frames")
        for frame in frames?.frames ?? [] {
            json.beginObject()
            json.member("above", frame.above)
            if let node = frame.node { json.member("node", orNull: node, of: hierarchy) }
            json.member("deletedNode", ifPresent: frame.deletedNode)
            json.beginArray("values")
            for fact in frame.values {
                json.beginObject()
                json.key(holders[fact.trait] == nil ? "trait" : "environmentKey")
                json.value(holders[fact.trait]?.key ?? hierarchy.definitions[fact.trait].key)
                json.member("layer", fact.layer.name)
                json.key("value")
                let definition =
                    holders[fact.trait]?.definition ?? hierarchy.definitions[fact.trait]
                TraitEncoding(definition).write(fact.value, into: &json)
                if profile == .state {
                    json.member("revision", fact.revision)
                }
                json.endObject()
            }
            json.endArray()
            json.endObject()
        }
        json.endArray()
    }

    /// Nodes that show something else than their trait parent, or wait for an update.
    private func writeShown(into json: inout JSONWriter) -> Bool {
        guard let frames else { return false }
        return visit { node in
            let state = hierarchy.shownState(of: node, frames)
            let above = hierarchy.traitParent(of: node).map {
                hierarchy.shownState(of: $0, frames).frame
            }
            if state.marks.isEmpty, state.frame == above ?? 0 { return }
            json.beginObject()
            json.member("node", orNull: node, of: hierarchy)
            json.member("frame", state.frame)
            if !state.marks.isEmpty {
                json.beginArray("marks")
                for mark in DocumentMark.allCases where state.marks.contains(mark.mark) {
                    json.value(mark.rawValue)
                }
                json.endArray()
            }
            json.endObject()
        }
    }
}
