// A stream of notices that values of a node have changed, without the values: the client reads all of them again.
// Notices follow the traits of a watch, and the definitions of traits.

import JSONCodec
import Ledger
import TraitEngine
import TraitJSON
import TraitSessions

/// Where a stream of notices begins.
package struct OpenedNotices: Sendable {
    let node: String
    let feed: Feed
    let caller: MemoryAccount?
    /// The session's acknowledged revision.
    package let revision: Int64
    /// Whether the client may have missed a change before the stream.
    let mayHaveMissed: Bool
}

/// One look of a stream of notices at its session.
private struct NoticeReading: Sendable {
    var feed: Feed
    /// All commits up to this revision were considered.
    var revision: Int64
    /// The newest revision that changed a value or the set of traits, with its time; nil for none.
    var change: DefinitionChange?
    /// When the newest such commit was decided.
    var decidedAt: UInt64 = 0
    var ending: StreamReason?
}

extension SessionState {
    /// Opens a stream of notices about all traits of a node.
    ///
    /// - Parameter lastEventID: the id of the last notice that the client got; nil for none. One that proves nothing
    ///   has the stream begin with a notice.
    /// - Throws: `unknownNode`, and what the opening of a watch throws.
    package func openNotices(
        of name: String, after lastEventID: String?, for caller: MemoryAccount?
    ) throws(SessionError) -> OpenedNotices {
        if isDeleted { throw .deleted(self.name) }
        let feed = try noticeFeed(try node(named: name, "node"), for: caller)
        let hasAll = lastEventID.map { missedNothing(since: $0, feed) } ?? false
        return OpenedNotices(
            node: name, feed: feed, caller: caller, revision: acknowledged, mayHaveMissed: !hasAll)
    }

    private func noticeFeed(
        _ node: NodeIndex, for caller: MemoryAccount?
    ) throws(SessionError) -> Feed {
        let feed = try feed([], [(node, hierarchy.definitions.settable)], for: caller)
        feed.followsDefinitions = true
        return feed
    }

    /// Whether nothing that concerns the feed has happened since the notice with that id.
    private func missedNothing(since id: String, _ feed: Feed) -> Bool {
        guard let token = StreamToken(id), token.uid == uid, token.position.part == nil,
            (feed.since...max(feed.since, acknowledged)).contains(token.position.revision),
            streams.definitionChange.revision <= token.position.revision
        else { return false }
        if case .caughtUp = read(feed, from: token.position, limit: 1) { return true }
        return false
    }

    private var noticeCommitsAtATime: Int { 1_024 }

    /// Reads all that a stream of notices has not considered. O(commits that concern the feed).
    fileprivate func readNotices(
        of name: String, _ feed: Feed, after revision: Int64, for caller: MemoryAccount?
    ) -> NoticeReading {
        var reading = NoticeReading(feed: feed, revision: revision)
        let definitions = streams.definitionChange
        if definitions.revision > revision, !isDeleted {
            reading.change = definitions
            guard let node = hierarchy.node(name),
                let next = try? noticeFeed(node, for: caller)
            else {
                reading.ending = hierarchy.node(name) == nil ? .nodeDeleted : .limit
                return reading
            }
            reading.feed = next
        }
        while true {
            let position = StreamPosition(revision: reading.revision)
            switch read(reading.feed, from: position, limit: noticeCommitsAtATime) {
            case .commits(let commits):
                guard let last = commits.last else { return reading }
                reading.revision = last.revision
                reading.decidedAt = last.commit.decidedAt
                reading.note(
                    DefinitionChange(revision: last.revision, time: last.commit.entry.time))
            case .caughtUp(let revision):
                reading.revision = revision
                return reading
            case .lost:
                reading.revision = acknowledged
                reading.note(
                    DefinitionChange(revision: acknowledged, time: acknowledgedTime))
            case .moved(let next, let after):
                reading.feed = next
                reading.revision = max(after, reading.revision)
            case .ended(let reason, let revision):
                reading.revision = max(revision, reading.revision)
                reading.note(
                    DefinitionChange(revision: reading.revision, time: acknowledgedTime))
                reading.ending = reason
                return reading
            }
        }
    }
}

extension NoticeReading {
    fileprivate mutating func note(_ newer: DefinitionChange) {
        if newer.revision >= change?.revision ?? 0 { change = newer }
    }
}

extension StreamToken {
    /// Whether the token is a revision of that session.
    package func names(_ session: Session) -> Bool {
        uid == session.uid && position.part == nil
    }
}

extension Session {
    /// Whether the session has not acknowledged the revision of a token. False for a session that is deleted; true
    /// while a thread owns the session.
    package func isBehind(_ token: StreamToken) -> Bool {
        withStateIfFree { !$0.isDeleted && $0.acknowledged < token.position.revision } ?? true
    }

    /// Wakes `waker` with the next commit, and at once if the revision of the token is reached.
    package func wakeAfterCommit(_ waker: any Waker, before token: StreamToken) {
        nowOrLater { state, wakes in
            if state.isDeleted || state.acknowledged >= token.position.revision {
                wakes.add(waker)
            } else {
                state.await(waker)
            }
        }
    }
}

/// The text of one stream of notices, as server-sent events. Confined to the thread that serves its reader.
package final class ChangeNotices: StreamText {
    private let session: Session
    private let node: String
    private let caller: MemoryAccount?
    private var feed: Feed
    private var revision: Int64
    private let mayHaveMissed: Bool
    private var hasBegun = false
    private let listener = ListenerPlace()
    private var waker: (any Waker)?
    private let bornAt: Int64
    private var lastSentAt: Int64
    package private(set) var newestDecidedAt: UInt64 = 0
    package private(set) var endReason: StreamReason?

    package init(_ session: Session, _ opened: OpenedNotices) {
        self.session = session
        node = opened.node
        caller = opened.caller
        feed = opened.feed
        revision = opened.revision
        mayHaveMissed = opened.mayHaveMissed
        bornAt = session.environment.uptime()
        lastSentAt = bornAt
    }

    package func listen(_ waker: any Waker) {
        self.waker = waker
        listen()
    }

    private func listen() {
        guard let waker else { return }
        listener.listen(
            to: feed, of: session, from: StreamPosition(revision: revision), waker, atOnce: false)
    }

    package func produce(into out: any RecordSink, budget: Int) -> CursorStep {
        let now = session.environment.uptime()
        var text = JSONWriter()
        if !hasBegun {
            hasBegun = true
            text.verbatim("retry: 1000\n")
            if mayHaveMissed {
                write(revision, nil, into: &text)
            } else {
                text.verbatim("\n")
            }
        }
        let reading = session.withStateIfFree(waking: waker) {
            $0.readNotices(of: node, feed, after: revision, for: caller)
        }
        if let reading {
            revision = reading.revision
            if let change = reading.change {
                write(change.revision, change.time, into: &text)
                newestDecidedAt = reading.decidedAt
            }
            follow(reading.feed)
            endReason = reading.ending
            if now - bornAt >= session.limits.streamLifetimeMilliseconds {
                endReason = endReason ?? .timeout
            }
        }
        if text.count == 0, now - lastSentAt >= session.limits.heartbeatMilliseconds {
            text.verbatim(":\n\n")
        }
        if text.count > 0 {
            lastSentAt = now
            out.append(text.bytes)
        }
        if endReason != nil { return .finished }
        let due = min(
            lastSentAt + session.limits.heartbeatMilliseconds,
            bornAt + session.limits.streamLifetimeMilliseconds)
        return .idle(milliseconds: max(1, due - now + 1))
    }

    /// Goes on with another feed, if it is another one.
    private func follow(_ next: Feed) {
        if next === feed { return }
        listener.leave(feed, of: session)
        feed = next
        listen()
    }

    /// One notice: `id`, `event` and `data`.
    ///
    /// - Parameter time: when the change was committed, milliseconds since 1970; nil where it is not known what has
    ///   changed.
    private func write(_ revision: Int64, _ time: Int64?, into text: inout JSONWriter) {
        let id = "\(session.uid).\(revision)"
        text.verbatim("id: \(id)\nevent: message\ndata: ")
        text.beginObject()
        text.member("type", "refetchEvaluation" as StaticString)
        if let time {
            text.member("etag", id)
            text.member("lastModified", time / 1_000)
        }
        text.endObject()
        text.verbatim("\n\n")
    }

    package func sharedRecords() -> (any FramedRecords)? { nil }

    package var heldBytes: Int { 0 }

    package func end(_ reason: StreamReason, into out: any RecordSink) { endReason = reason }

    package func closed() { listener.leave(feed, of: session) }
}
