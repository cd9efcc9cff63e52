// The sessions that this process made or ended, for `GET /v1/server/sessions` and the server's log. The history of a
// session ends with it; these notes outlive it.

import DequeModule
import JSONCodec
import Synchronization
import TraitJSON

package final class SessionEvents: Sendable {
    /// No tuple: each access of a lock wraps the functions in a tuple once more.
    private struct State {
        var texts = Deque<[UInt8]>()
        var note: (@Sendable (String) -> Void)?
    }

    private let state = Mutex(State())

    /// The newest notes that are kept, about 300 bytes each.
    private static let countMax = 1_000

    package init() {}

    /// Calls `note` with each further event, as JSON. Quick: the caller may be an event loop.
    package func note(_ note: @escaping @Sendable (String) -> Void) {
        state.withLock { $0.note = note }
    }

    /// The newest first.
    package func write(into json: inout JSONWriter) {
        for text in state.withLock({ $0.texts }).reversed() { json.raw(text) }
    }

    /// A session was made or has ended.
    func add(_ commit: RetainedCommit, of session: SessionIdentity) {
        var json = JSONWriter()
        json.beginObject()
        json.member("time", Timestamp.text(commit.entry.time))
        let isEnd = commit.entry.kind == .tombstone
        json.member("event", isEnd ? "ended" as StaticString : "made")
        json.member("session", session.name)
        json.member("uid", session.uid)
        json.member("revision", commit.revision)
        commit.withCause { cause in
            if cause.count > 2 { json.member("cause", raw: Array(cause)) }
        }
        json.endObject()
        let text = json.array()
        let note = state.withLock { state in
            if state.texts.count >= Self.countMax { state.texts.removeFirst() }
            state.texts.append(text)
            return state.note
        }
        note?(String(decoding: text, as: UTF8.self))
    }
}
