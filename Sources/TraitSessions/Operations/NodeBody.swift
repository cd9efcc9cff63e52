// A node in a body: where it stands, what it is called, and the values set at it. Sessions are
// made of these by the million, so each is read in one pass and without making strings.

import JSONCodec
import TraitEngine
import TraitJSON

/// The members of a node, as they were given.
package struct NodeBody {
    /// Where a node is described: as a resource, in the list of a new session, as an operation of a transaction, in a
    /// document, or in the document of a state, which has managers and revisions.
    package enum Form {
        case resource, listed, operation, upsert, document, state

        var name: String {
            switch self {
            case .resource, .listed, .document, .state: "a node"
            case .operation: "createNode"
            case .upsert: "putNode"
            }
        }

        var isOperation: Bool { self == .operation || self == .upsert }

        /// The member that holds the identifier.
        var identifier: StaticString { isOperation ? "node" : "id" }

        /// The members of all forms, beside the identifier.
        private static let common: [StaticString] =
            ["kind", "parent", "controller", "label", "overrides", "supplied"]
        private static let ofResources: [StaticString] = []
        private static let ofLists: [StaticString] = ["expiresAt", "under"]
        private static let ofOperations: [StaticString] = ["op"]
        private static let ofDocuments: [StaticString] =
            ofLists + ["traitParent"]
            + DocumentSection.allCases.map(\.member).filter { name in
                !common.contains { $0.description == name.description }
            }
        private static let ofStates: [StaticString] =
            ofDocuments + ["managers"] + DocumentSection.allCases.map(\.revisions)

        /// The members that this form has and a resource has not.
        var others: [StaticString] {
            switch self {
            case .resource: Self.ofResources
            case .listed: Self.ofLists
            case .operation, .upsert: Self.ofOperations
            case .document: Self.ofDocuments
            case .state: Self.ofStates
            }
        }

        var members: [StaticString] { [identifier] + Self.common + others }
    }

    let form: Form
    private var id: JSONValue?
    private var kindName: JSONValue?
    package private(set) var parent: JSONValue?
    package private(set) var controller: JSONValue?
    private var labelText: JSONValue?
    package private(set) var overrides: JSONValue?
    package private(set) var supplied: JSONValue?

    /// - Throws: `malformedBody` when it is no object, `unknownMember`.
    package init(_ json: JSONValue, _ form: Form = .resource) throws(SessionError) {
        self.form = form
        guard json.kind == .object else { throw .notAnObject(json, form.name, form.members) }
        var faults = Faults()
        for (key, value) in json.members {
            switch key {
            case "kind": kindName = value
            case "parent": parent = value
            case "controller": controller = value
            case "label": labelText = value
            case "overrides": overrides = value
            case "supplied": supplied = value
            case form.identifier: id = value
            case _ where form.others.contains(where: { key == $0 }): break
            default: try faults.add(.unknownMember(key, form.name, form.members))
            }
        }
        if !faults.isEmpty { try faults.check() }
    }

    /// A copy whose members are views of bytes that the arena owns.
    func copied(into arena: OperationArena) -> NodeBody {
        var copy = self
        copy.id = arena.copy(id)
        copy.kindName = arena.copy(kindName)
        copy.parent = arena.copy(parent)
        copy.controller = arena.copy(controller)
        copy.labelText = arena.copy(labelText)
        copy.overrides = arena.copy(overrides)
        copy.supplied = arena.copy(supplied)
        return copy
    }

    func withoutController() -> NodeBody {
        var body = self
        body.controller = nil
        return body
    }

    /// The identifier in the body, when there is one.
    package func identifier() throws(SessionError) -> String? {
        try id == nil ? nil : String(decoding: requiredIdentifier(), as: UTF8.self)
    }

    /// The identifier's bytes, which last as long as the body.
    package func requiredIdentifier() throws(SessionError) -> UnsafeRawBufferPointer {
        guard let id else {
            throw SessionError(
                .missingMember, "The member '\(form.identifier)' is required.", pointer: "")
        }
        guard let text = id.string else { throw .wrongType(form.identifier, "a string", id) }
        guard Identifier.isValid(text.bytes) else {
            throw SessionError.malformedIdentifier(text.string).at("/\(form.identifier)")
        }
        return text.bytes
    }

    package func kind() throws(SessionError) -> NodeKind? {
        guard let kindName else { return nil }
        guard let text = kindName.string else { throw .wrongType("kind", "a string", kindName) }
        if let kind = NodeKind.allCases.first(where: { text == $0.literal }) { return kind }
        let names = NodeKind.allCases.map(\.name)
        throw SessionError(
            .kindMismatch,
            "'\(text.string)' is no kind of node. Kinds are \(names.joined(separator: ", ")).",
            pointer: "/kind", didYouMean: Suggestion.nearest(to: text.string, among: names))
    }

    package func label() throws(SessionError) -> String? {
        guard let labelText, !labelText.isNull else { return nil }
        guard let text = labelText.string else {
            throw .wrongType("label", "a string or null", labelText)
        }
        return text.string
    }

    func requiredKind() throws(SessionError) -> NodeKind {
        if let kind = try kind() { return kind }
        throw SessionError(
            .missingMember,
            "The member 'kind' is required: \(NodeKind.allCases.map(\.name).joined(separator: ", ")).",
            pointer: "")
    }
}
