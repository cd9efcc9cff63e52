// Reads a document into a hierarchy with that state. A document may come from outside: unknown, repeated
// and contradictory parts are refused with a pointer, and nothing traps.

import JSONCodec
import TraitEngine
import TraitJSON

/// Reads one document: as a whole, or its lists piece by piece behind the head, which has the other
/// members.
package struct DocumentReader: ~Copyable {
    let configuration: SessionConfiguration
    package let name: String?
    /// Whether revisions of the document are taken over; else everything is of revision 1.
    let keepsRevisions: Bool
    var restorer: HierarchyRestorer
    var notes: [RegistrationKey: RegistrationNote] = [:]
    /// The managers, in a document of the state.
    var managed: [(place: ManagedPlace, manager: String)] = []
    /// When overrides end.
    var expiries: [Expiry] = []
    /// The values that such overrides cover.
    var covered: [CoveredPlace] = []
    /// Nodes whose trait parent is not simply their parent: it may come later in the document, as may their
    /// controllers, and structural parents of nodes that name their trait parent.
    var links: [DocumentLink] = []
    var names: [String] = []
    /// Elements of the list at hand that were read.
    private(set) var position = 0
    /// See `SessionEnvironment.onWork`.
    package var onWork: (@Sendable (Int) -> Void)?
    private static let nodesAtATime = 1_000
    /// Whether the document says what nodes show; and in a layout session nodes with values, which wait
    /// for an update where it does not.
    private var saysWhatIsShown = false
    var valued: [NodeIndex] = []

    package static let members: [StaticString] = [
        "format", "name", "propagation", "updates", "systemTraits", "limits", "traits",
        "environmentKeys", "colors", "images", "nodes", "frames", "shown", "registrations",
        "scopes",
    ]

    /// Whether the body has more than settings, traits and nodes.
    package static func isDocument(_ json: JSONValue) -> Bool {
        json.kind == .object
            && json.members.contains { member in
                !SessionBody.members.contains { member.key.string == $0.description }
            }
    }

    /// - Parameters:
    ///   - server: the ceilings of the document's limits; nil when they were admitted once.
    ///   - limits: what the hierarchy may hold, by the document's settings.
    /// - Throws: `malformedBody`, `unsupportedMode` for a format of a later version.
    package init(
        _ json: JSONValue, server: HierarchyLimits?, keepsRevisions: Bool, hashSeed: UInt64,
        limits: (SessionConfiguration) -> HierarchyLimits
    ) throws(SessionError) {
        let object = try ObjectReader(
            json, "a document",
            members: keepsRevisions ? Self.members + ["managers"] : Self.members)
        try object.checkDocumentFormat()
        let configuration = try SessionConfiguration(object, server: server)
        name = try object.identifier("name")
        self.keepsRevisions = keepsRevisions
        self.configuration = configuration
        restorer = HierarchyRestorer(
            propagation: configuration.propagation, updates: configuration.updates,
            limits: limits(configuration), hashSeed: hashSeed, enforcesLimits: server != nil,
            hasSystemTraits: configuration.hasSystemTraits)
    }

    /// Reads a complete document. `finish(revision:)` has to follow.
    package mutating func read(_ json: JSONValue) throws(SessionError) {
        let object = ObjectReader(checked: json)
        try readHead(object)
        for list in DocumentList.allCases {
            if let json = object[list.member] { try read(json, of: list) }
            try finish(list)
        }
    }

    /// The next elements of a list, as an array.
    package mutating func read(_ json: JSONValue, of list: DocumentList) throws(SessionError) {
        guard json.kind == .array else {
            throw .wrongType(list.member, "an array", json)
        }
        if list == .frames || list == .shown { saysWhatIsShown = true }
        if list == .registrations || list == .scopes { try markValued() }
        for element in json.elements {
            try within("/\(list.rawValue)/\(position)", try add(element, to: list))
            position += 1
            if let onWork, list == .nodes, position % Self.nodesAtATime == 0 {
                onWork(Self.nodesAtATime)
            }
        }
    }

    /// In a layout session, nodes with values wait for an update, like nodes that were just
    /// created.
    private mutating func markValued() throws(SessionError) {
        if saysWhatIsShown { return }
        let nodes = valued
        valued = []
        for node in nodes {
            try refusing { () throws(OperationError) in
                try restorer.setShown(node, ShownState(frame: 0, marks: .marked))
            }
        }
    }

    /// The list has no further elements.
    package mutating func finish(_ list: DocumentList) throws(SessionError) {
        position = 0
        if list == .nodes { try linkNodes() }
    }

    /// Elements of the list at hand that were read.
    package var count: Int { position }

    /// Bytes that the hierarchy takes so far. O(1).
    package var heldBytes: Int { restorer.heldBytes }

    private mutating func add(_ json: JSONValue, to list: DocumentList) throws(SessionError) {
        switch list {
        case .nodes: try addNode(json)
        case .frames: try addFrame(json)
        case .shown: try setShown(json)
        case .registrations: try addRegistration(json)
        case .scopes: try addScope(json)
        }
    }

    /// - Throws: what contradicts something else in the document.
    consuming func finish(revision: Int64) throws(SessionError) -> Hierarchy {
        try markValued()
        do throws(OperationError) {
            return try restorer.finish(revision: revision)
        } catch {
            throw SessionError(error)
        }
    }

    // MARK: - Pieces

    func revision(_ given: Int64) -> Int64 { keepsRevisions ? given : 1 }

    // MARK: - Definitions

    /// Definitions, which everything else names.
    package mutating func readHead(_ object: ObjectReader) throws(SessionError) {
        for kind in DefinitionKind.allCases {
            for (name, json) in try object.members(of: kind.list) {
                try within("/\(kind.list)/" + name.pointerToken, try define(kind, json, name))
            }
        }
        if keepsRevisions, let json = object["managers"] {
            let kinds = ManagedPlace.Kind.ofSessions
            let managers = try ObjectReader(
                json, "the managers of definitions", members: kinds.map(\.member))
            for kind in kinds {
                for (name, manager) in try Self.managers(kind, managers) {
                    managed.append((ManagedPlace(kind, name), manager))
                }
            }
        }
    }

    private mutating func define(
        _ kind: DefinitionKind, _ json: JSONValue, _ name: String
    ) throws(SessionError) {
        switch kind {
        case .trait:
            let definition = try DefinitionReader.read(json, key: name)
            try refusing { () throws(OperationError) in _ = try restorer.define(definition) }
        case .environmentKey:
            let key = try EnvironmentKeyReader.read(json, key: name, of: restorer.definitions)
            try refusing { () throws(OperationError) in try restorer.define(key) }
        case .color, .image:
            let value = try DynamicReader.read(
                json, kind == .color ? .color : .image, named: name,
                with: CollectionReader(definitions: restorer.definitions))
            try refusing { () throws(OperationError) in try restorer.define(value) }
        }
    }

    // MARK: - What names stand for

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
}
