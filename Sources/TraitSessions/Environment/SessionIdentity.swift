// The name of a session, and its other properties that never change.

import JSONCodec
import SessionLog
import TraitEngine

/// Immutable. Shared by a session and its state.
package final class SessionIdentity: Sendable {
    package let header: SessionHeader
    // Copies of the properties that every answer shows.
    package let name: String
    package let uid: String
    let logSession: LogSession
    /// `"session":…,"uid":…`, with which the answer to a write begins.
    let answerOpening: [UInt8]
    /// The header's part of the session's digest.
    let digest: StateDigest

    init(_ header: SessionHeader) {
        self.header = header
        name = header.name
        uid = header.uid
        digest = header.digest
        logSession = LogSession(name: name, uid: uid)
        answerOpening = JSONWriter.text {
            $0.member("session", header.name)
            $0.member("uid", header.uid)
        }
    }
}
