// Which commits a history shows: by who made them, and why, and by the kinds of their operations.

import JSONCodec
import TraitSessions

/// Looks at the cause, the manager and the kinds of commits.
package struct CauseFilter: Sendable {
    /// The caller's id or name.
    package var caller: String?
    package var manager: String?
    /// A part of the text of the reason.
    package var reason: String?
    package var kind: OperationKind?
    package var origin: CommitOrigin?

    package init() {}

    package var isEmpty: Bool {
        caller == nil && manager == nil && reason == nil && kind == nil && origin == nil
    }

    /// Whether the commit has all of what is asked for. O(payload).
    package func covers(_ commit: RetainedCommit, _ tape: JSONTape) -> Bool {
        if let kind, !commit.counts.contains(where: { $0 == kind }) { return false }
        if caller == nil, manager == nil, reason == nil, origin == nil { return true }
        return commit.entry.payload.withUnsafeBytes { payload in
            // The log's entries are valid JSON. Any other text counts as one without a cause.
            (try? tape.withDocument(payload) { covers($0) }) ?? false
        }
    }

    private func covers(_ entry: JSONValue) -> Bool {
        if let manager, entry.member("manager")?.string?.string != manager { return false }
        let cause = entry.member("cause")
        if let origin, cause?.member(origin.member) == nil { return false }
        if let caller {
            let made = cause?.member("caller")
            let names = [made, made?.member("id"), made?.member("name")]
            guard names.contains(where: { $0?.string?.string == caller }) else { return false }
        }
        if let reason {
            guard let given = cause?.member("reason")?.string?.string,
                !reason.isEmpty, given.utf8.contains(reason.utf8)
            else { return false }
        }
        return true
    }
}
