// Sessions from files: the body of a PUT plus a `name`.

import JSONCodec

extension TraitService {
    /// Creates a session from the JSON of a file.
    ///
    /// - Throws: the problem, with a pointer into the file; then nothing was created.
    package func load(_ bytes: UnsafeRawBufferPointer) throws(Problem) -> (name: String, nodes: Int)
    {
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
            return (name, session.locked { session.hierarchy.nodeCount })
        }
    }
}
