// Environment keys in the manner of SwiftUI: bridged to a trait, or with storage of their own.

import JSONCodec
import SessionViews
import TraitEngine
import TraitJSON
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
        try readingInParts(request) { session throws(SessionError) in
            let text = EnvironmentKeyText(
                try session.environmentKey(context.secondParameter),
                of: session.hierarchy.definitions)
            return ListText(count: text.pairCount) { _, writer in
                text.begin(&writer)
            } member: { _, position, writer in
                text.writePair(position, into: &writer)
            } end: { _, writer in
                text.end(&writer)
                writer.newline()
            }
        }
    }

    /// In the order in which they were defined.
    func listEnvironmentKeys(_ request: Request) throws(Problem) {
        try listing(
            request,
            NamedList(member: "environmentKeys") { session in
                session.hierarchy.definitions.environmentKeys
            } name: {
                $0.key
            } bytes: { key in
                key.map.reduce(0) { $0 + $1.environment.textBytes + $1.trait.textBytes }
            } write: { session, key, writer in
                EnvironmentKeyWriter.write(key, of: session.hierarchy.definitions, into: &writer)
            })
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
        try readingInParts(request) { session throws(SessionError) in
            let node = try session.node(context.secondParameter)
            let keys = session.hierarchy.definitions.environmentKeys
            return ListText(count: keys.count) { session, writer in
                writer.beginObject()
                session.writeHead(node, into: &writer)
                writer.beginObject("environment")
            } member: { session, position, writer in
                let key = keys[position]
                // The session has the key, so this never fails.
                guard let resolution = try? session.environment(key, at: node) else { return }
                writer.key(key.key)
                TraitEncoding(key.definition).write(resolution.value, into: &writer)
            } end: { _, writer in
                writer.endObject()
                writer.endText()
            }
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

extension SessionState {
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
