// The token of a plan: names the state that the plan was made for, and the document with its
// options.

import TraitEngine
import TraitSessions

/// `uid.revision-DIGEST`, 16 hexadecimal digits. Opaque to clients.
package struct PlanToken: Equatable, Sendable {
    package let uid: String
    package let revision: Int64
    package let digest: UInt64

    package init(uid: String, revision: Int64, digest: UInt64) {
        self.uid = uid
        self.revision = revision
        self.digest = digest
    }

    /// Nil when the text is no token.
    package init?(_ text: String) {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        let state = parts.first?.split(separator: ".", omittingEmptySubsequences: false) ?? []
        guard parts.count == 2, state.count == 2, parts[1].utf8.count == 16,
            let digest = UInt64(parts[1], radix: 16), let revision = Int64(state[1]), revision >= 0,
            !state[0].isEmpty
        else { return nil }
        self.init(uid: String(state[0]), revision: revision, digest: digest)
    }

    package var text: String { "\(uid).\(revision)-\(digest.hexadecimal)" }
}
