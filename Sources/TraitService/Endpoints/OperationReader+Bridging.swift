// Operations on tracked scopes, environment keys, colours and images.

import JSONCodec
import TraitEngine

extension OperationReader {
    static func applyBridging(
        _ kind: OperationKind, _ json: JSONValue, _ transaction: inout Transaction
    ) throws(Problem) {
        switch kind {
        case .setScope, .removeScope: try scope(kind, json, &transaction)
        case .defineEnvironmentKey, .deleteEnvironmentKey:
            try environmentKey(kind, json, &transaction)
        case .setEnvironment, .removeEnvironment: try environment(kind, json, &transaction)
        case .defineColor: try define(.color, json, &transaction)
        case .defineImage: try define(.image, json, &transaction)
        case .deleteColor: try delete(.color, json, &transaction)
        case .deleteImage: try delete(.image, json, &transaction)
        default: break
        }
    }

    private static func scope(
        _ kind: OperationKind, _ json: JSONValue, _ transaction: inout Transaction
    ) throws(Problem) {
        let sets = kind == .setScope
        let object = try ObjectReader(
            json, sets ? "setScope" : "removeScope",
            members: ["op", "node", "scope"] + (sets ? ["reads"] : []))
        let session = transaction.session
        let node = try session.node(try object.required("node"), "/node")
        let method = try identifier(object, "scope")
        if !sets {
            if session.hierarchy.scope(node, method) != nil {
                transaction.removeScope(node, method)
            }
            return
        }
        let reads = try TraitList.read(try object.required("reads"), "reads", in: session)
        do throws(Problem) {
            try transaction.setScope(node, method, reads: reads)
        } catch {
            throw error.at(error.code == .kindMismatch ? "/scope" : "/reads")
        }
    }

    private static func environmentKey(
        _ kind: OperationKind, _ json: JSONValue, _ transaction: inout Transaction
    ) throws(Problem) {
        let defines = kind == .defineEnvironmentKey
        let object = try ObjectReader(
            json, defines ? "defineEnvironmentKey" : "deleteEnvironmentKey",
            members: ["op", "key"] + (defines ? ["definition"] : []))
        let name = try identifier(object, "key")
        if !defines {
            _ = try key(name, transaction)
            return try transaction.deleteEnvironmentKey(name)
        }
        let definition = try object.required("definition")
        do throws(Problem) {
            try transaction.defineEnvironmentKey(
                try EnvironmentKeyReader.read(definition, key: name, in: transaction.session))
        } catch {
            throw error.prefixed("/definition")
        }
    }

    private static func environment(
        _ kind: OperationKind, _ json: JSONValue, _ transaction: inout Transaction
    ) throws(Problem) {
        let sets = kind == .setEnvironment
        let object = try ObjectReader(
            json, sets ? "setEnvironment" : "removeEnvironment",
            members: ["op", "node", "key"] + (sets ? ["value"] : []))
        let node = try transaction.session.node(try object.required("node"), "/node")
        let key = try key(try object.requiredString("key"), transaction)
        if !sets { return try transaction.removeEnvironment(node, key) }
        let value = try object.required("value")
        do throws(Problem) {
            try transaction.setEnvironment(node, key, value)
        } catch {
            throw error.at("/value")
        }
    }

    /// The environment key that a body names: 422 when there is none.
    private static func key(
        _ name: String, _ transaction: Transaction
    ) throws(Problem) -> EnvironmentKey {
        do throws(Problem) {
            return try transaction.session.environmentKey(named: name)
        } catch {
            throw error.inside(at: "/key")
        }
    }

    // MARK: - Colours and images

    private static func define(
        _ kind: DynamicKind, _ json: JSONValue, _ transaction: inout Transaction
    ) throws(Problem) {
        let object = try ObjectReader(
            json, kind == .color ? "defineColor" : "defineImage",
            members: ["op", kind.member, "definition"])
        let name = try identifier(object, kind.member)
        let definition = try object.required("definition")
        do throws(Problem) {
            try transaction.defineDynamic(
                try DynamicReader.read(
                    definition, kind, named: name, in: transaction.session))
        } catch {
            throw error.prefixed("/definition")
        }
    }

    private static func delete(
        _ kind: DynamicKind, _ json: JSONValue, _ transaction: inout Transaction
    ) throws(Problem) {
        let object = try ObjectReader(
            json, kind == .color ? "deleteColor" : "deleteImage", members: ["op", kind.member])
        let name = try identifier(object, kind.member)
        let session = transaction.session
        guard session.hierarchy.definitions.dynamic(kind, named: name) != nil else {
            throw session.unknownDynamic(kind, name).inside(at: "/\(kind.member)")
        }
        try transaction.deleteDynamic(kind, name)
    }
}
