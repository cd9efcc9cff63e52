// The nodes of a document. Parents come before children; trait parents and controllers may stand anywhere, and
// follow when all nodes are there.

import JSONCodec
import TraitEngine
import TraitJSON

extension DocumentReader {
    mutating func addNode(_ json: JSONValue) throws(SessionError) {
        let body = try NodeBody(json, keepsRevisions ? .state : .document)
        let id = try body.requiredIdentifier()
        let kind = try body.requiredKind()
        let label = try body.label()
        let link = try link(body, kind, traitParent: json.member("traitParent"))
        let added = try refusing { () throws(OperationError) in
            try restorer.addNode(id, kind: kind, label: label, traitParent: link.likely)
        }
        for section in DocumentSection.allCases { try readValues(section, json, added) }
        if var link = link.link {
            link.node = added.rawValue
            links.append(link)
        }
        if keepsRevisions, let managers = json.member("managers") {
            try readManagers(managers, added)
        }
        if let ends = json.member("expiresAt") { try readEnds(ends, of: json, added) }
        if let covered = json.member("under") { try readCovered(covered, of: json, added) }
        if configuration.updates == .layout,
            DocumentSection.allCases.contains(where: { json.member($0.member)?.count ?? 0 > 0 })
        {
            valued.append(added)
        }
    }

    /// The node that a member names; null and absent are no node.
    func reference(_ json: JSONValue?, _ member: StaticString) throws(SessionError) -> NodeIndex? {
        guard let json, !json.isNull else { return nil }
        guard let text = json.string else {
            throw .wrongType(member, "a string or null", json)
        }
        if let found = restorer.node(text.bytes) { return found }
        throw SessionError(
            .unknownParent,
            "The document has no node '\(text.prefix(bytesMax: 140))' before this one.",
            pointer: "/\(member)")
    }

    /// Where a node goes at first, and what is looked at again when all nodes are there; nil for a node that
    /// has its final place at once.
    private mutating func link(
        _ node: NodeBody, _ kind: NodeKind, traitParent: JSONValue?
    ) throws(SessionError) -> (likely: NodeIndex?, link: DocumentLink?) {
        let controller = try target(node.controller, "controller")
        var link = DocumentLink(position: Int32(clamping: position), controller: controller)
        if let traitParent {
            let traitParent = try target(traitParent, "traitParent")
            link.traitParent = traitParent
            link.parent = try target(node.parent, "parent")
            return (DocumentLink.known(traitParent), link)
        }
        let parent = try reference(node.parent, "parent")
        if controller == 0, kind != .viewController { return (parent, nil) }
        link.parent = parent?.rawValue ?? 0
        let likely = restorer.likelyParent(
            kind, parent: parent, controller: DocumentLink.known(controller))
        return (likely, link)
    }

    /// The number of the node that a member names: 0 for none, below 0 for the name of one that is not
    /// there yet.
    private mutating func target(
        _ json: JSONValue?, _ member: StaticString
    ) throws(SessionError) -> Int32 {
        guard let json, !json.isNull else { return 0 }
        guard let text = json.string else {
            throw .wrongType(member, "a string or null", json)
        }
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
        try refusing { () throws(OperationError) in
            try restorer.place(links.map { NodeIndex(rawValue: $0.node) })
        }
    }

    private func setStructure(_ link: DocumentLink) throws(SessionError) {
        let node = NodeIndex(rawValue: link.node)
        let parent = try found(link.parent, "parent")
        try refusing { () throws(OperationError) in
            try restorer.setStructuralParent(node, parent)
        }
        guard let controller = try found(link.controller, "controller") else { return }
        try refusing { () throws(OperationError) in
            try restorer.setController(node, controller)
        }
    }

    /// A trait parent that a document names has to be the one that follows from the rest.
    private func checkTraitParent(_ link: DocumentLink) throws(SessionError) {
        guard let target = link.traitParent else { return }
        let named = try found(target, "traitParent")
        try refusing { () throws(OperationError) in
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
        _ section: DocumentSection, _ node: JSONValue, _ index: NodeIndex
    ) throws(SessionError) {
        guard let values = node.member(section.member) else { return }
        guard values.kind == .object else {
            throw .wrongType(section.member, "an object of name and value", values)
        }
        var revisions = node.member(section.revisions)?.elements
        for (name, json) in values.members {
            do throws(SessionError) {
                let (trait, definition) = try holder(
                    name.string, isEnvironment: section.isEnvironment)
                let fact = StoredFact(
                    trait: trait, layer: section.layer,
                    value: try ValueReader.read(json, for: definition),
                    revision: revision(revisions?.next()?.int64 ?? 1))
                try refusing { () throws(OperationError) in
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
