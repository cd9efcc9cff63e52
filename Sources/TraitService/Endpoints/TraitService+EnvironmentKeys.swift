// Environment keys in the manner of SwiftUI: bridged to a trait, or with storage of their own.

import JSONCodec
import TraitEngine

extension TraitService {
    /// `PUT …/environmentKeys/{key}`: the same again is `unchanged`.
    func putEnvironmentKey(_ request: Request) throws(Problem) {
        let context = request.context
        let name = try Identifier.checked(context.secondParameter)
        var isNew = false
        try request.withBody { json throws(Problem) in
            try writing(request) { transaction throws(Problem) in
                let session = transaction.session
                let key = try EnvironmentKeyReader.read(json, key: name, in: session)
                isNew = session.hierarchy.definitions.environmentKey(named: name) == nil
                if !isNew { try request.refuseWhenCreateOnly(name) }
                try transaction.defineEnvironmentKey(key)
            }
        }
        if isNew, context.status == 200 { context.status = 201 }
    }

    func getEnvironmentKey(_ request: Request) throws(Problem) {
        let context = request.context
        try reading(request) { session throws(Problem) in
            let key = try session.environmentKey(context.secondParameter)
            EnvironmentKeyWriter.write(
                key, of: session.hierarchy.definitions, into: &context.body)
            context.body.newline()
        }
    }

    /// In the order in which they were defined.
    func listEnvironmentKeys(_ request: Request) throws(Problem) {
        let page = try Page(request, limits)
        try reading(request) { session throws(Problem) in
            let definitions = session.hierarchy.definitions
            try page.write(
                definitions.environmentKeys, "environmentKeys", name: \.key, request
            ) { key, writer in
                EnvironmentKeyWriter.write(key, of: definitions, into: &writer)
            }
        }
    }

    /// Refused while a node sets an unbridged key; what a bridged one set stays the trait's.
    func deleteEnvironmentKey(_ request: Request) throws(Problem) {
        try writing(request) { transaction throws(Problem) in
            let key = try transaction.session.environmentKey(request.context.secondParameter)
            try transaction.deleteEnvironmentKey(key.key)
        }
    }

    // MARK: - Values

    /// `GET …/nodes/{node}/environment`: what every key reads at the node.
    func getEnvironment(_ request: Request) throws(Problem) {
        let context = request.context
        try reading(request) { session throws(Problem) in
            let node = try session.node(context.secondParameter)
            context.body.beginObject()
            session.writeHead(node, into: &context.body)
            context.body.key("environment")
            context.body.beginObject()
            for key in session.hierarchy.definitions.environmentKeys {
                context.body.key(key.key)
                let resolution = try session.environment(key, at: node)
                TraitEncoding(key.definition).write(resolution.value, into: &context.body)
            }
            context.body.endObject()
            context.body.endObject()
            context.body.newline()
        }
    }

    func getEnvironmentValue(_ request: Request) throws(Problem) {
        let context = request.context
        try reading(request) { session throws(Problem) in
            let node = try session.node(context.secondParameter)
            let key = try session.environmentKey(context.thirdParameter)
            let resolution = try session.environment(key, at: node)
            context.body.beginObject()
            session.writeHead(node, into: &context.body)
            context.body.key("key")
            context.body.value(key.key)
            context.body.key("value")
            TraitEncoding(key.definition).write(resolution.value, into: &context.body)
            context.body.key("source")
            session.write(resolution.source, into: &context.body)
            context.body.endObject()
            context.body.newline()
        }
    }

    /// `PUT …/nodes/{node}/environment/{key}` with `{"value": …}`: of a bridged key this is the
    /// trait's override.
    func putEnvironmentValue(_ request: Request) throws(Problem) {
        let context = request.context
        try request.withBody { json throws(Problem) in
            let object = try ObjectReader(json, "a value", members: ["value"])
            let value = try object.required("value")
            try writing(request) { transaction throws(Problem) in
                let node = try transaction.session.node(context.secondParameter)
                let key = try transaction.session.environmentKey(context.thirdParameter)
                do throws(Problem) {
                    try transaction.setEnvironment(node, key, value)
                } catch {
                    throw error.at("/value")
                }
            }
        }
    }

    /// Quiet when it was not set.
    func deleteEnvironmentValue(_ request: Request) throws(Problem) {
        let context = request.context
        try writing(request) { transaction throws(Problem) in
            let node = try transaction.session.node(context.secondParameter)
            let key = try transaction.session.environmentKey(context.thirdParameter)
            try transaction.removeEnvironment(node, key)
        }
    }
}

extension Session {
    /// The key that the path names.
    func environmentKey(_ name: UnsafeRawBufferPointer) throws(Problem) -> EnvironmentKey {
        try environmentKey(named: try Identifier.checked(name))
    }

    func environmentKey(named name: String) throws(Problem) -> EnvironmentKey {
        if let key = hierarchy.definitions.environmentKey(named: name) { return key }
        let known = hierarchy.definitions.environmentKeys.map(\.key)
        throw Problem(
            .unknownEnvironmentKey,
            "The session '\(self.name)' has no environment key '\(name.prefix(140))'. PUT …/environmentKeys/… defines one.",
            didYouMean: Suggestion.nearest(to: name, among: known))
    }

    fileprivate func environment(
        _ key: EnvironmentKey, at node: NodeIndex
    ) throws(Problem) -> Resolution {
        let hierarchy = hierarchy
        return try refusing { () throws(OperationError) in
            try hierarchy.environment(key.key, at: node)
        }
    }
}
