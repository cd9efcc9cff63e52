// Why a session cannot be read from its log.

import JSONCodec
import SessionLog
import TraitEngine
import TraitJSON

/// Where a replay differs from the log, or what in the log cannot be read.
package struct ReplayError: Error, Sendable, CustomStringConvertible {
    /// Empty when the failure concerns the log as a whole.
    package let session: String
    package let revision: Int64
    package let reason: String
    package let cause: Cause
    /// The facts by which an operator finds the fault in an entry that cannot be applied.
    package var evidence: Evidence?

    /// Whether trying again would find the same.
    var isFinal: Bool {
        switch cause {
        case .damaged, .unsupported, .refused: true
        case .unavailable, .outOfMemory: false
        }
    }

    package struct Evidence: Sendable {
        /// The payload of the entry, as far as its first 4,096 bytes.
        package let entry: String
        /// The payload's length in bytes.
        package let entryBytes: Int
        /// The digest of the state that the entry was to change, in hexadecimal.
        package let digestBefore: String

        init(_ entry: LogEntry, _ state: SessionState) {
            self.entry = String(decoding: entry.payload.prefix(Self.bytesMax), as: UTF8.self)
            entryBytes = entry.payload.count
            digestBefore = String(state.digest.full, radix: 16)
        }

        private static let bytesMax = 4_096
    }

    package enum Cause: Sendable {
        case damaged
        /// The log could not be read, which says nothing about the entries: the same call may succeed later.
        case unavailable
        /// There is no memory to read the entries, which says nothing about them either.
        case outOfMemory
        /// Another version wrote the session, and nothing is damaged. The reason says what to do.
        case unsupported
        /// The operator has this process refuse the entry.
        case refused
    }

    init(session: String, revision: Int64, reason: String, cause: Cause = .damaged) {
        self.session = session
        self.revision = revision
        self.reason = reason
        self.cause = cause
    }

    /// The failure of a log that was read for a session, or for all of them.
    init(_ failure: LogFailure, session: String = "", revision: Int64 = 1) {
        let cause: Cause =
            switch failure.kind {
            case .unavailable, .denied: .unavailable
            case .outOfMemory: .outOfMemory
            case .unsupported: .unsupported
            case .damaged, .notCovered, .snapshotMismatch, .notDeleted, .replaced: .damaged
            }
        self.init(session: session, revision: revision, reason: failure.reason, cause: cause)
    }

    /// The error of a replay for an entry or a snapshot that the session refuses.
    init(_ error: SessionError, session: String, revision: Int64, reason: String) {
        let cause: Cause =
            switch error.code {
            case .outOfMemory: .outOfMemory
            case .unsupportedMode: .unsupported
            default: .damaged
            }
        self.init(session: session, revision: revision, reason: reason, cause: cause)
    }

    package var description: String {
        session.isEmpty
            ? "The sessions cannot be read: \(reason)"
            : "The session '\(session)' cannot be replayed beyond revision \(revision - 1): \(reason)"
    }
}

extension SessionError {
    /// The error of a request for a session that cannot take over the entries of its log.
    init(_ error: ReplayError, of name: String) {
        switch error.cause {
        case .damaged, .unsupported, .refused:
            let end = error.reason.hasSuffix(".") ? "" : "."
            self.init(
                .sessionDiverged,
                "The session '\(name)' stays at revision \(error.revision - 1) here: \(error.reason)\(end) Ask another server."
            )
        case .unavailable:
            self.init(.logUnavailable, "The log does not answer: \(error.reason). Nothing changed.")
        case .outOfMemory:
            self.init(
                .outOfMemory,
                "There is no memory to read the newest entries of '\(name)'. Nothing changed.")
        }
    }
}
