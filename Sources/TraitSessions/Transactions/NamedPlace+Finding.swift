// Managed places of log entries, found in a session.

import JSONCodec
import TraitEngine
import TraitJSON

extension NamedPlace {
    package init(_ place: ManagedPlace, in session: SessionState) {
        kind = place.kind
        node = place.nodeName(in: session.hierarchy)
        name = place.isNode ? nil : place.name(in: session.hierarchy)
    }

    /// - Throws: `unknownNode`, `unknownTrait`.
    package func place(in session: SessionState) throws(SessionError) -> ManagedPlace {
        guard let node else { return ManagedPlace(kind, name ?? "") }
        guard let index = session.hierarchy.node(node) else {
            throw SessionError(.unknownNode, "There is no node '\(node)'.", pointer: "/node")
        }
        switch kind {
        case .node: return ManagedPlace(index)
        case .overrides, .supplied:
            let trait = try session.trait(named: name ?? "", "/name")
            return ManagedPlace(index, kind == .overrides ? .overrides : .supplied, trait)
        default: return ManagedPlace(index, kind, name ?? "")
        }
    }
}

extension SessionState {
    package func manager(of place: NamedPlace) -> String? {
        (try? place.place(in: self)).flatMap { annotations.managers.manager(of: $0) }
    }

    /// Whether there is a value, a node or a definition at the place. O(1).
    package func has(_ named: NamedPlace) -> Bool {
        guard let place = try? named.place(in: self) else { return false }
        let definitions = hierarchy.definitions
        switch place.kind {
        case .overrides, .supplied:
            guard let node = place.node, let layer = place.valueLayer else { return false }
            return hierarchy.value(layer, node, place.trait) != nil
        case .environment:
            guard let node = place.node else { return false }
            return (try? hierarchy.ownEnvironment(place.name, of: node)) != nil
        case .node: return true
        case .trait: return definitions.index(of: place.name) != nil
        case .environmentKey: return definitions.environmentKey(named: place.name) != nil
        case .color: return definitions.dynamic(.color, named: place.name) != nil
        case .image: return definitions.dynamic(.image, named: place.name) != nil
        case .registration, .scope: return false
        }
    }
}

extension Transaction {
    /// Gives a place a manager, and writes this down for the log entry.
    ///
    /// - Throws: `unknownNode`, `unknownTrait`.
    package mutating func setManager(_ change: NamedManager) throws(SessionError) {
        session.annotations.setManager(
            try change.place.place(in: session), change.manager, in: hierarchy)
        givenBack.append(change)
    }
}
