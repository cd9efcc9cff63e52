// Sessions from files: the body of a PUT plus a `name`.

import JSONCodec

extension TraitService {
    /// What was loaded.
    package struct LoadedSession: Sendable {
        package let name: String
        package let nodes: Int
        /// A node to show to somebody who asks for an example: the deepest of the first ones.
        package let exampleNode: String?
    }

    /// Creates a session from the JSON of a file.
    ///
    /// - Throws: the problem, with a pointer into the file; then nothing was created.
    package func load(_ bytes: UnsafeRawBufferPointer) throws(Problem) -> LoadedSession {
        let context = RequestContext(seed: environment.random())
        let tape = JSONTape(limits: JSONLimits(documentBytesMax: JSONLimits.documentBytesCeiling))
        return try tape.withDocument(bytes, refusal: Problem.init) { json throws(Problem) in
            let body = try SessionBody(json, limits: limits)
            guard let name = try body.name() else {
                throw Problem(
                    .missingMember, "A session file needs a `name`.", pointer: "")
            }
            let session = try makeSession(name, body, context)
            context.wakes.wake()
            return session.locked {
                var example: (node: String, depth: Int)?
                var visited = 0
                session.hierarchy.forEachNode { node, level in
                    if level > example?.depth ?? -1 {
                        example = (session.hierarchy.identifier(of: node), level)
                    }
                    visited += 1
                    return visited < 1_000 ? .descend : .stop
                }
                return LoadedSession(
                    name: name, nodes: session.hierarchy.nodeCount, exampleNode: example?.node)
            }
        }
    }
}
