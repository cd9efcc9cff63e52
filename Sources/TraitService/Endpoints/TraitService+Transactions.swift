// Many operations as one commit: all or nothing, one revision, one update pass.

import JSONCodec
import TraitEngine

extension TraitService {
    /// `POST …/transactions` with `{"operations":[{"op":…}…],"ifRevision"?}`.
    func runTransaction(_ request: Request) throws(Problem) {
        try request.withBody { json throws(Problem) in
            let object = try ObjectReader(
                json, "a transaction", members: ["operations", "ifRevision"])
            let ifRevision = try object.integer("ifRevision")
            let operations = try object.required("operations")
            guard case .array = operations.kind else {
                throw object.wrongType("operations", "an array of operations", operations)
            }
            guard operations.count <= limits.operationsMax else {
                throw .limit(
                    .quota,
                    "A transaction has at most operationsMax=\(limits.operationsMax) operations. Split it.",
                    name: "operationsMax", value: limits.operationsMax)
            }
            try writing(request, ifRevision: ifRevision) { transaction throws(Problem) in
                var position = 0
                for operation in operations.elements {
                    do throws(Problem) {
                        try OperationReader.apply(operation, to: &transaction)
                    } catch {
                        throw error.prefixed("/operations/\(position)")
                    }
                    position += 1
                }
            }
        }
    }
}

/// From the JSON of one operation to the engine. The same operations come from requests and
/// from a log that is read back.
enum OperationReader {
    static func apply(
        _ json: JSONValue, to transaction: inout Transaction
    ) throws(Problem) {
        guard case .object = json.kind, let op = json.member("op") else {
            throw Problem(
                .missingMember, "An operation is an object with a member 'op': \(Self.names).",
                pointer: "")
        }
        guard let name = op.string?.string, let kind = OperationKind(rawValue: name) else {
            throw Problem(
                .malformedBody, "\(op.summary) is no operation. Operations are \(Self.names).",
                pointer: "/op",
                didYouMean: op.string.flatMap {
                    Suggestion.nearest(
                        to: $0.string, among: OperationKind.allCases.map(\.rawValue))
                })
        }
        switch kind {
        case .createNode: try createNode(json, &transaction)
        case .updateNode: try updateNode(json, &transaction)
        case .deleteNode:
            let object = try ObjectReader(json, "deleteNode", members: ["op", "node"])
            try transaction.deleteNode(
                try transaction.session.node(try object.required("node"), "/node"))
        case .setOverride: try set(.overrides, json, &transaction)
        case .setSupplied: try set(.supplied, json, &transaction)
        case .removeOverride: try remove(.overrides, json, &transaction)
        case .removeSupplied: try remove(.supplied, json, &transaction)
        case .defineTrait: try defineTrait(json, &transaction)
        case .deleteTrait:
            let object = try ObjectReader(json, "deleteTrait", members: ["op", "trait"])
            try transaction.deleteTrait(try trait(object, transaction))
        case .register: try register(json, &transaction)
        case .unregister: try unregister(json, &transaction)
        case .setScope, .removeScope, .defineEnvironmentKey, .deleteEnvironmentKey,
            .setEnvironment, .removeEnvironment, .defineColor, .deleteColor, .defineImage,
            .deleteImage:
            try applyBridging(kind, json, &transaction)
        case .layout:
            _ = try ObjectReader(json, "layout", members: ["op"])
            transaction.layout()
        case .updateTraitsIfNeeded:
            let object = try ObjectReader(json, "updateTraitsIfNeeded", members: ["op", "node"])
            transaction.updateTraitsIfNeeded(
                try transaction.session.node(try object.required("node"), "/node"))
        }
    }

    private static let names = OperationKind.allCases.map(\.rawValue).joined(separator: ", ")

    private static func trait(
        _ object: ObjectReader, _ transaction: Transaction
    ) throws(Problem) -> TraitIndex {
        try transaction.session.trait(named: try object.requiredString("trait"), "/trait")
    }

    static func identifier(
        _ object: ObjectReader, _ name: StaticString
    ) throws(Problem) -> String {
        let id = try object.requiredString(name)
        guard Identifier.isValid(id) else {
            var problem = Problem.malformedIdentifier(id)
            problem.pointer = "/\(name)"
            throw problem
        }
        return id
    }

    private static func createNode(
        _ json: JSONValue, _ transaction: inout Transaction
    ) throws(Problem) {
        let body = try NodeBody(json, .operation)
        let id = try body.requiredIdentifier()
        do throws(Problem) {
            try transaction.createNode(id, try body.description(in: transaction))
        } catch {
            throw error.pointingAtIdentifier("/node")
        }
    }

    private static func updateNode(
        _ json: JSONValue, _ transaction: inout Transaction
    ) throws(Problem) {
        let object = try ObjectReader(
            json, "updateNode", members: ["op", "node", "parent", "controller", "label"])
        let node = try transaction.session.node(try object.required("node"), "/node")
        try transaction.update(node, object)
    }

    private static func set(
        _ layer: ValueLayer, _ json: JSONValue, _ transaction: inout Transaction
    ) throws(Problem) {
        let object = try ObjectReader(
            json, "an operation that sets a value", members: ["op", "node", "trait", "value"])
        let node = try transaction.session.node(try object.required("node"), "/node")
        let trait = try trait(object, transaction)
        let value = try object.required("value")
        do throws(Problem) {
            try transaction.set(layer, node, trait, value)
        } catch {
            throw error.at("/value")
        }
    }

    private static func remove(
        _ layer: ValueLayer, _ json: JSONValue, _ transaction: inout Transaction
    ) throws(Problem) {
        let object = try ObjectReader(
            json, "an operation that removes a value", members: ["op", "node", "trait"])
        let node = try transaction.session.node(try object.required("node"), "/node")
        transaction.remove(layer, node, try trait(object, transaction))
    }

    private static func defineTrait(
        _ json: JSONValue, _ transaction: inout Transaction
    ) throws(Problem) {
        let object = try ObjectReader(
            json, "defineTrait", members: ["op", "trait", "definition"])
        let key = try identifier(object, "trait")
        let definition: TraitDefinition
        do throws(Problem) {
            definition = try DefinitionReader.read(try object.required("definition"), key: key)
        } catch {
            throw error.code == .missingMember && !object.has("definition")
                ? error : error.prefixed("/definition")
        }
        try transaction.defineTrait(definition)
    }

    private static func register(
        _ json: JSONValue, _ transaction: inout Transaction
    ) throws(Problem) {
        let object = try ObjectReader(
            json, "register",
            members: RegistrationSubject.members(beside: ["op", "registration", "node", "label"]))
        let session = transaction.session
        let node = try session.node(try object.required("node"), "/node")
        let id = try identifier(object, "registration")
        let subject = try RegistrationSubject(object, in: session)
        let label = try object.string("label")
        do throws(Problem) {
            try transaction.register(id, node: node, for: subject, label: label)
        } catch {
            throw error.pointingAtIdentifier("/registration")
        }
    }

    private static func unregister(
        _ json: JSONValue, _ transaction: inout Transaction
    ) throws(Problem) {
        let object = try ObjectReader(json, "unregister", members: ["op", "registration"])
        let id = try identifier(object, "registration")
        if let registration = transaction.hierarchy.registration(named: id) {
            try transaction.unregister(registration)
        }
    }
}
