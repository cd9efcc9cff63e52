// Applying a document to a session: each difference becomes an operation of one transaction. Equal parts need no
// operation, so applying the same document again makes no commit.
//
// The operations come in the order of `SessionComparison`, in which all of them are possible: what goes goes
// first, and siblings are ordered last, when all nodes have their trait parents.

import JSONCodec
import TraitEngine
import TraitJSON
import TraitSessions

package struct ApplyOptions: Sendable {
    /// The manager of what the document sets and makes; nil for none.
    package var manager: String?
    /// Whether to delete what the manager once set or made and the document does not have.
    package var prune = false
    /// Whether to take over what other managers have set or made.
    package var force = false
    /// A digest of document and options. A plan's token has it, beside the revision.
    package var digest: UInt64 = 0

    package init() {}
}

struct DocumentApplier {
    /// A node as the document has it.
    struct Node {
        let body: NodeBody
        let id: UnsafeRawBufferPointer
        let kind: NodeKind?
        let label: String?
        let environment: JSONValue?
        /// When overrides end; nil where all stay.
        let ends: ValueEnds?
        /// The values that overrides cover; nil for none.
        let covered: CoveredMembers?
        /// 0 while the session does not have the node.
        var index = NodeIndex(rawValue: 0)

        /// - Throws: the faults that are found without the session.
        init(_ json: JSONValue) throws(SessionError) {
            body = try NodeBody(json, .document)
            id = try body.requiredIdentifier()
            kind = try body.kind()
            label = try body.label()
            environment = json.member("environment")
            if let times = json.member("expiresAt") {
                ends = try ValueEnds(times, overrides: body.overrides)
            } else {
                ends = nil
            }
            let times = json.member("expiresAt")
            covered = try json.member("under").map { json throws(SessionError) in
                try CoveredMembers(json, ends: times)
            }
        }

        var isThere: Bool { index.rawValue > 0 }
    }

    struct Conflict {
        let pointer: String
        /// Nil for a node that has no manager.
        let manager: String?
    }

    let object: ObjectReader
    let options: ApplyOptions
    var nodes: [Node] = []
    /// The position in the document of each node, by the node's index; -1 for other nodes.
    var places = NodeMap<Int32>(-1)
    /// The parts to delete, when the document prunes.
    var going = GoingParts()
    var conflicts: [Conflict] = []
    var conflictCount = 0

    /// How many conflicts the refusal lists.
    private var conflictsListed = 0
    /// Definitions of which parts can only go when the values are set, with their places in the document.
    private var narrowing: [(trait: TraitIndex, definition: TraitDefinition)] = []

    /// - Throws: `malformedBody`, `unknownMember`.
    init(_ json: JSONValue, _ options: ApplyOptions) throws(SessionError) {
        // The reason is the request's, not the document's.
        object = try ObjectReader(
            json, "a document", members: DocumentReader.members + ["reason"])
        self.options = options
    }

    /// - Throws: why the document is refused, with pointers into it; `managed` with all fields that
    ///   other managers have.
    mutating func run(on transaction: inout Transaction) throws(SessionError) {
        let limits = transaction.session.limits
        if let manager = options.manager {
            try transaction.session.annotations.managers.checkRoom(
                for: manager, max: limits.managersMax)
        }
        conflictsListed = limits.answeredConflictsMax
        try checkSettings(transaction)
        try readNodes()
        try transaction.budget.allow(nodes.count <= limits.inlineAppliedNodesMax)
        try transaction.budget.begin(nodes.count, transaction.session)
        try find(transaction)
        try findGoing(transaction)
        try endListeners(&transaction)
        try removeValues(&transaction)
        try deleteDefinitions(&transaction, .whereUnused)
        try deleteNodes(&transaction)
        try deleteDefinitions(&transaction, .replaced)
        try define(&transaction)
        try make(&transaction)
        try link(&transaction)
        try setValues(&transaction)
        try narrow(&transaction)
        // Before registrations are made: those of all traits would name a trait that goes.
        try deleteDefinitions(&transaction, .all)
        try listen(&transaction)
        try order(&transaction)
        if conflictCount > 0 { throw managed() }
    }

    func managed() -> SessionError {
        var json = JSONWriter()
        json.beginArray()
        for conflict in conflicts {
            json.beginObject()
            json.member("pointer", conflict.pointer)
            json.member("manager", ifPresent: conflict.manager)
            json.endObject()
        }
        json.endArray()
        let managers = Set(conflicts.map { $0.manager ?? "no manager" })
        let names = managers.sorted().joined(separator: ", ")
        return SessionError(
            .managed,
            "\(conflictCount) of the document's fields have another value that is managed by \(names). Leave them out, or take them over with force=true.",
            pointer: conflicts.first?.pointer
        ).with("fields", .json(json.array()))
    }

    mutating func conflict(_ pointer: String, _ manager: String?) {
        conflictCount += 1
        if conflicts.count < conflictsListed {
            conflicts.append(Conflict(pointer: pointer, manager: manager))
        }
    }

    // MARK: - Settings and definitions

    func checkSettings(_ transaction: Transaction) throws(SessionError) {
        let session = transaction.session
        try ObjectReader.check(try object.string("name"), "name", agreesWith: session.name)
        try object.checkDocumentFormat()
        let asked = try SessionConfiguration(object, server: nil)
        let present = session.configuration
        guard !object.has("propagation") || asked.propagation == present.propagation,
            !object.has("updates") || asked.updates == present.updates,
            !object.has("systemTraits") || asked.hasSystemTraits == present.hasSystemTraits
        else {
            throw SessionError(
                .sessionDiffers,
                "The session '\(session.name)' has propagation \(present.propagation.rawValue), updates \(present.updates.rawValue) and systemTraits \(present.hasSystemTraits), which an apply cannot change."
            )
        }
    }

    mutating func define(_ transaction: inout Transaction) throws(SessionError) {
        let definitions = { (transaction: Transaction) in transaction.hierarchy.definitions }
        for (key, json) in try object.members(of: "traits") {
            try at("/traits/", key) { () throws(SessionError) in
                let definition = try DefinitionReader.read(json, key: key)
                guard let known = definitions(transaction).index(of: key) else {
                    return try transaction.defineTrait(definition)
                }
                try change(known, to: definition, &transaction)
            }
        }
        for (key, json) in try object.members(of: "environmentKeys") {
            try at("/environmentKeys/", key) { () throws(SessionError) in
                let known = definitions(transaction).environmentKey(named: key) != nil
                let read = try EnvironmentKeyReader.read(json, key: key, in: transaction.session)
                if !known { return try transaction.defineEnvironmentKey(read) }
                let hierarchy = transaction.hierarchy
                try refusing { () throws(OperationError) in
                    try hierarchy.defineEnvironmentKey(read)
                }
            }
        }
        for (member, kind) in [("colors" as StaticString, DynamicKind.color), ("images", .image)] {
            for (name, json) in try object.members(of: member) {
                var other: String?
                try at("/\(member)/", name) { () throws(SessionError) in
                    let value = try DynamicReader.read(
                        json, kind, named: name, in: transaction.session)
                    if let known = definitions(transaction).dynamic(kind, named: name) {
                        if known.isSame(as: value) { return }
                        other = otherManager(of: transaction.managedPlace(kind, name), transaction)
                        if other != nil { return }
                    }
                    try transaction.defineDynamic(value)
                }
                if let other { conflict("/\(member)/\(name.pointerToken)", other) }
            }
        }
    }

    /// Changes a definition. Cases that go, and null, stay until the values are set.
    private mutating func change(
        _ trait: TraitIndex, to definition: TraitDefinition, _ transaction: inout Transaction
    ) throws(SessionError) {
        let hierarchy = transaction.hierarchy
        let known = hierarchy.definitions[trait]
        guard known.canBecome(definition) else {
            // An equal definition changes nothing, and a different one is refused.
            _ = try refusing { () throws(OperationError) in try hierarchy.defineTrait(definition) }
            return
        }
        if known.isSame(as: definition) { return }
        let place = ManagedPlace(.trait, known.key)
        if let other = otherManager(of: place, transaction) {
            return conflict("/traits/\(known.key.pointerToken)", other)
        }
        let widened = definition.widened(for: known)
        try transaction.updateTrait(trait, to: widened)
        if !widened.isSame(as: definition) { narrowing.append((trait, definition)) }
    }

    private mutating func narrow(_ transaction: inout Transaction) throws(SessionError) {
        for (trait, definition) in narrowing {
            try at("/traits/", definition.key) { () throws(SessionError) in
                try transaction.updateTrait(trait, to: definition)
            }
        }
    }

    /// The other manager that keeps this apply from changing a place; nil when nothing does.
    func otherManager(of place: ManagedPlace, _ transaction: Transaction) -> String? {
        if options.force { return nil }
        let manager = transaction.session.annotations.managers.manager(of: place)
        return manager == options.manager ? nil : manager
    }

    func at(
        _ place: String, _ name: String, _ body: () throws(SessionError) -> Void
    ) throws(SessionError) {
        try within(place + name.pointerToken, try body())
    }

    // MARK: - Nodes

    mutating func readNodes() throws(SessionError) {
        guard let json = object["nodes"] else { return }
        guard json.kind == .array else { throw object.wrongType("nodes", "an array", json) }
        nodes.reserveCapacity(json.count)
        for element in json.elements {
            nodes.append(try within("/nodes/\(nodes.count)", try Node(element)))
        }
    }
}
