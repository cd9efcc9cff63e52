// What happened to a session, as far as it is retained, and what it holds.

import JSONCodec
import TraitEngine
import TraitSessions

extension TraitService {
    /// `GET …/history`: the retained commits, newest first.
    func getHistory(_ request: Request) throws(Problem) {
        let context = request.context
        let page = try Page(request, limits)
        let inFull = context.query.flag(.operations)
        var before = Int64.max
        if let token = page.after {
            guard let revision = StreamToken.number(token) else {
                throw Problem(Page.malformedToken())
            }
            before = revision
        }
        let session = try session(request)
        var commits: [RetainedCommit] = []
        var head: Int64 = 0
        var hasMore = false
        // Commits are immutable: the page takes references, and is written without the lock.
        try translating { () throws(SessionError) in
            let session = try request.entered(session, before: false)
            defer { session.leave() }
            try request.checkIsThere(session)
            context.response = session.pendingResponse(until: session.head)
            head = session.head
            var revision = min(session.acknowledged, before - 1)
            while commits.count < page.size, let commit = session.retained[revision] {
                commits.append(commit)
                revision -= 1
            }
            hasMore = session.retained[revision] != nil
        }
        let next = hasMore ? commits.last.map { String($0.revision) } : nil
        let text = HistoryText(commits, next: next, inFull: inFull)
        guard text.byteCount > limits.inlineHistoryBytesMax else {
            _ = text.write(budget: .max, into: &context.body)
            if let next { page.link(after: next, request) }
            return request.finishReading(uid: session.uid, revision: head)
        }
        // The page is collected whole, twice while its buffer grows.
        let reservation = try translating { () throws(SessionError) in
            try environment.memory.reserving(text.byteCount * 2, for: request.exchange.caller)
        }
        writeAtLength(request, revision: head) {
            withExtendedLifetime(reservation) { text.step() }
        } then: { [limits, uid = session.uid] body, request throws(Problem) in
            request.finish(try Page(request, limits), body, uid, head)
        }
    }

    /// `GET …/stats`: counters, also those that change without a commit; so without entity tag.
    func getStatistics(_ request: Request) throws(Problem) {
        let context = request.context
        try looking(request, before: false) { session in
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
                ("colors", Int64(hierarchy.definitions.dynamicCount(.color))),
                ("images", Int64(hierarchy.definitions.dynamicCount(.image))),
                ("streams", Int64(session.feeds.listenerCount)),
                ("watches", Int64(session.feeds.watchCount)),
                ("waitingAnswers", Int64(session.waitingCount)),
                ("snapshots", Int64(session.snapshotsHeld)),
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

/// A page of the history in the making.
///
/// `@unchecked Sendable`: used by one step at a time.
private final class HistoryText: @unchecked Sendable {
    private static let stepBytes = 262_144

    private let commits: [RetainedCommit]
    private let next: String?
    private let inFull: Bool
    private var count = 0
    private var writer = JSONWriter()

    /// - Parameter next: what the token of the next page names.
    init(_ commits: [RetainedCommit], next: String?, inFull: Bool) {
        self.commits = commits
        self.next = next
        self.inFull = inFull
    }

    /// About what there is to go through.
    var byteCount: Int { commits.reduce(0) { $0 + $1.byteCount } }

    /// The page when it is complete.
    func step() -> LongBody? {
        write(budget: Self.stepBytes, into: &writer) ? LongBody(writer.bytes, next: next) : nil
    }

    /// Writes on, about `budget` bytes. Returns whether that is all.
    func write(budget: Int, into writer: inout JSONWriter) -> Bool {
        if writer.count == 0 {
            writer.beginObject()
            writer.key("commits")
            writer.beginArray()
        }
        var bytes = 0
        while count < commits.count, bytes < budget {
            commits[count].write(operationsInFull: inFull, into: &writer)
            bytes += commits[count].byteCount
            count += 1
        }
        guard count == commits.count else { return false }
        writer.endArray()
        Page.end(next: next, of: &writer)
        return true
    }
}
