// Where a stream or a long poll starts: at a token, at a revision, now, or at the oldest retained
// commit.

import TraitEngine
import TraitJSON

extension SessionState {
    /// The position to continue after.
    ///
    /// - Parameter from: a token, a revision, `now` or `start`.
    /// - Throws: `malformedToken`, `tokenMismatch`, `sessionReplaced`, `revisionAhead`,
    ///   `historyGone`.
    func position(from text: String, of feed: Feed) throws(SessionError) -> StreamPosition {
        let position = try requestedPosition(text, feed)
        guard position.revision <= acknowledged else {
            throw SessionError(
                .revisionAhead,
                "The session is at revision \(acknowledged); \(position.revision) has not happened yet. Start from it or from now."
            ).with("currentRevision", acknowledged)
        }
        // A watch that began at a head that is not acknowledged has missed nothing either.
        if text == "now" { return position }
        let oldest = oldestPosition(of: feed)
        guard position.nextRevision >= oldest else {
            throw SessionError(.historyGone, refusal(of: position.nextRevision, feed))
                .with("oldestRevision", oldest)
                .with("currentRevision", acknowledged)
        }
        return position
    }

    /// Why a stream cannot begin with a revision, and what to do.
    private func refusal(of revision: Int64, _ feed: Feed) -> String {
        if let retained = retained.oldestRevision, revision >= retained {
            return
                "The changes up to revision \(feed.since) were not recorded for this watch or subtree, as no such stream was open. Start again with ?initial=true, or from=\(feed.since)."
        }
        return
            "Revision \(revision) is no longer retained; the oldest is \(oldestPosition(of: feed)). Start again with ?initial=true, or from=start."
    }

    /// The oldest retained revision; a watch knows nothing from before it began.
    private func oldestPosition(of feed: Feed) -> Int64 {
        let oldest = streams.retained.oldestRevision ?? acknowledged + 1
        return feed.filter.isLive ? max(oldest, feed.since + 1) : oldest
    }

    private func requestedPosition(
        _ text: String, _ feed: Feed
    ) throws(SessionError) -> StreamPosition {
        switch text {
        case "now": return StreamPosition(revision: acknowledged)
        case "start": return StreamPosition(revision: oldestPosition(of: feed) - 1)
        default: break
        }
        if let revision = StreamToken.number(text) { return StreamPosition(revision: revision) }
        guard let token = StreamToken(text) else {
            throw SessionError(
                .malformedToken,
                "'\(text.prefix(80))' is no position. `from` takes a record's token, a revision, now or start."
            )
        }
        guard token.uid == uid else {
            throw SessionError(
                .sessionReplaced,
                "The token belongs to another session that had the name '\(name)'. Start again with ?initial=true."
            ).with("currentRevision", acknowledged)
        }
        if let filter = token.filter, filter != feed.fingerprint {
            throw SessionError(
                .tokenMismatch,
                "The token is from inside a revision of a stream with other registrations or watches. Use it with the same ones, or start from revision \(token.position.revision)."
            )
        }
        return token.position
    }
}
