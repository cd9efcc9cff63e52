// The retained commits of a session, and its counters.

import JSONCodec
import TraitEngine
import TraitSessions

extension TraitService {
    /// `GET …/history`: the retained commits, newest first; with `node` or `trait` those that have an
    /// operation on it.
    func getHistory(_ request: Request) throws(Problem) {
        let context = request.context
        let page = try Page(request, limits)
        let inFull = context.query.flag(.operations)
        var before = Int64.max
        if let names = page.after {
            guard names.count == 1, let revision = StreamToken.number(names[0]) else {
                throw Problem(Page.malformedToken())
            }
            before = revision
        }
        let node = try request.queriedIdentifier(.node)
        let trait = try request.queriedIdentifier(.trait)
        let session = try session(request)
        // Commits are immutable: the page takes references, and is written without the lock.
        let (commits, head, filter) = try translating { () throws(SessionError) in
            try request.withState(of: session, before: false) {
                state throws(SessionError) -> ([RetainedCommit], Int64, CommitFilter?) in
                try request.checkIsThere(state)
                context.response = state.pendingResponse(until: state.head)
                var filter: CommitFilter?
                if node != nil || trait != nil {
                    filter = CommitFilter(
                        node: node, trait: trait, state.hierarchy.definitions)
                }
                // One commit more than the page has tells whether there is a next page. A filter looks at all
                // retained commits.
                let limit = filter == nil ? page.size + 1 : .max
                var commits: [RetainedCommit] = []
                var revision = min(state.acknowledged, before - 1)
                while commits.count < limit, let commit = state.retained[revision] {
                    commits.append(commit)
                    revision -= 1
                }
                return (commits, state.head, filter)
            }
        }
        let text = HistoryText(
            commits, size: page.size, filter, inFull: inFull, uid: session.uid, revision: head)
        guard filter != nil || text.byteCount > limits.inlineHistoryBytesMax else {
            _ = text.write(budget: .max, into: &context.body)
            if let next = text.next { page.link(next, request) }
            return request.finishReading(uid: session.uid, revision: head)
        }
        // The whole page is in memory, twice while its buffer grows. A filter parses one commit at a time,
        // at most the largest.
        var bytes = inFull || filter == nil ? text.byteCount * 2 : 0
        if filter != nil { bytes += text.largestByteCount * Self.tapeBytesPerByte }
        let reservation = try translated(
            try environment.memory.reserving(bytes, for: request.exchange.caller))
        work(request, revision: head) { _ in
            withExtendedLifetime(reservation) { text.step() }
        } then: { [limits, uid = session.uid] body, request throws(Problem) in
            request.finish(try Page(request, limits), body, uid, head)
        }
    }

    /// About how many bytes a parsed operation takes for each byte of its JSON.
    private static let tapeBytesPerByte = 4

    /// `GET …/stats`: counters. Some change without a commit, so the answer has no entity tag.
    func getStatistics(_ request: Request) throws(Problem) {
        let context = request.context
        try looking(request, before: false) { session in
            let hierarchy = session.hierarchy
            let oldest = session.oldestRetained
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
            context.body.member("session", session.name)
            context.body.member("uid", session.uid)
            for (name, value) in counters {
                context.body.key(name)
                context.body.value(value)
            }
            context.body.endText()
        }
        context.field("Cache-Control", "no-store")
    }
}

extension Request {
    /// An identifier in the query; nil without the parameter.
    fileprivate func queriedIdentifier(_ parameter: QueryParameter) throws(Problem) -> String? {
        guard let name = try context.query.string(parameter) else { return nil }
        guard Identifier.isValid(name) else {
            throw Query.malformed(parameter, "It takes an identifier.")
        }
        return name
    }
}

/// The state of a page of the history while it is written.
private final class HistoryText {
    private static let stepBytes = 262_144

    /// Newest first.
    private let commits: [RetainedCommit]
    private let size: Int
    private let filter: CommitFilter?
    private let inFull: Bool
    private let uid: String
    private let revision: Int64
    /// How many commits were looked at.
    private var count = 0
    /// How many commits are written.
    private var written = 0
    private let tape = JSONTape()
    private var writer = JSONWriter()
    /// The token of the next page, when there is one and the page is complete.
    private(set) var next: String?

    /// - Parameters:
    ///   - commits: the candidates for the page, and one more if there is a next page.
    ///   - size: the most commits of the page.
    init(
        _ commits: [RetainedCommit], size: Int, _ filter: CommitFilter?, inFull: Bool, uid: String,
        revision: Int64
    ) {
        self.commits = commits
        self.size = size
        self.filter = filter
        self.inFull = inFull
        self.uid = uid
        self.revision = revision
    }

    /// The bytes of all candidates.
    var byteCount: Int { commits.reduce(0) { $0 + $1.byteCount } }

    var largestByteCount: Int { commits.lazy.map(\.byteCount).max() ?? 0 }

    /// The page when it is complete.
    func step() -> LongBody? {
        write(budget: Self.stepBytes, into: &writer) ? LongBody(writer.bytes, next: next) : nil
    }

    /// Writes about `budget` bytes more. Returns whether the page is complete.
    func write(budget: Int, into writer: inout JSONWriter) -> Bool {
        if writer.count == 0 {
            Page.begin(uid: uid, revision: revision, &writer)
            writer.beginArray("commits")
        }
        var bytes = 0
        while count < commits.count, bytes < budget {
            let commit = commits[count]
            bytes += commit.byteCount
            if filter?.covers(commit, tape) ?? true {
                if written == size {
                    next = PageToken.text([String(commits[count - 1].revision)])
                    break
                }
                commit.write(operationsInFull: inFull, into: &writer)
                written += 1
            }
            count += 1
        }
        guard count == commits.count || next != nil else { return false }
        writer.endArray()
        Page.end(next: next, of: &writer)
        return true
    }
}
