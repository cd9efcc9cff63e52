// What the manager once set or made and the document does not have is deleted: first what refers to nodes and
// definitions, then values, nodes and definitions, so that nothing that goes is still referred to by
// something that goes.

import JSONCodec
import TraitEngine

extension DocumentApplier {
    mutating func prune(_ transaction: inout Transaction) throws(SessionError) {
        guard let manager = options.manager else { return }
        let session = transaction.session
        let hierarchy = transaction.hierarchy
        func name(_ place: ManagedPlace) -> String {
            place.node == 0 ? "" : hierarchy.identifier(of: NodeIndex(rawValue: place.node))
        }
        // In the order of names, so that every process does the same.
        let ordered = session.managers.places(of: manager).map { (place: $0, name: name($0)) }
            .sorted {
                $0.name != $1.name ? $0.name < $1.name : ManagedPlace.precedes($0.place, $1.place)
            }
        try pruneListeners(ordered.map(\.place), &transaction)
        for (place, _) in ordered { try pruneValue(place, &transaction) }
        for (place, name) in ordered where place.isNode && !isNamed(place.node) {
            let node = NodeIndex(rawValue: place.node)
            // Its parent may have gone with it.
            guard hierarchy.node(name) == node else { continue }
            if let other = stranger(under: node, manager, session), !options.force {
                conflict("/nodes/\(name)/\(other.node)", other.manager)
                continue
            }
            try transaction.deleteNode(node)
        }
        try pruneDefinitions(manager, &transaction)
    }

    /// Whether the document has the node.
    private func isNamed(_ node: Int32) -> Bool {
        Int(node) < places.count && places[Int(node)] >= 0
    }

    private func pruneListeners(
        _ managed: [ManagedPlace], _ transaction: inout Transaction
    ) throws(SessionError) {
        for place in managed where !named.contains(place) {
            if place.kind == .scope {
                try transaction.removeScope(NodeIndex(rawValue: place.node), place.name)
            } else if place.kind == .registration,
                let registration = transaction.hierarchy.registration(named: place.name)
            {
                transaction.unregister(registration)
            }
        }
    }

    /// Values at nodes that the document has were pruned when the others of the node were set; there only those
    /// of environment keys are left.
    private func pruneValue(
        _ place: ManagedPlace, _ transaction: inout Transaction
    ) throws(SessionError) {
        let node = NodeIndex(rawValue: place.node)
        if place.kind == .environment {
            if isNamed(place.node),
                nodes[Int(places[Int(place.node)])].environment?.has(place.name) ?? false
            {
                return
            }
            let key = try transaction.session.environmentKey(named: place.name)
            try transaction.removeEnvironment(node, key)
        } else if let layer = place.valueLayer, !isNamed(place.node) {
            transaction.remove(layer, node, TraitIndex(rawValue: place.trait))
        }
    }

    /// - Throws: `inUse` for a definition that something else refers to.
    private func pruneDefinitions(
        _ manager: String, _ transaction: inout Transaction
    ) throws(SessionError) {
        let managed = transaction.session.managers.places(at: nil).filter {
            $0.manager == manager && !(object[$0.place.kind.member]?.has($0.place.name) ?? false)
        }.map(\.place)
        for kind: ManagedPlace.Kind in [.color, .image, .environmentKey, .trait] {
            for place in managed where place.kind == kind {
                do throws(SessionError) {
                    switch kind {
                    case .color: try transaction.deleteDynamic(.color, place.name)
                    case .image: try transaction.deleteDynamic(.image, place.name)
                    case .environmentKey: try transaction.deleteEnvironmentKey(place.name)
                    default:
                        try transaction.deleteTrait(
                            try transaction.session.trait(named: place.name, ""))
                    }
                } catch {
                    throw error.prefixed("/\(kind.member)/\(place.name.pointerToken)")
                }
            }
        }
    }

    /// A node at or below `node` that the manager did not make or that the document has, and the
    /// manager that made that node.
    func stranger(
        under node: NodeIndex, _ manager: String, _ session: Session
    ) -> (node: String, manager: String?)? {
        var found: (node: String, manager: String?)?
        session.hierarchy.forEachStructuralDescendant(of: node) { node in
            let owner = session.managers.manager(of: ManagedPlace(node))
            if isNamed(node.rawValue) || owner != manager {
                found = (session.hierarchy.identifier(of: node), owner)
            }
            return found == nil
        }
        return found
    }
}

extension JSONValue {
    /// Whether it is an object with that member.
    fileprivate func has(_ name: String) -> Bool {
        var name = name
        return name.withUTF8 { member(UnsafeRawBufferPointer($0)) != nil }
    }
}
