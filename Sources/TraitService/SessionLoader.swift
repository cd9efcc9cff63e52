// Sessions from files: the document that a PUT takes, plus a `name`.

import JSONCodec
import TraitSessions

extension TraitService {
    /// Creates a session from the JSON of a file.
    ///
    /// - Throws: the problem, with a pointer into the file; then nothing was created.
    package func load(_ bytes: UnsafeRawBufferPointer) throws(Problem) -> (name: String, nodes: Int)
    {
        let tape = JSONTape(limits: JSONLimits(documentBytesMax: JSONLimits.documentBytesCeiling))
        return try translating { () throws(SessionError) in
            try tape.withDocument(bytes, refusal: SessionError.init) { json throws(SessionError) in
                let session = try store.load(json)
                return (session.name, session.locked { session.hierarchy.nodeCount })
            }
        }
    }
}
