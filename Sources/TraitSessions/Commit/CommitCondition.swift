// The conditions of a write on the state of its session.

import TraitJSON

/// The states that an `If-Match` or `If-None-Match` lists (RFC 9110, section 13.1). An object, because most
/// writes have none and their options are passed on several times.
package final class ListedStates: Sendable {
    /// `*`: every state.
    package let isAny: Bool
    /// `uid.revision` of each tag that can match.
    package let states: [String]
    /// Whether a tag cannot match because it is weak.
    package let hasWeak: Bool

    package init(_ states: [String], isAny: Bool = false, hasWeak: Bool = false) {
        self.states = states
        self.isAny = isAny
        self.hasWeak = hasWeak
    }

    package func contains(_ state: String) -> Bool { isAny || states.contains(state) }
}

/// The conditions of a write on the session's state.
package struct CommitCondition: Sendable {
    /// The revision that a transaction names.
    package var ifRevision: Int64?
    /// The states of which the session has to have one; nil for any.
    package var ifMatch: ListedStates?
    /// The states of which the session may have none; nil for any.
    package var ifNoneMatch: ListedStates?

    package init() {}

    /// Whether every state meets it.
    var isNone: Bool { ifRevision == nil && ifMatch == nil && ifNoneMatch == nil }

    func isMet(by session: SessionState) -> Bool {
        if let ifRevision, ifRevision != session.head { return false }
        if ifMatch == nil, ifNoneMatch == nil { return true }
        return allowsTags(uid: session.uid, revision: session.head)
    }

    /// Whether the conditions on entity tags are met.
    package func allowsTags(uid: String, revision: Int64) -> Bool {
        let state = "\(uid).\(revision)"
        if let ifMatch, !ifMatch.contains(state) { return false }
        if let ifNoneMatch, ifNoneMatch.contains(state) { return false }
        return true
    }
}

extension SessionError {
    /// The session's state is none that the conditions allow.
    static func movedOn(
        _ condition: CommitCondition, uid: String, revision: Int64
    ) -> SessionError {
        let detail: String
        if let listed = condition.ifMatch, listed.hasWeak, listed.states.isEmpty {
            detail =
                "A weak entity tag never matches If-Match, and a proxy that compresses answers makes tags weak. Send If-Match: \"uid.revision\", made of these two members of the answer that was read."
        } else if let listed = condition.ifNoneMatch, listed.contains("\(uid).\(revision)") {
            detail =
                listed.isAny
                ? "What the request changes is there, and If-None-Match: * refuses that. Only a PUT can create with it."
                : "The session is at revision \(revision), which If-None-Match lists."
        } else {
            detail =
                "The session is at revision \(revision). Read again, then repeat with this revision."
        }
        return SessionError(.revisionMismatch, detail).with("currentRevision", revision)
    }
}
