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
                guard json.member("name") != nil || json.kind != .object else {
                    throw SessionError(
                        .missingMember, "A session file needs a `name`.", pointer: "")
                }
                let creation = SessionCreation(SessionCreation.Order(), store)
                while true {
                    guard let created = try creation.step(json) else { continue }
                    switch created {
                    case .found(let session), .created(let session, _, _):
                        return (session.name, session.locked { session.hierarchy.nodeCount })
                    }
                }
            }
        }
    }
}
