// The nodes of a document. Parents come before children; trait parents and controllers may stand anywhere, and
// follow when all nodes are there.

import JSONCodec
import TraitEngine

extension DocumentReader {
    static let nodeMembers: [StaticString] =
        ["id", "kind", "parent", "controller", "traitParent", "label"]
        + DocumentSection.allCases.map(\.member)
    private static let stateNodeMembers: [StaticString] =
        nodeMembers + ["managers"] + DocumentSection.allCases.map(\.revisions)

    /// Managers and revisions belong to a session: only the document of a state has them.
    var nodeMembers: [StaticString] {
        keepsRevisions ? Self.stateNodeMembers : Self.nodeMembers
    }

    mutating func addNode(_ node: ObjectReader) throws(SessionError) {
        guard let id = try node.required("id").string else {
            throw node.wrongType("id", "a string", try node.required("id"))
        }
        let name = try node.requiredString("kind")
        guard let kind = NodeKind(name: name) else {
            throw SessionError(.kindMismatch, "'\(name)' is no kind of node.", pointer: "/kind")
        }
        let link = try link(node, kind)
        let label = try node.string("label")
        let added = try Self.refusing { () throws(OperationError) in
            try restorer.addNode(id.bytes, kind: kind, label: label, traitParent: link.likely)
        }
        for section in DocumentSection.allCases { try readValues(section, node, added) }
        if var link = link.link {
            link.node = added.rawValue
            links.append(link)
        }
        if keepsRevisions, let json = node["managers"] { try readManagers(json, added) }
        if configuration.updates == .layout,
            DocumentSection.allCases.contains(where: { node[$0.member]?.count ?? 0 > 0 })
        {
            valued.append(added)
        }
    }

    /// The node that a member names; null and absent are no node.
    func reference(
        _ member: StaticString, of node: ObjectReader
    ) throws(SessionError) -> NodeIndex? {
        guard let json = node[member], !json.isNull else { return nil }
        guard let text = json.string else { throw node.wrongType(member, "a string or null", json) }
        if let found = restorer.node(text.bytes) { return found }
        throw SessionError(
            .unknownParent,
            "The document has no node '\(text.prefix(bytesMax: 140))' before this one.",
            pointer: "/\(member)")
    }

    /// Where a node goes at first, and what is looked at again when all nodes are there; nil for a node that
    /// has its final place at once.
    private mutating func link(
        _ node: ObjectReader, _ kind: NodeKind
    ) throws(SessionError) -> (likely: NodeIndex?, link: DocumentLink?) {
        let controller = try target("controller", of: node)
        var link = DocumentLink(position: Int32(clamping: position), controller: controller)
        if node.has("traitParent") {
            let traitParent = try target("traitParent", of: node)
            link.traitParent = traitParent
            link.parent = try target("parent", of: node)
            return (DocumentLink.known(traitParent), link)
        }
        let parent = try reference("parent", of: node)
        if controller == 0, kind != .viewController { return (parent, nil) }
        link.parent = parent?.rawValue ?? 0
        let likely = restorer.likelyParent(
            kind, parent: parent, controller: DocumentLink.known(controller))
        return (likely, link)
    }

    /// The number of the node that a member names: 0 for none, below 0 for the name of one that is not
    /// there yet.
    private mutating func target(
        _ member: StaticString, of node: ObjectReader
    ) throws(SessionError) -> Int32 {
        guard let json = node[member], !json.isNull else { return 0 }
        guard let text = json.string else { throw node.wrongType(member, "a string or null", json) }
        if let found = restorer.node(text.bytes) { return found.rawValue }
        names.append(text.string)
        return -Int32(clamping: names.count)
    }

    mutating func linkNodes() throws(SessionError) {
        let links = links
        self.links = []
        for link in links {
            try within("/nodes/\(link.position)", try setStructure(link))
        }
        for link in links {
            try within("/nodes/\(link.position)", try checkTraitParent(link))
        }
        names = []
        try Self.refusing { () throws(OperationError) in
            try restorer.place(links.map { NodeIndex(rawValue: $0.node) })
        }
    }

    private func setStructure(_ link: DocumentLink) throws(SessionError) {
        let node = NodeIndex(rawValue: link.node)
        let parent = try found(link.parent, "parent")
        try Self.refusing { () throws(OperationError) in
            try restorer.setStructuralParent(node, parent)
        }
        guard let controller = try found(link.controller, "controller") else { return }
        try Self.refusing { () throws(OperationError) in
            try restorer.setController(node, controller)
        }
    }

    /// A trait parent that a document names has to be the one that follows from the rest.
    private func checkTraitParent(_ link: DocumentLink) throws(SessionError) {
        guard let target = link.traitParent else { return }
        let named = try found(target, "traitParent")
        try Self.refusing { () throws(OperationError) in
            let node = NodeIndex(rawValue: link.node)
            if try restorer.impliedParent(of: node) != named { throw restorer.parentRefusal(node) }
        }
    }

    private func found(
        _ target: Int32, _ member: StaticString
    ) throws(SessionError) -> NodeIndex? {
        if target == 0 { return nil }
        if target > 0 { return NodeIndex(rawValue: target) }
        let name = names[Int(-target) - 1]
        if let node = restorer.node(name) { return node }
        throw SessionError(
            .unknownParent, "The document has no node '\(name.prefix(140))'.",
            pointer: "/\(member)")
    }

    private mutating func readValues(
        _ section: DocumentSection, _ node: ObjectReader, _ index: NodeIndex
    ) throws(SessionError) {
        guard let values = node[section.member] else { return }
        guard values.kind == .object else {
            throw node.wrongType(section.member, "an object of name and value", values)
        }
        var revisions = node[section.revisions]?.elements
        for (name, json) in values.members {
            do throws(SessionError) {
                let (trait, definition) = try holder(
                    name.string, isEnvironment: section.isEnvironment)
                let fact = StoredFact(
                    trait: trait, layer: section.layer,
                    value: try ValueReader.read(json, for: definition),
                    revision: revision(revisions?.next()?.int64 ?? 1))
                try Self.refusing { () throws(OperationError) in
                    try restorer.setValue(index, fact)
                }
            } catch {
                throw error.prefixed("/\(section.member)/" + name.string.pointerToken)
            }
        }
    }
}

/// The nodes that a node names: 0 for none, below 0 for one that is not there yet.
struct DocumentLink {
    var node: Int32 = 0
    let position: Int32
    var parent: Int32 = 0
    let controller: Int32
    /// Nil where the document does not say it.
    var traitParent: Int32?

    init(position: Int32, controller: Int32) {
        self.position = position
        self.controller = controller
    }

    static func known(_ target: Int32) -> NodeIndex? {
        target > 0 ? NodeIndex(rawValue: target) : nil
    }
}
