// Sessions from files: the body of a PUT plus a `name`.

import JSONCodec

extension TraitService {
    /// Creates a session from the JSON of a file.
    ///
    /// - Throws: the problem, with a pointer into the file; then nothing was created.
    package func load(_ bytes: UnsafeRawBufferPointer) throws(Problem) -> (name: String, nodes: Int)
    {
        let tape = JSONTape(limits: JSONLimits(documentBytesMax: JSONLimits.documentBytesCeiling))
        return try tape.withDocument(bytes, refusal: Problem.init) { json throws(Problem) in
            let body = try SessionBody(json, limits: limits)
            guard let name = try body.name() else {
                throw Problem(
                    .missingMember, "A session file needs a `name`.", pointer: "")
            }
            if registry.find(name) != nil { throw .exists(name) }
            var making = try SessionMaking(
                name, body, in: registry, CommitOptions(), text: TextBuffer())
            _ = try making.fill(limit: .max)
            _ = try making.finish { _ in }
            return (name, making.session.locked { making.session.hierarchy.nodeCount })
        }
    }
}
