// A session as logs and backups hold it, written a slice at a time.

import JSONCodec
import TraitEngine

/// `{"header":{…},"revision","digest","outcomes":[…],"document":{…}}`. Confined to one thread at a time.
package final class SnapshotWriter {
    private let session: Session
    private var document: DocumentWriter?

    /// - Parameter session: one that nothing changes, such as that of a snapshot.
    package init(_ session: Session) { self.session = session }

    /// Writes the next slice: about a millisecond of work. Returns whether there is more.
    package func write(into json: inout JSONWriter) -> Bool {
        guard let document else {
            json.beginObject()
            session.header.write(into: &json)
            session.withState { state in
                json.member("revision", state.head)
                json.member("digest", hexadecimal: state.digest.full)
                state.outcomes.write(into: &json)
            }
            json.key("document")
            document = DocumentWriter(session)
            return true
        }
        if document.write(into: &json) { return true }
        json.endObject()
        return false
    }
}
