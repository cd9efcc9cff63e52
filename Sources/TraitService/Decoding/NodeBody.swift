// A node in a body: where it stands, what it is called, and the values set at it.

import JSONCodec
import TraitEngine

struct NodeBody {
    let object: ObjectReader

    static let members: [StaticString] = [
        "id", "kind", "parent", "controller", "label", "overrides", "supplied",
    ]

    init(_ json: JSONValue) throws(Problem) {
        object = try ObjectReader(json, "a node", members: Self.members)
    }

    /// A node inside another object that was read already.
    init(object: ObjectReader) {
        self.object = object
    }

    /// The identifier in the body, when there is one.
    func identifier() throws(Problem) -> String? {
        guard let id = try object.string("id") else { return nil }
        guard Identifier.isValid(id) else {
            var problem = Problem.malformedIdentifier(id)
            problem.pointer = "/id"
            throw problem
        }
        return id
    }

    func requiredIdentifier() throws(Problem) -> String {
        guard let id = try identifier() else {
            throw Problem(.missingMember, "The member 'id' is required.", pointer: "")
        }
        return id
    }

    func kind() throws(Problem) -> NodeKind? {
        guard let name = try object.string("kind") else { return nil }
        guard let kind = NodeKind(name: name) else {
            let names = NodeKind.allCases.map(\.name)
            throw Problem(
                .kindMismatch,
                "'\(name)' is no kind of node. Kinds are \(names.joined(separator: ", ")).",
                pointer: "/kind", didYouMean: Suggestion.nearest(to: name, among: names))
        }
        return kind
    }

    /// Everything that a new node needs, its references resolved.
    func description(in transaction: Transaction) throws(Problem) -> NodeDescription {
        guard let kind = try kind() else {
            throw Problem(
                .missingMember,
                "The member 'kind' is required: \(NodeKind.allCases.map(\.name).joined(separator: ", ")).",
                pointer: "")
        }
        return NodeDescription(
            kind: kind,
            parent: try Self.reference(object["parent"], "/parent", transaction.session),
            controller: try Self.reference(
                object["controller"], "/controller", transaction.session),
            label: try label(),
            overrides: try transaction.readValues(object["overrides"], .overrides),
            supplied: try transaction.readValues(object["supplied"], .supplied))
    }

    func label() throws(Problem) -> String? {
        switch try object.change("label") {
        case .set(let text): text
        case .clear, .keep: nil
        }
    }

    /// null and absent are no node.
    static func reference(
        _ json: JSONValue?, _ pointer: String, _ session: Session
    ) throws(Problem) -> NodeIndex? {
        guard let json, !json.isNull else { return nil }
        return try session.node(json, pointer, code(pointer))
    }

    /// A node, null to clear, absent to keep.
    static func change(
        _ json: JSONValue?, _ pointer: String, _ session: Session
    ) throws(Problem) -> Change<NodeIndex> {
        guard let json else { return .keep }
        if json.isNull { return .clear }
        return .set(try session.node(json, pointer, code(pointer)))
    }

    private static func code(_ pointer: String) -> ProblemCode {
        pointer == "/parent" ? .unknownParent : .unknownController
    }
}

enum NodeWriter {
    /// `{"id","kind","parent","controller"?,"label"?,"overrides"?,"supplied"?}`, left open when
    /// the caller has more members to add.
    static func write(
        _ node: NodeIndex, of session: Session, into writer: inout JSONWriter,
        more: (inout JSONWriter) -> Void = { _ in }
    ) {
        let hierarchy = session.hierarchy
        writer.beginObject()
        writer.key("id")
        hierarchy.withIdentifier(of: node) { writer.value(bytes: $0) }
        writer.key("kind")
        writer.value(hierarchy.kind(of: node).name)
        writer.key("parent")
        if let parent = hierarchy.parent(of: node) {
            hierarchy.withIdentifier(of: parent) { writer.value(bytes: $0) }
        } else {
            writer.null()
        }
        if let controller = hierarchy.controller(of: node) {
            writer.key("controller")
            hierarchy.withIdentifier(of: controller) { writer.value(bytes: $0) }
        }
        if let label = hierarchy.label(of: node) {
            writer.key("label")
            writer.value(label)
        }
        let overrides = hierarchy.overrides(of: node)
        if !overrides.isEmpty {
            writer.key("overrides")
            write(overrides, of: session, into: &writer)
        }
        let supplied = hierarchy.supplied(of: node)
        if !supplied.isEmpty {
            writer.key("supplied")
            write(supplied, of: session, into: &writer)
        }
        more(&writer)
        writer.endObject()
    }

    static func write(
        _ values: [(TraitIndex, TraitValue)], of session: Session, into writer: inout JSONWriter
    ) {
        writer.beginObject()
        for (trait, value) in values {
            let encoding = session.encodings.encoding(
                of: trait, in: session.hierarchy.definitions)
            writer.key(encoding.definition.key)
            encoding.write(value, into: &writer)
        }
        writer.endObject()
    }
}
