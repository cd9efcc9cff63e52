// Creating, changing and deleting nodes.

import JSONCodec
import TraitEngine
import TraitJSON

/// A node as a body describes it, its references resolved.
package struct NodeDescription {
    var kind: NodeKind
    package var parent: NodeIndex?
    package var controller: NodeIndex?
    var label: String?
    var overrides: [(TraitIndex, TraitValue)]?
    var supplied: [(TraitIndex, TraitValue)]?

    package init(
        kind: NodeKind, parent: NodeIndex? = nil, controller: NodeIndex? = nil,
        label: String? = nil, overrides: [(TraitIndex, TraitValue)]? = nil,
        supplied: [(TraitIndex, TraitValue)]? = nil
    ) {
        self.kind = kind
        self.parent = parent
        self.controller = controller
        self.label = label
        self.overrides = overrides
        self.supplied = supplied
    }
}

extension Transaction {
    /// - Parameter identifier: bytes that last until this returns.
    package mutating func createNode(
        _ identifier: UnsafeRawBufferPointer, _ node: NodeDescription
    ) throws(SessionError) {
        let hierarchy = hierarchy
        try checkJoining(node.parent)
        let index = try refusing { () throws(OperationError) in
            try hierarchy.createNode(
                identifier, kind: node.kind, parent: node.parent, controller: node.controller,
                label: node.label)
        }
        if let manager {
            session.annotations.setManager(ManagedPlace(index), manager, in: hierarchy)
        }
        try fill(index, .overrides, node.overrides)
        try fill(index, .supplied, node.supplied)
        record(.createNode)
        text.json.member("node", bytes: identifier)
        text.json.member("kind", node.kind.literal)
        text.json.member("parent", orNull: node.parent, of: hierarchy)
        if let controller = node.controller { write("controller", node: controller) }
        text.json.member("label", ifPresent: node.label)
        try writeValues("overrides", node.overrides)
        try writeValues("supplied", node.supplied)
        text.json.endObject()
    }

    /// Sets the values that a new node comes with.
    private func fill(
        _ node: NodeIndex, _ layer: ValueLayer, _ values: [(TraitIndex, TraitValue)]?
    ) throws(SessionError) {
        guard let values else { return }
        let hierarchy = hierarchy
        for (trait, value) in values {
            do throws(OperationError) {
                try hierarchy.set(layer, node, trait, value)
            } catch {
                throw SessionError(error).at("/\(layer.member)/\(hierarchy.definitions[trait].key)")
            }
            if let manager {
                session.annotations.setManager(
                    ManagedPlace(node, layer, trait), manager, in: hierarchy)
            }
        }
    }

    private mutating func writeValues(
        _ member: StaticString, _ values: [(TraitIndex, TraitValue)]?
    ) throws(SessionError) {
        guard let values, !values.isEmpty else { return }
        text.json.key(member)
        text.json.beginObject()
        for (trait, value) in values {
            text.json.key(hierarchy.definitions[trait].key)
            write(value, of: trait)
            try takeText()
        }
        text.json.endObject()
    }

    package mutating func updateNode(
        _ node: NodeIndex, parent: Change<NodeIndex>, controller: Change<NodeIndex>,
        label: Change<String>
    ) throws(SessionError) {
        let hierarchy = hierarchy
        try checkMoving(node)
        if case .set(let parent) = parent { try checkJoining(parent) }
        try refusing { () throws(OperationError) in
            try hierarchy.updateNode(node, parent: parent, controller: controller, label: label)
        }
        record(.updateNode)
        write("node", node: node)
        write("parent", parent)
        write("controller", controller)
        switch label {
        case .keep: break
        case .clear: text.json.member("label", orNull: nil as String?)
        case .set(let value): text.json.member("label", value)
        }
        text.json.endObject()
    }

    private mutating func write(_ name: StaticString, _ change: Change<NodeIndex>) {
        switch change {
        case .keep: break
        case .clear: text.json.member(name, orNull: nil as String?)
        case .set(let node): write(name, node: node)
        }
    }

    /// Moves a node below a parent, then to its place among the siblings there.
    mutating func move(_ node: NodeIndex, _ move: NodeMove) throws(SessionError) {
        let parent = try NodeBody.change(move.parent, "/parent", session)
        if parent != .keep {
            try updateNode(node, parent: parent, controller: .keep, label: .keep)
        }
        try place(node, move)
    }

    /// Moves a node before or behind a sibling, if the move names one.
    mutating func place(_ node: NodeIndex, _ move: NodeMove) throws(SessionError) {
        if let json = move.before {
            let sibling = try session.node(json, "/before")
            try ordering("/before") { (hierarchy) throws(OperationError) in
                try hierarchy.orderNode(node, before: sibling)
            }
        } else if let json = move.after {
            let sibling = try session.node(json, "/after")
            try ordering("/after") { (hierarchy) throws(OperationError) in
                try hierarchy.orderNode(node, behind: sibling)
            }
        } else {
            return
        }
        recordPlace(of: node)
    }

    private func ordering(
        _ pointer: String, _ body: (Hierarchy) throws(OperationError) -> Void
    ) throws(SessionError) {
        do throws(OperationError) {
            try body(hierarchy)
        } catch {
            throw SessionError(error).at(pointer)
        }
    }

    /// Records the place of a node among its siblings.
    mutating func recordPlace(of node: NodeIndex) {
        record(.moveNode)
        write("node", node: node)
        if let sibling = hierarchy.siblingBefore(node) {
            write("after", node: sibling)
        } else if let sibling = hierarchy.siblingBehind(node) {
            write("before", node: sibling)
        }
        text.json.endObject()
    }

    package mutating func deleteNode(_ node: NodeIndex) throws(SessionError) {
        try checkDeleting(node)
        let hierarchy = hierarchy
        let isNoted = !session.annotations.isEmpty
        let hasScopes = hierarchy.scopeCount > 0
        var counts = EndedCounts()
        hierarchy.forEachStructuralDescendant(of: node) {
            if isNoted { session.annotations.forget($0, in: hierarchy) }
            counts.nodes += 1
            counts.overrides += hierarchy.overrides(of: $0).count
            if hasScopes { counts.scopes += hierarchy.scopes(of: $0).count }
            return true
        }
        record(.deleteNode)
        write("node", node: node)
        text.json.endObject()
        do throws(OperationError) {
            try hierarchy.deleteNode(node)
            ended += counts
        } catch {
            guard case .cycle(let survivor, let parent) = error else { throw SessionError(error) }
            throw SessionError(
                .cycle,
                "What stays would inherit from itself: '\(survivor)' would lose its controller or view, and then inherit from '\(parent)', which is at or below it. Move '\(survivor)' or '\(parent)' first."
            )
        }
    }
}

// MARK: - Replacing and patching

extension Transaction {
    /// Replaces what a body gives; the kind has to stay.
    mutating func replace(_ node: NodeIndex, with body: NodeBody) throws(SessionError) {
        let present = hierarchy.kind(of: node)
        if let kind = try body.kind(), kind != present {
            throw SessionError(
                .kindImmutable,
                "The node is \(present.named) and stays one. Delete it and create it again.",
                pointer: "/kind")
        }
        let parent = try NodeBody.reference(body.parent, "/parent", session)
        let controller = try NodeBody.reference(body.controller, "/controller", session)
        let label = try body.label()
        let overrides = try readValues(body.overrides, .overrides)
        let supplied = try readValues(body.supplied, .supplied)
        try updateNode(
            node, parent: parent.map(Change.set) ?? .clear,
            controller: controller.map(Change.set) ?? .clear,
            label: label.map(Change.set) ?? .clear)
        if let overrides { try replace(.overrides, node, with: overrides) }
        if let supplied { try replace(.supplied, node, with: supplied) }
    }

    /// Each of `parent`, `controller` and `label` is kept when absent and cleared by null.
    mutating func update(_ node: NodeIndex, _ patch: NodePatch) throws(SessionError) {
        if patch.id == nil || patch.changesMore {
            try updateNode(
                node, parent: try NodeBody.change(patch.parent, "/parent", session),
                controller: try NodeBody.change(patch.controller, "/controller", session),
                label: try patch.labelChange())
        }
        if let id = patch.id {
            guard let text = id.string else { throw .wrongType("id", "a string", id) }
            try rename(node, to: Reference(text.bytes, at: "/id"))
        }
    }
}

extension NodePatch {
    /// Whether the patch has more members than the name.
    fileprivate var changesMore: Bool { parent != nil || controller != nil || label != nil }

    fileprivate func labelChange() throws(SessionError) -> Change<String> {
        guard let label else { return .keep }
        if label.isNull { return .clear }
        guard let text = label.string else {
            throw .wrongType("label", "a string or null", label)
        }
        return .set(text.string)
    }
}
