// What happened to a session, as far as it is retained, and what it holds.

import TraitSessions
import JSONCodec
import TraitEngine

extension TraitService {
    /// `GET …/history`: the retained commits, newest first.
    func getHistory(_ request: Request) throws(Problem) {
        let context = request.context
        let page = try Page(request, limits)
        let inFull = context.query.flag(.operations)
        var before = Int64.max
        if let token = page.after {
            guard let revision = StreamToken.number(token) else { throw Problem(Page.malformedToken()) }
            before = revision
        }
        try reading(request) { session throws(SessionError) in
            context.body.beginObject()
            context.body.key("commits")
            context.body.beginArray()
            var revision = min(session.acknowledged, before - 1)
            var count = 0
            while count < page.size, let commit = session.retained[revision] {
                commit.write(operationsInFull: inFull, into: &context.body)
                revision -= 1
                count += 1
            }
            context.body.endArray()
            if session.retained[revision] != nil {
                page.writeNext(after: String(revision + 1), request)
            }
            context.body.endObject()
            context.body.newline()
        }
    }

    /// `GET …/stats`: counters, also those that change without a commit; so without entity tag.
    func getStatistics(_ request: Request) throws(Problem) {
        let context = request.context
        try looking(request) { session in
            let hierarchy = session.hierarchy
            let oldest = session.retained.oldestRevision ?? session.acknowledged + 1
            let counters: [(StaticString, Int64)] = [
                ("revision", session.head),
                ("acknowledgedRevision", session.acknowledged),
                ("oldestRevision", oldest),
                ("retainedCommits", Int64(session.retained.count)),
                ("retainedBytes", Int64(session.retained.bytes)),
                ("nodes", Int64(hierarchy.nodeCount)),
                ("registrations", Int64(hierarchy.registrationCount)),
                ("scopes", Int64(hierarchy.scopeCount)),
                ("customTraits", Int64(hierarchy.definitions.custom.count)),
                ("environmentKeys", Int64(hierarchy.definitions.environmentKeys.count)),
                ("colors", Int64(hierarchy.definitions.dynamics(.color).count)),
                ("images", Int64(hierarchy.definitions.dynamics(.image).count)),
                ("streams", Int64(session.feeds.listenerCount)),
                ("watches", Int64(session.feeds.watchCount)),
                ("waitingAnswers", Int64(session.waitingCount)),
            ]
            context.body.beginObject()
            context.body.key("session")
            context.body.value(session.name)
            context.body.key("uid")
            context.body.value(session.uid)
            for (name, value) in counters {
                context.body.key(name)
                context.body.value(value)
            }
            context.body.endObject()
            context.body.newline()
        }
        context.field("Cache-Control", "no-store")
    }
}
