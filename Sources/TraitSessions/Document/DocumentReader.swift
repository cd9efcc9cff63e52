// From a document to a hierarchy with that state. What a document says may come from outside:
// whatever is unknown, doubled or contradictory is refused with a pointer, and nothing traps.

import JSONCodec
import TraitEngine

/// Reads one document.
struct DocumentReader: ~Copyable {
    let object: ObjectReader
    let configuration: SessionConfiguration
    /// Whether revisions of the document are taken over; else everything is of revision 1.
    private let keepsRevisions: Bool
    var restorer: HierarchyRestorer
    var notes: [RegistrationKey: RegistrationNote] = [:]

    static let members: [StaticString] = [
        "format", "name", "propagation", "updates", "limits", "traits", "environmentKeys",
        "colors", "images", "nodes", "frames", "shown", "registrations", "scopes",
    ]

    /// Whether the body is a document of a state, not only of settings, traits and nodes.
    static func isDocument(_ json: JSONValue) -> Bool { json.member("format") != nil }

    /// - Parameters:
    ///   - server: the ceilings of the document's limits; nil when they were admitted once.
    ///   - limits: what the hierarchy may hold, by the document's settings.
    /// - Throws: `malformedBody`, `unsupportedMode` for a format of a later version.
    init(
        _ json: JSONValue, server: HierarchyLimits?, keepsRevisions: Bool, hashSeed: UInt64,
        limits: (SessionConfiguration) -> HierarchyLimits
    ) throws(SessionError) {
        let object = try ObjectReader(json, "a document", members: Self.members)
        let format = try object.requiredInteger("format")
        guard (1...SessionHeader.format).contains(format) else {
            throw SessionError(
                .unsupportedMode,
                "The document has format \(format); this version reads up to \(SessionHeader.format).",
                pointer: "/format")
        }
        let configuration = try SessionConfiguration(object, server: server)
        self.object = object
        self.keepsRevisions = keepsRevisions
        self.configuration = configuration
        restorer = HierarchyRestorer(
            propagation: configuration.propagation, updates: configuration.updates,
            limits: limits(configuration), hashSeed: hashSeed, enforcesLimits: server != nil)
    }

    func name() throws(SessionError) -> String? { try object.string("name") }

    /// Everything but the end.
    mutating func read() throws(SessionError) {
        try readDefinitions()
        try readNodes()
        try readShown()
        try readRegistrations()
        try readScopes()
    }

    /// - Throws: what contradicts something else in the document.
    consuming func finish(revision: Int64) throws(SessionError) -> Hierarchy {
        do throws(OperationError) {
            return try restorer.finish(revision: revision)
        } catch {
            throw SessionError(error)
        }
    }

    // MARK: - Pieces

    func revision(_ given: Int64) -> Int64 { keepsRevisions ? given : 1 }

    func list(_ member: StaticString) throws(SessionError) -> [JSONValue] {
        guard let json = object[member] else { return [] }
        guard json.kind == .array else { throw object.wrongType(member, "an array", json) }
        return Array(json.elements)
    }

    private func members(
        _ member: StaticString
    ) throws(SessionError) -> [(key: JSONString, value: JSONValue)] {
        guard let json = object[member] else { return [] }
        guard json.kind == .object else {
            throw object.wrongType(member, "an object of name and definition", json)
        }
        return Array(json.members)
    }

    // MARK: - Definitions

    private mutating func readDefinitions() throws(SessionError) {
        for (key, json) in try members("traits") {
            do throws(SessionError) {
                let definition = try DefinitionReader.read(json, key: key.string)
                try Self.refusing { () throws(OperationError) in
                    _ = try restorer.define(definition)
                }
            } catch {
                throw error.prefixed("/traits/" + key.string.pointerToken)
            }
        }
        for (key, json) in try members("environmentKeys") {
            do throws(SessionError) {
                let read = try EnvironmentKeyReader.read(
                    json, key: key.string, of: restorer.definitions)
                try Self.refusing { () throws(OperationError) in try restorer.define(read) }
            } catch {
                throw error.prefixed("/environmentKeys/" + key.string.pointerToken)
            }
        }
        try readDynamics(.color, "colors")
        try readDynamics(.image, "images")
    }

    private mutating func readDynamics(
        _ kind: DynamicKind, _ member: StaticString
    ) throws(SessionError) {
        for (name, json) in try members(member) {
            do throws(SessionError) {
                let reader = CollectionReader(definitions: restorer.definitions)
                let value = try DynamicReader.read(json, kind, named: name.string, with: reader)
                try Self.refusing { () throws(OperationError) in try restorer.define(value) }
            } catch {
                throw error.prefixed("/\(member)/" + name.string.pointerToken)
            }
        }
    }

    // MARK: - Nodes

    private static let nodeMembers: [StaticString] =
        ["id", "kind", "parent", "controller", "traitParent", "label"]
        + DocumentSection.allCases.flatMap { [$0.member, $0.revisions] }

    private mutating func readNodes() throws(SessionError) {
        let nodes = try list("nodes")
        var position = 0
        for json in nodes {
            do throws(SessionError) {
                try addNode(try ObjectReader(json, "a node", members: Self.nodeMembers))
            } catch {
                throw error.prefixed("/nodes/\(position)")
            }
            position += 1
        }
        // Structural parents and controllers may stand anywhere in the document.
        position = 0
        for json in nodes {
            do throws(SessionError) {
                try link(ObjectReader(checked: json))
            } catch {
                throw error.prefixed("/nodes/\(position)")
            }
            position += 1
        }
    }

    private mutating func addNode(_ node: ObjectReader) throws(SessionError) {
        guard let id = try node.required("id").string else {
            throw node.wrongType("id", "a string", try node.required("id"))
        }
        let name = try node.requiredString("kind")
        guard let kind = NodeKind(name: name) else {
            throw SessionError(.kindMismatch, "'\(name)' is no kind of node.", pointer: "/kind")
        }
        let traitParent = try reference(
            node.has("traitParent") ? "traitParent" : "parent", of: node)
        let label = try node.string("label")
        let added = try Self.refusing { () throws(OperationError) in
            try restorer.addNode(id.bytes, kind: kind, label: label, traitParent: traitParent)
        }
        for section in DocumentSection.allCases { try readValues(section, node, added) }
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

    private func link(_ node: ObjectReader) throws(SessionError) {
        guard node.has("traitParent") || node.has("controller"),
            let index = try reference("id", of: node)
        else { return }
        if node.has("traitParent") {
            let parent = try reference("parent", of: node)
            try Self.refusing { () throws(OperationError) in
                try restorer.setStructuralParent(index, parent)
            }
        }
        if let controller = try reference("controller", of: node) {
            try Self.refusing { () throws(OperationError) in
                try restorer.setController(index, controller)
            }
        }
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

    /// The trait that holds the values of a trait or an environment key.
    func holder(
        _ name: String, isEnvironment: Bool
    ) throws(SessionError) -> (TraitIndex, TraitDefinition) {
        let definitions = restorer.definitions
        if !isEnvironment, let trait = definitions.index(of: name) {
            return (trait, definitions[trait])
        }
        if isEnvironment, let key = definitions.environmentKey(named: name),
            let trait = definitions.holder(ofEnvironmentKey: name)
        {
            return (trait, key.definition)
        }
        throw SessionError(
            isEnvironment ? .unknownEnvironmentKey : .unknownTrait,
            "The document defines no \(isEnvironment ? "environment key" : "trait") '\(name.prefix(140))'."
        ).inside(at: nil)
    }

    static func refusing<R>(
        _ body: () throws(OperationError) -> R
    ) throws(SessionError) -> R {
        do { return try body() } catch { throw SessionError(error) }
    }
}
