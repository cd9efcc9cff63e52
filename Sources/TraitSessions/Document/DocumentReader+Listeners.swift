// Reads frames, registrations and scopes from a document.

import JSONCodec
import TraitEngine
import TraitJSON

extension DocumentReader {
    // MARK: - What nodes show

    mutating func addFrame(_ json: JSONValue) throws(SessionError) {
        let frame = try ObjectReader(
            json, "a frame", members: ["above", "node", "deletedNode", "values"])
        let values = try frame.required("values")
        guard values.kind == .array else { throw frame.wrongType("values", "an array", values) }
        var facts: [StoredFact] = []
        for json in values.elements {
            let pointer = "/values/\(facts.count)"
            facts.append(try within(pointer, try fact(json)))
        }
        let above = Int(clamping: try frame.requiredInteger("above"))
        let node = try reference(frame["node"], "node")
        let deleted = frame.has("deletedNode") ? try frame.requiredString("deletedNode") : nil
        try refusing { () throws(OperationError) in
            _ = try restorer.addFrame(
                ShownFrame(above: above, node: node, deletedNode: deleted, values: facts))
        }
    }

    private func fact(_ json: JSONValue) throws(SessionError) -> StoredFact {
        let object = try ObjectReader(
            json, "a shown value",
            members: members(["trait", "environmentKey", "layer", "value"]))
        let isEnvironment = object.has("environmentKey")
        let (trait, definition) = try holder(
            try object.requiredString(isEnvironment ? "environmentKey" : "trait"),
            isEnvironment: isEnvironment)
        let name = try object.requiredString("layer")
        guard let layer = Layer.allCases.first(where: { $0.name == name }) else {
            throw SessionError(.malformedBody, "'\(name)' is no layer.", pointer: "/layer")
        }
        return StoredFact(
            trait: trait, layer: layer,
            value: try ValueReader.read(try object.required("value"), for: definition),
            revision: revision(try object.integer("revision") ?? 1))
    }

    mutating func setShown(_ json: JSONValue) throws(SessionError) {
        let shown = try ObjectReader(json, "a shown state", members: ["node", "frame", "marks"])
        let node = try requiredNode(of: shown)
        var marks: ShownState.Marks = []
        for json in shown["marks"].map({ Array($0.elements) }) ?? [] {
            guard let mark = json.string.flatMap({ DocumentMark(rawValue: $0.string) }) else {
                throw SessionError(.malformedBody, "\(json.summary) is no mark.", pointer: "/marks")
            }
            marks.insert(mark.mark)
        }
        let frame = Int(clamping: try shown.requiredInteger("frame"))
        try refusing { () throws(OperationError) in
            try restorer.setShown(node, ShownState(frame: frame, marks: marks))
        }
    }

    /// The members of an object, to which the document of a state adds its revision.
    private func members(_ members: [StaticString]) -> [StaticString] {
        keepsRevisions ? members + ["revision"] : members
    }

    // MARK: - What listens

    mutating func addRegistration(_ json: JSONValue) throws(SessionError) {
        let object = try ObjectReader(
            json, "a registration",
            members: members([
                "id", "node", "traits", "colors", "images", "asked", "label", "ttl", "createdAt",
            ]))
        let id = try object.requiredIdentifier("id")
        let node = try requiredNode(of: object)
        let traits = try traitSet(object["traits"], "traits", of: object)
        let colors = try names("colors", of: object)
        let images = try names("images", of: object)
        let revision = revision(try object.integer("revision") ?? 1)
        try refusing { () throws(OperationError) in
            try restorer.addRegistration(
                id, node: node, traits: traits, colors: colors, images: images,
                createdRevision: revision)
        }
        notes[RegistrationKey(id: id, revision: revision)] = RegistrationNote(
            label: try object.string("label"), createdAt: try object.integer("createdAt") ?? 0,
            asked: try asked(object), ttl: try object.timeToLive())
    }

    private func asked(_ object: ObjectReader) throws(SessionError) -> AskedTraits? {
        guard let json = object["asked"] else { return nil }
        let asked = try ObjectReader(json, "what was asked for", members: ["sets", "traits"])
        return AskedTraits(
            sets: Set(try names("sets", of: asked).compactMap { TraitSetName(rawValue: $0) }),
            others: try traitSet(asked["traits"], "traits", of: asked), in: restorer.definitions)
    }

    private func names(
        _ member: StaticString, of object: ObjectReader
    ) throws(SessionError) -> [String] {
        guard let json = object[member] else { return [] }
        guard json.kind == .array else { throw object.wrongType(member, "an array of names", json) }
        var names: [String] = []
        for element in json.elements {
            guard let name = element.string else {
                throw object.wrongType(member, "an array of names", element)
            }
            names.append(name.string)
        }
        return names
    }

    private func requiredNode(of object: ObjectReader) throws(SessionError) -> NodeIndex {
        if let node = try reference(object["node"], "node") { return node }
        throw .missing("node")
    }

    private func traitSet(
        _ json: JSONValue?, _ member: StaticString, of object: ObjectReader
    ) throws(SessionError) -> TraitSet {
        var set = TraitSet()
        for name in try names(member, of: object) {
            guard let trait = restorer.definitions.followed(named: name) else {
                throw SessionError(
                    .unknownTrait,
                    "The document defines no trait '\(name.prefix(140))'."
                        + restorer.definitions.absenceNote(of: name)
                ).inside(at: "/\(member)")
            }
            set.insert(trait)
        }
        return set
    }

    mutating func addScope(_ json: JSONValue) throws(SessionError) {
        let object = try ObjectReader(
            json, "a scope", members: members(["node", "scope", "reads", "stale"]))
        let node = try requiredNode(of: object)
        let name = try object.requiredString("scope")
        let reads = try traitSet(object["reads"], "reads", of: object)
        let isStale = try object.bool("stale") ?? false
        let revision = revision(try object.integer("revision") ?? 1)
        try refusing { () throws(OperationError) in
            try restorer.addScope(node, name, reads: reads, isStale: isStale, revision: revision)
        }
    }
}
