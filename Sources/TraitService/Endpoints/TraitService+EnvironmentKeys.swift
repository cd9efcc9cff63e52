// Environment keys in the manner of SwiftUI: bridged to a trait, or with storage of their own.

import JSONCodec
import TraitEngine
import TraitSessions

extension TraitService {
    /// `PUT …/environmentKeys/{key}`: the same again is `unchanged`.
    func putEnvironmentKey(_ request: Request) throws(Problem) {
        let name = try request.secondName()
        try request.withBody { json throws(SessionError) in
            try write(request, .defineEnvironmentKey(name, DefinitionBody(json)), creates: true)
        }
    }

    func getEnvironmentKey(_ request: Request) throws(Problem) {
        let context = request.context
        try reading(request) { session throws(SessionError) in
            let key = try session.environmentKey(context.secondParameter)
            EnvironmentKeyWriter.write(
                key, of: session.hierarchy.definitions, into: &context.body)
            context.body.newline()
        }
    }

    /// In the order in which they were defined.
    func listEnvironmentKeys(_ request: Request) throws(Problem) {
        let page = try Page(request, limits)
        try reading(request) { session throws(SessionError) in
            let definitions = session.hierarchy.definitions
            try page.write(
                definitions.environmentKeys, "environmentKeys", name: \.key, request,
                of: session
            ) { key, writer in
                EnvironmentKeyWriter.write(key, of: definitions, into: &writer)
            }
        }
    }

    /// Refused while a node sets an unbridged key; what a bridged one set stays the trait's.
    func deleteEnvironmentKey(_ request: Request) throws(Problem) {
        try translated(
            try write(
                request, .deleteEnvironmentKey(Reference(request.context.secondParameter))))
    }

    // MARK: - Values

    /// `GET …/nodes/{node}/environment`: what every key reads at the node.
    func getEnvironment(_ request: Request) throws(Problem) {
        let context = request.context
        try reading(request) { session throws(SessionError) in
            let node = try session.node(context.secondParameter)
            context.body.beginObject()
            session.writeHead(node, into: &context.body)
            context.body.beginObject("environment")
            for key in session.hierarchy.definitions.environmentKeys {
                context.body.key(key.key)
                let resolution = try session.environment(key, at: node)
                TraitEncoding(key.definition).write(resolution.value, into: &context.body)
            }
            context.body.endObject()
            context.body.endText()
        }
    }

    func getEnvironmentValue(_ request: Request) throws(Problem) {
        let context = request.context
        try reading(request) { session throws(SessionError) in
            let node = try session.node(context.secondParameter)
            let key = try session.environmentKey(context.thirdParameter)
            let resolution = try session.environment(key, at: node)
            context.body.beginObject()
            session.writeHead(node, into: &context.body)
            context.body.member("key", key.key)
            context.body.key("value")
            TraitEncoding(key.definition).write(resolution.value, into: &context.body)
            context.body.key("source")
            session.write(resolution.source, into: &context.body)
            context.body.endText()
        }
    }

    /// `PUT …/nodes/{node}/environment/{key}` with `{"value": …}`: of a bridged key this is the
    /// trait's override.
    func putEnvironmentValue(_ request: Request) throws(Problem) {
        let context = request.context
        try request.withBody { json throws(SessionError) in
            let object = try ObjectReader(json, "a value", members: ["value"])
            try write(
                request,
                .setEnvironment(
                    Reference(context.secondParameter), Reference(context.thirdParameter),
                    try object.required("value")))
        }
    }

    /// Quiet when it was not set.
    func deleteEnvironmentValue(_ request: Request) throws(Problem) {
        let context = request.context
        try translated(
            try write(
                request,
                .removeEnvironment(
                    Reference(context.secondParameter), Reference(context.thirdParameter))))
    }
}

extension Session {
    /// The key that the path names.
    fileprivate func environmentKey(
        _ name: UnsafeRawBufferPointer
    ) throws(SessionError) -> EnvironmentKey {
        try environmentKey(named: try Identifier.checked(name))
    }

    fileprivate func environment(
        _ key: EnvironmentKey, at node: NodeIndex
    ) throws(SessionError) -> Resolution {
        let hierarchy = hierarchy
        return try refusing { () throws(OperationError) in
            try hierarchy.environment(key.key, at: node)
        }
    }
}
