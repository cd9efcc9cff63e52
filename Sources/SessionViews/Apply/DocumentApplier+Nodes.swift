// The nodes of a document: found, deleted when they go, created, and given their parents and controllers.

import JSONCodec
import TraitEngine
import TraitJSON
import TraitSessions

extension DocumentApplier {
    // MARK: - Finding

    /// Finds the nodes that the session has. A node of another kind that the manager made goes when the document
    /// prunes, and is created again.
    mutating func find(_ transaction: Transaction) throws(SessionError) {
        let hierarchy = transaction.hierarchy
        for position in nodes.indices {
            let node = nodes[position]
            guard let known = hierarchy.node(node.id) else { continue }
            let kind = hierarchy.kind(of: known)
            if let asked = node.kind, asked != kind {
                guard prunes(ManagedPlace(known), transaction) else {
                    throw SessionError(
                        .kindImmutable,
                        "The node is \(kind.named) and stays one. Delete it first.",
                        pointer: "/nodes/\(position)/kind")
                }
                continue
            }
            try note(known, at: position)
        }
    }

    /// Whether this apply may delete what is at the place: the manager has it, and the document prunes.
    func prunes(_ place: ManagedPlace, _ transaction: Transaction) -> Bool {
        options.prune && options.manager != nil
            && transaction.session.annotations.managers.manager(of: place) == options.manager
    }

    private mutating func note(_ index: NodeIndex, at position: Int) throws(SessionError) {
        nodes[position].index = index
        guard places[index] < 0 else { throw doubled(position) }
        places[index] = Int32(position)
    }

    private func doubled(_ position: Int) -> SessionError {
        SessionError(
            .malformedBody,
            "The document has '\(String(decoding: nodes[position].id, as: UTF8.self))' twice.",
            pointer: "/nodes/\(position)/id")
    }

    /// Whether the document has the node.
    func isNamed(_ node: NodeIndex) -> Bool { places[node] >= 0 }

    // MARK: - Deleting

    /// Deletes the nodes that go. Nodes of the document leave them first.
    mutating func deleteNodes(_ transaction: inout Transaction) throws(SessionError) {
        guard let manager = options.manager, !going.topNodes.isEmpty else { return }
        for position in nodes.indices where going.nodes.contains(nodes[position].index) {
            try leave(position, &transaction)
        }
        let hierarchy = transaction.hierarchy
        for (node, name) in going.topNodes {
            // Its parent may have gone with it.
            guard hierarchy.node(name) == node else { continue }
            if let other = stranger(under: node, manager, transaction.session) {
                conflict("/nodes/\(name)/\(other.node)", other.manager)
                continue
            }
            try delete(node, &transaction)
        }
    }

    /// Moves a node out of nodes that go, to its place when that is possible already.
    private func leave(
        _ position: Int, _ transaction: inout Transaction
    ) throws(SessionError) {
        let node = nodes[position]
        let hierarchy = transaction.hierarchy
        func present(_ json: JSONValue?) -> NodeIndex? {
            json?.string.flatMap { hierarchy.node($0.bytes) }
        }
        let parent = present(node.body.parent)
        if let parent, parent == hierarchy.parent(of: node.index), !goes(parent) { return }
        let controller = present(node.body.controller)
        let stays = [parent, controller].allSatisfy { $0.map { !going.nodes.contains($0) } ?? true }
        if stays {
            do throws(SessionError) {
                return try update(
                    node, position, parent.map(Change.set) ?? .clear,
                    controller.map(Change.set) ?? .clear, &transaction)
            } catch {
                guard error.mayPassLater else { throw error }
            }
        }
        try update(node, position, .clear, .clear, &transaction)
    }

    private func delete(
        _ node: NodeIndex, _ transaction: inout Transaction
    ) throws(SessionError) {
        do throws(SessionError) {
            return try transaction.deleteNode(node)
        } catch {
            guard error.mayPassLater else { throw error }
        }
        // Nodes that lose their controller or view would inherit from themselves where they stand.
        let hierarchy = transaction.hierarchy
        var peers: [Int] = []
        hierarchy.forEachStructuralDescendant(of: node) { node in
            let peer = hierarchy.controller(of: node) ?? hierarchy.rootView(of: node)
            if let peer, isNamed(peer) { peers.append(Int(places[peer])) }
            return true
        }
        for position in peers.sorted() {
            try update(nodes[position], position, .clear, .clear, &transaction)
        }
        try transaction.deleteNode(node)
    }

    /// A node at or below `node` that must not go with it, and the manager that made that node: one that the
    /// document has, or one that the manager did not make unless the apply takes over what others made.
    private func stranger(
        under node: NodeIndex, _ manager: String, _ session: SessionState
    ) -> (node: String, manager: String?)? {
        var found: (node: String, manager: String?)?
        session.hierarchy.forEachStructuralDescendant(of: node) { node in
            let owner = session.annotations.managers.manager(of: ManagedPlace(node))
            if isNamed(node) || owner != manager && !options.force {
                found = (session.hierarchy.identifier(of: node), owner)
            }
            return found == nil
        }
        return found
    }

    // MARK: - Creating

    /// Creates the nodes that are not there, below their parents and controllers where these exist already.
    mutating func make(_ transaction: inout Transaction) throws(SessionError) {
        for position in nodes.indices where !nodes[position].isThere {
            if transaction.hierarchy.node(nodes[position].id) != nil, conflictCount == 0 {
                throw doubled(position)
            }
            do throws(SessionError) {
                try note(try create(nodes[position], &transaction), at: position)
                try transaction.spend()
            } catch {
                // A node that could not go may still have the name.
                if conflictCount > 0 { throw managed() }
                throw error.prefixed("/nodes/\(position)")
            }
        }
    }

    private func create(
        _ node: Node, _ transaction: inout Transaction
    ) throws(SessionError) -> NodeIndex {
        guard let kind = node.kind else {
            throw .missing("kind")
        }
        let hierarchy = transaction.hierarchy
        var description = NodeDescription(kind: kind, label: node.label)
        description.parent = node.body.parent?.string.flatMap { hierarchy.node($0.bytes) }
        description.controller = node.body.controller?.string.flatMap { hierarchy.node($0.bytes) }
        do throws(SessionError) {
            try transaction.createNode(node.id, description)
        } catch {
            guard error.mayPassLater else { throw error }
            // Another node has to move first.
            description.parent = nil
            description.controller = nil
            try transaction.createNode(node.id, description)
        }
        guard let index = hierarchy.node(node.id) else {
            throw SessionError(.internalError, "A node that was made is not there.")
        }
        return index
    }

    // MARK: - Linking

    /// A node whose parent or controller changes.
    private struct Link {
        let position: Int
        let parent: NodeIndex?
        let controller: NodeIndex?
    }

    /// Parents, controllers and labels. Nodes that block each other are all detached first: then each node can
    /// take its place as soon as its parent and controller have theirs.
    func link(_ transaction: inout Transaction) throws(SessionError) {
        let hierarchy = transaction.hierarchy
        var waiting: [Link] = []
        for (position, node) in nodes.enumerated() {
            let link = try link(to: position, transaction)
            let isSame =
                hierarchy.parent(of: node.index) == link.parent
                && hierarchy.controller(of: node.index) == link.controller
            if !isSame {
                waiting.append(link)
            } else if hierarchy.label(of: node.index) != node.label {
                try update(node, position, .keep, .keep, &transaction)
            }
        }
        var hasDetached = false
        while !waiting.isEmpty {
            // Until its view is linked, a controller would stand below its own parent and could block other links.
            let viewless = hasDetached ? Set(waiting.compactMap(\.controller)) : []
            var left: [Link] = []
            var refusal: SessionError?
            for link in waiting {
                let node = nodes[link.position]
                if viewless.contains(node.index) {
                    left.append(link)
                    continue
                }
                do throws(SessionError) {
                    try update(
                        node, link.position, link.parent.map(Change.set) ?? .clear,
                        link.controller.map(Change.set) ?? .clear, &transaction)
                } catch {
                    guard error.mayPassLater else { throw error }
                    refusal = error
                    left.append(link)
                }
                // A refused move has measured, too.
                do throws(SessionError) {
                    try transaction.spend()
                } catch {
                    throw error.prefixed("/nodes/\(link.position)")
                }
            }
            if left.count == waiting.count, let refusal {
                if hasDetached { throw conflictCount > 0 ? managed() : refusal }
                hasDetached = true
                left = try detach(left, &transaction)
            }
            waiting = left
        }
    }

    private func link(
        to position: Int, _ transaction: Transaction
    ) throws(SessionError) -> Link {
        let body = nodes[position].body
        return try within(
            "/nodes/\(position)",
            Link(
                position: position,
                parent: try NodeBody.reference(body.parent, "/parent", transaction.session),
                controller: try NodeBody.reference(
                    body.controller, "/controller", transaction.session)))
    }

    /// Detaches nodes, and the controllers that they had or get. Returns all that wait then.
    private func detach(
        _ links: [Link], _ transaction: inout Transaction
    ) throws(SessionError) -> [Link] {
        let hierarchy = transaction.hierarchy
        var all = links
        var positions = Set(links.map(\.position))
        for link in links {
            let node = nodes[link.position].index
            for controller in [link.controller, hierarchy.controller(of: node)] {
                guard let controller, isNamed(controller) else { continue }
                let position = Int(places[controller])
                if positions.insert(position).inserted {
                    all.append(try self.link(to: position, transaction))
                }
            }
        }
        all.sort { $0.position < $1.position }
        for link in all {
            let node = nodes[link.position]
            if hierarchy.parent(of: node.index) == nil,
                hierarchy.controller(of: node.index) == nil
            {
                continue
            }
            try update(node, link.position, .clear, .clear, &transaction)
        }
        return all
    }

    private func update(
        _ node: Node, _ position: Int, _ parent: Change<NodeIndex>,
        _ controller: Change<NodeIndex>, _ transaction: inout Transaction
    ) throws(SessionError) {
        let isView = transaction.hierarchy.kind(of: node.index) == .view
        var controller = controller
        if !isView, controller == .clear { controller = .keep }
        try within(
            "/nodes/\(position)",
            try transaction.updateNode(
                node.index, parent: parent, controller: controller,
                label: transaction.hierarchy.label(of: node.index) == node.label
                    ? .keep : node.label.map(Change.set) ?? .clear))
    }

    /// Orders siblings as the document does, with the fewest moves.
    func order(_ transaction: inout Transaction) throws(SessionError) {
        try transaction.order { isNamed($0) ? places[$0] : nil }
    }
}
