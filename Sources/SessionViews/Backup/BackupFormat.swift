// The form in which sessions leave a server and come back: lines of JSON.
//
//     {"backup":{"format":1,"createdAt":"2026-01-31T12:00:00.000Z"}}
//     {"session":{…},"checksum":"…"}                  one line a session, by name
//     {"end":{"sessions":2,"checksum":"…"}}
//
// A session is what a snapshot in a log holds: header, revision, digest, recorded outcomes and document;
// its checksum is that of the log entry of the revision. The checksum of the last line is FNV-1a over all
// bytes before that line: a copy that ends early or was changed is refused.

import JSONCodec
import SessionLog
import TraitSessions

package enum BackupFormat {
    package static let version: Int64 = 1
}

/// A session at one revision, with what another log needs to go on from it.
package struct BackupSession: Sendable {
    package let name: String
    package let snapshot: LogSnapshot
}
