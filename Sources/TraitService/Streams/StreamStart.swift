// Where a stream or a long poll starts, from `?from=` or `Last-Event-ID`.

import TraitEngine

enum StreamStart {
    /// The position to continue after. Runs while the session's lock is held.
    ///
    /// - Throws: `malformedToken`, `tokenMismatch`, `sessionReplaced`, `revisionAhead`,
    ///   `historyGone`.
    static func position(
        _ request: Request, _ session: Session, _ feed: Feed
    ) throws(Problem) -> StreamPosition {
        let position = try requested(request, session, feed)
        guard position.revision <= session.acknowledged else {
            throw Problem(
                .revisionAhead,
                "The session is at revision \(session.acknowledged); \(position.revision) has not happened yet. Start from it or from now."
            ).with("currentRevision", session.acknowledged)
        }
        let oldest = max(
            session.retained.oldestRevision ?? session.acknowledged + 1, watchStart(feed))
        guard position.nextRevision >= oldest else {
            throw Problem(
                .historyGone,
                "Revision \(position.nextRevision) is no longer retained; the oldest is \(oldest). Start again with ?initial=true, or from=start."
            )
            .with("oldestRevision", oldest)
            .with("currentRevision", session.acknowledged)
            .with("restart", restart(request))
        }
        return position
    }

    /// A watch knows nothing from before it began.
    private static func watchStart(_ feed: Feed) -> Int64 {
        if case .watch = feed.filter { feed.since + 1 } else { 0 }
    }

    private static func restart(_ request: Request) -> String {
        let path = String(decoding: request.exchange.path, as: UTF8.self)
        var parameters: [String] = []
        for parameter in [QueryParameter.traits, .registrations, .operations] {
            if let value = request.context.query[parameter] {
                parameters.append(
                    "\(parameter.name)=\(String(decoding: value, as: UTF8.self))")
            }
        }
        return path + "?" + (parameters + ["initial=true"]).joined(separator: "&")
    }

    private static func requested(
        _ request: Request, _ session: Session, _ feed: Feed
    ) throws(Problem) -> StreamPosition {
        let lastEventID = request.exchange.header(.lastEventID).map {
            String(decoding: $0, as: UTF8.self)
        }
        // An EventSource that reconnects repeats its first URL, so the header wins.
        let text =
            if let lastEventID, !lastEventID.isEmpty { lastEventID } else {
                try request.context.query.string(.from) ?? "now"
            }
        switch text {
        case "now": return StreamPosition(revision: session.acknowledged)
        case "start":
            let oldest = session.retained.oldestRevision ?? session.acknowledged + 1
            return StreamPosition(revision: max(oldest, watchStart(feed)) - 1)
        default: break
        }
        if let revision = StreamToken.number(text) { return StreamPosition(revision: revision) }
        guard let token = StreamToken(text) else {
            throw Problem(
                .malformedToken,
                "'\(text.prefix(80))' is no position. `from` takes a record's token, a revision, now or start."
            ).with("parameter", "from")
        }
        guard token.uid == session.uid else {
            throw Problem(
                .sessionReplaced,
                "The token belongs to another session that had the name '\(session.name)'. Start again with ?initial=true."
            )
            .with("currentRevision", session.acknowledged)
            .with("restart", restart(request))
        }
        if let filter = token.filter, filter != feed.fingerprint {
            throw Problem(
                .tokenMismatch,
                "The token is from inside a revision of a stream with other registrations or watches. Use it with the same ones, or start from revision \(token.position.revision)."
            )
        }
        return token.position
    }
}
