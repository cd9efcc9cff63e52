// A session as logs and backups hold it, written a slice at a time.

import JSONCodec
import TraitEngine

/// `{"header":{…},"revision","digest","outcomes":[…],"document":{…}}`. Confined to one thread at a time.
final class SnapshotWriter {
    private let session: Session
    private let revision: Int64
    private let digest: StateDigest
    private let header: SessionHeader
    private var document: DocumentWriter?

    /// - Parameter session: what the snapshot holds (`SessionSnapshot.session`).
    init(_ snapshot: SessionSnapshot, _ session: Session) {
        self.session = session
        revision = snapshot.revision
        digest = snapshot.digest
        header = snapshot.header
    }

    /// - Parameter session: one that nothing changes.
    init(_ session: Session, revision: Int64) {
        self.session = session
        self.revision = revision
        digest = session.withState(\.digest)
        header = session.header
    }

    /// Writes the next slice: about a millisecond of work. Returns whether there is more.
    func write(into json: inout JSONWriter) -> Bool {
        guard let document else {
            json.beginObject()
            header.write(into: &json)
            json.member("revision", revision)
            json.member("digest", hexadecimal: digest.full)
            session.withState { $0.outcomes.write(into: &json) }
            json.key("document")
            document = DocumentWriter(session)
            return true
        }
        if document.write(into: &json) { return true }
        json.endObject()
        return false
    }
}
