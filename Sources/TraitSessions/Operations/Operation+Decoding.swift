// From the JSON of an operation to its value. Strict: unknown members and members of another type
// are refused, each with a pointer. What names mean, only the session can say when it applies them.

import JSONCodec
import TraitEngine
import TraitJSON

extension Operation {
    /// - Throws: `malformedBody`, `missingMember`, `unknownMember`, `malformedIdentifier`, and what
    ///   a definition is refused for, with pointers into the operation.
    package init(_ json: JSONValue) throws(SessionError) {
        guard case .object = json.kind, let op = json.member("op") else {
            throw SessionError(
                .missingMember,
                "An operation is an object with a member 'op': \(OperationKind.names).",
                pointer: "")
        }
        guard let name = op.string, let kind = OperationKind(name.bytes) else {
            throw SessionError(
                .malformedBody,
                "\(op.summary) is no operation. Operations are \(OperationKind.names).",
                pointer: "/op",
                didYouMean: op.string.flatMap {
                    Suggestion.nearest(
                        to: $0.string, among: OperationKind.allCases.map(\.rawValue))
                })
        }
        self = try Self.decode(kind, json)
    }

    private static func decode(
        _ kind: OperationKind, _ json: JSONValue
    ) throws(SessionError) -> Operation {
        if kind == .createNode {
            let body = try NodeBody(json, .operation)
            return .createNode(Reference(try body.requiredIdentifier(), at: "/node"), body)
        }
        if kind == .putNode {
            let body = try NodeBody(json, .upsert)
            return .putNode(Reference(try body.requiredIdentifier(), at: "/node"), body)
        }
        let members = kind.members
        let object = try ObjectReader(
            json, kind.phrase, members: ["op"] + members.required + members.optional)
        switch kind {
        case .createNode, .putNode: preconditionFailure("decoded above")
        case .moveNode: return .moveNode(try object.node(), try NodeMove(object: object).checked())
        case .clearOverrides: return .clearOverrides(try object.node())
        case .renameNode: return .renameNode(try object.node(), to: try object.reference("to"))
        case .renameTrait:
            return .renameTrait(try object.reference("trait"), to: try object.reference("to"))
        case .copyNode: return .copyNode(try object.node(), try NodeCopy(object: object).checked())
        case .setDevice:
            let device = try object.requiredString("device")
            return .setDevice(try object.node(), try DeviceChoice(device, object))
        case .updateNode: return .updateNode(try object.node(), NodePatch(object))
        case .deleteNode: return .deleteNode(try object.node())
        case .updateTraitsIfNeeded: return .updateTraitsIfNeeded(try object.node())
        case .setOverride, .setSupplied:
            // With the operation's name and three others.
            let hasMore = json.count > 4
            let end = hasMore ? try ValueEnd(object) : nil
            return .setValue(
                kind.layer, try object.node(), try object.reference("trait"),
                try object.required("value"), until: end,
                hasMore ? try object.stacking(isTemporary: end != nil) : .usual)
        case .removeOverride, .removeSupplied:
            return .removeValue(
                kind.layer, try object.node(), try object.reference("trait"),
                under: try object.bool("under") ?? false)
        case .defineTrait, .putTrait: return .defineTrait(try traitDefinition(object))
        case .deleteTrait: return .deleteTrait(try object.reference("trait"))
        case .updateTrait:
            return .updateTrait(
                try object.reference("trait"),
                DefinitionBody(try object.required("patch"), prefix: "/patch"))
        case .register:
            let id = try object.requiredIdentifier("registration")
            let body = RegistrationBody(object)
            try body.check()
            return .register(id, body)
        case .unregister: return .unregister(try object.requiredIdentifier("registration"))
        case .layout: return .layout
        case .setScope:
            return .setScope(
                try object.node(), try object.requiredIdentifier("scope"),
                reads: try object.required("reads"))
        case .removeScope:
            return .removeScope(try object.node(), try object.requiredIdentifier("scope"))
        case .defineEnvironmentKey:
            return .defineEnvironmentKey(
                try object.requiredIdentifier("key"), try object.definition())
        case .deleteEnvironmentKey: return .deleteEnvironmentKey(try object.reference("key"))
        case .setEnvironment:
            return .setEnvironment(
                try object.node(), try object.reference("key"), try object.required("value"))
        case .removeEnvironment:
            return .removeEnvironment(try object.node(), try object.reference("key"))
        case .defineColor:
            return .defineDynamic(
                .color, try object.requiredIdentifier("color"), try object.definition())
        case .defineImage:
            return .defineDynamic(
                .image, try object.requiredIdentifier("image"), try object.definition())
        case .deleteColor: return .deleteDynamic(.color, try object.reference("color"))
        case .deleteImage: return .deleteDynamic(.image, try object.reference("image"))
        }
    }

    private static func traitDefinition(
        _ object: ObjectReader
    ) throws(SessionError) -> TraitDefinition {
        let key = try object.requiredIdentifier("trait")
        let json = try object.required("definition")
        return try within("/definition", try DefinitionReader.read(json, key: key))
    }
}

extension OperationKind {
    /// The name of the operation in errors about its members.
    fileprivate var phrase: String {
        switch self {
        case .setOverride, .setSupplied: "an operation that sets a value"
        case .removeOverride, .removeSupplied: "an operation that removes a value"
        default: rawValue
        }
    }

    fileprivate var layer: ValueLayer {
        self == .setOverride || self == .removeOverride ? .overrides : .supplied
    }
}

extension ObjectReader {
    /// - Throws: `malformedBody` for `over` without an end, or with `under`.
    fileprivate func stacking(isTemporary: Bool) throws(SessionError) -> Stacking {
        let over = try bool("over")
        if try bool("under") ?? false {
            if over == nil { return .under }
            throw SessionError(
                .malformedBody, "An override goes `over` another or `under` it; give one of them.",
                pointer: "/over")
        }
        guard let over else { return .usual }
        if isTemporary { return over ? .over : .instead }
        throw SessionError(
            .malformedBody,
            "Only an override that ends lies `over` another. Give `expiresAt` or `ttl` as well.",
            pointer: "/over")
    }

    fileprivate func node() throws(SessionError) -> Reference {
        let json = try required("node")
        guard let text = json.string else {
            throw .malformed("A node's identifier is a string", json, at: "/node")
        }
        return Reference(text.bytes, at: "/node")
    }

    fileprivate func reference(_ name: StaticString) throws(SessionError) -> Reference {
        let json = try required(name)
        guard let text = json.string else { throw wrongType(name, "a string", json) }
        return Reference(text.bytes, at: Self.pointer(name))
    }

    /// The pointers of the members that hold a name, without a string being made.
    private static func pointer(_ name: StaticString) -> StaticString {
        switch name.description {
        case "trait": "/trait"
        case "key": "/key"
        case "color": "/color"
        case "to": "/to"
        default: "/image"
        }
    }

    fileprivate func definition() throws(SessionError) -> DefinitionBody {
        DefinitionBody(try required("definition"), prefix: "/definition")
    }
}
