// Writes sessions as a backup, a slice at a time: one session after another, each at a revision that its
// log has acknowledged.

import Background
import JSONCodec
import SessionLog
import TraitJSON
import TraitSessions

/// Confined to one thread at a time.
package final class BackupWriter {
    private enum Stage {
        case head
        case next
        case session(SessionSnapshot, SnapshotWriter)
        case end
    }

    private let sessions: [Session]
    private let createdAt: Int64
    private var stage = Stage.head
    private var position = 0
    private var written = 0
    private var checksum = FNV1a()
    private var json = JSONWriter()

    package init(_ sessions: [Session], createdAt: Int64) {
        self.sessions = sessions
        self.createdAt = createdAt
    }

    /// All sessions of a store, by name.
    package convenience init(_ store: SessionStore) {
        self.init(store.page(after: nil, limit: .max), createdAt: store.environment.now())
    }

    /// Hands the next bytes to `out`. May wait for the log to acknowledge a revision, so it is not to
    /// be called on a shard. Returns whether there is more.
    ///
    /// - Throws: why a session cannot be read. The backup is then incomplete, and reads as such.
    package func write(
        _ out: (UnsafeRawBufferPointer) -> Void
    ) throws(SessionError) -> Bool {
        // What was handed out before.
        json.drain()
        switch stage {
        case .head:
            json.beginObject()
            json.beginObject("backup")
            json.member("format", BackupFormat.version)
            json.member("createdAt", Timestamp.text(createdAt))
            json.endObject()
            json.endText()
            stage = .next
        case .next:
            guard position < sessions.count else {
                writeEnd()
                out(json.bytes)
                stage = .end
                return false
            }
            let session = sessions[position]
            position += 1
            guard let snapshot = try Self.snapshot(of: session) else { return true }
            json.beginObject()
            json.key("session")
            stage = .session(snapshot, SnapshotWriter(try snapshot.session()))
        case .session(let snapshot, let writer):
            if !writer.write(into: &json) {
                json.member("checksum", hexadecimal: snapshot.checksum)
                json.endText()
                written += 1
                stage = .next
            }
        case .end: return false
        }
        checksum.add(json.bytes)
        out(json.bytes)
        return true
    }

    private func writeEnd() {
        json.beginObject()
        json.beginObject("end")
        json.member("sessions", Int64(written))
        json.member("checksum", hexadecimal: checksum.value)
        json.endObject()
        json.endText()
    }

    /// How long a backup waits for the commits of one session.
    private static let waitMax = Duration.milliseconds(100)

    /// The session at an acknowledged revision; nil when it has ended, or the log does not have it yet.
    private static func snapshot(of session: Session) throws(SessionError) -> SessionSnapshot? {
        while true {
            let taken = try session.withState {
                state throws(SessionError) -> (SessionSnapshot, PendingResponse?)? in
                if state.isDeleted || state.acknowledged == 0 { return nil }
                return (
                    try state.snapshot(isCounted: false), state.pendingResponse(until: state.head)
                )
            }
            guard let (snapshot, response) = taken else { return nil }
            guard let response else { return snapshot }
            switch response.waitForDecision(until: Uptime.monotonic(after: Self.waitMax)) {
            case .released: return snapshot
            case .refused(let error): throw error
            case .readAgain: continue
            // What waits for the log longer is left out.
            case .pending:
                if let snapshot = try session.acknowledgedSnapshot() { return snapshot }
            }
        }
    }
}
