// Sessions' documents and other files that commands read without a server.

import JSONCodec
import SessionViews
import TraitJSON
import TraitService
import TraitSessions

enum DocumentFile {
    /// The session of a document, which no log keeps.
    static func session(of bytes: [UInt8]) throws(SessionError) -> Session {
        let store = SessionStore(limits: ServiceLimits(), environment: .system)
        let tape = JSONTape(limits: JSONLimits(documentBytesMax: JSONLimits.documentBytesCeiling))
        return try tape.withDocument(of: bytes, refusal: SessionError.init) {
            json throws(SessionError) in
            try store.load(json)
        }
    }

    /// Makes a `Fault` of an error, with the name of the file or the change that has it.
    static func reading<Result>(
        _ name: String, _ body: () throws(SessionError) -> Result
    ) throws -> Result {
        do throws(SessionError) {
            return try body()
        } catch {
            let faults = [error] + error.others
            throw Fault(
                faults.map { FaultText(Problem($0)).line(of: InputFile.name(name)) })
        }
    }
}
