// The retained commits of a session, and its counters.

import JSONCodec
import Ledger
import SessionViews
import TraitEngine
import TraitJSON
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
        let filters = try HistoryFilters(request)
        let session = try session(request)
        let pins = inFull || filters.resolved != nil
        let changed = try changes(filters, in: session, request)
        var last = Int64.max
        // Commits are immutable: the page takes references, and is written without the lock.
        let (commits, head, filter) = try translating { () throws(SessionError) in
            try request.withState(of: session, before: false) {
                state throws(SessionError) -> ([RetainedCommit], Int64, CommitFilter?) in
                try request.checkIsThere(state)
                let newest =
                    context.origin.confirmation.isWaived ? state.acknowledged : state.head
                context.response = state.pendingResponse(until: newest)
                if pins, context.origin.pinned == 0 { context.origin.pinned = state.acknowledged }
                let head = pins ? context.origin.pinned : newest
                var filter: CommitFilter?
                if filters.node != nil || filters.trait != nil {
                    filter = CommitFilter(
                        node: filters.node, trait: filters.trait, state.hierarchy.definitions)
                }
                // One commit more than the page has shows whether there is a next page. A filter looks at all
                // retained commits.
                let limit = filter == nil && filters.causes.isEmpty ? page.size + 1 : .max
                var commits: [RetainedCommit] = []
                guard let range = state.retainedRange(filters) else {
                    return (commits, head, filter)
                }
                // Names are followed back from the newest commit.
                last = min(range.upperBound, before - 1)
                var revision = min(filter == nil ? last : .max, head)
                if let changed, filter == nil {
                    for change in changed.changes(before: revision + 1).reversed() {
                        if commits.count == limit || change.begins { break }
                        guard let commit = state.retained[change.revision],
                            change.revision >= range.lowerBound
                        else { break }
                        commits.append(commit)
                    }
                    return (commits, head, filter)
                }
                while commits.count < limit, revision >= range.lowerBound,
                    let commit = state.retained[revision]
                {
                    commits.append(commit)
                    revision -= 1
                }
                return (commits, head, filter)
            }
        }
        let text = HistoryText(
            commits, size: page.size, through: last, filter, filters.causes, inFull: inFull,
            uid: session.uid, revision: head)
        if filter != nil, let changed {
            text.only = Set(changed.changes.filter { !$0.begins }.map(\.revision))
        }
        if inFull { return try writePrevious(text, session, page, request) }
        guard text.hasFilter || text.byteCount > limits.inlineHistoryBytesMax else {
            _ = text.write(budget: .max, into: &context.body)
            if let next = text.next { page.link(next, request) }
            return request.finishReading(uid: session.uid, revision: head)
        }
        let reservation = try reserve(text, request)
        work(request, revision: head) { _ in
            withExtendedLifetime(reservation) { text.step() }
        } then: { [limits, uid = session.uid] body, request throws(Problem) in
            request.finish(try Page(request, limits), body, uid, head)
        }
    }

    /// Adds to each operation of the page what it replaced. The page is found on the workers, and the values on the
    /// threads for the past; then the request is handled again.
    private func writePrevious(
        _ text: HistoryText, _ session: Session, _ page: Page, _ request: Request
    ) throws(Problem) {
        let head = text.revision
        let reservation = try reserve(text, request)
        work(request, revision: head) { _ in
            withExtendedLifetime(reservation) { text.choose() }
        } then: { [self] chosen, request throws(Problem) in
            // Before the oldest state that can be rebuilt, it is not known what operations replaced.
            let known = try translating { () throws(SessionError) in
                try request.withState(of: session, before: false) { $0.oldestWithPrevious }
            }
            let revisions = chosen.filter { $0 >= known }
            let finding = try translating { () throws(SessionError) in
                try store.past.previousValues(
                    of: revisions.sorted(), in: session, for: request.exchange.caller)
            }
            text.previous = try request.found(finding)
            self.work(request, revision: head) { _ in
                withExtendedLifetime(reservation) { text.step() }
            } then: { body, request throws(Problem) in
                request.finish(page, body, session.uid, head)
            }
        }
    }

    /// Reserves memory for a page that is written.
    private func reserve(
        _ text: HistoryText, _ request: Request
    ) throws(Problem) -> MemoryReservation {
        // The whole page is in memory, twice while its buffer grows. A filter parses one commit at a time,
        // at most the largest.
        var bytes = text.inFull || !text.hasFilter ? text.byteCount * 2 : 0
        if text.hasFilter { bytes += text.largestByteCount * Self.tapeBytesPerByte }
        return try translated(
            try environment.memory.reserving(bytes, for: request.exchange.caller))
    }

    /// The changes of the resolved value that the filters name; nil without one.
    private func changes(
        _ filters: HistoryFilters, in session: Session, _ request: Request
    ) throws(Problem) -> ValueChanges? {
        guard let (node, trait) = filters.resolved else { return nil }
        let last = try translating { () throws(SessionError) in
            try request.withState(of: session, before: false) { state -> Int64 in
                let pinned = request.context.origin.pinned
                return pinned > 0 ? pinned : state.acknowledged
            }
        }
        request.context.origin.pinned = last
        let finding = try translating { () throws(SessionError) in
            try store.past.changes(
                of: trait, at: node, in: session, from: nil, to: last,
                for: request.exchange.caller)
        }
        return try request.found(finding)
    }

    /// About how many bytes a parsed operation takes for each byte of its JSON.
    private static let tapeBytesPerByte = 4

    /// `GET …/stats`: counters. Some change without a commit, so the answer has no entity tag. A local answer waits
    /// for no commit: its two revisions say what the log does not have yet.
    func getStatistics(_ request: Request) throws(Problem) {
        let context = request.context
        try looking(request, before: false) { session in
            let hierarchy = session.hierarchy
            let oldest = session.oldestPast.revision
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
        if context.origin.confirmation.isWaived { context.response = nil }
        context.field("Cache-Control", "no-store")
    }
}

/// The state of a page of the history while it is written.
/// Confined to one thread at a time.
private final class HistoryText: @unchecked Sendable {
    private static let stepBytes = 262_144

    /// Newest first.
    private let commits: [RetainedCommit]
    private let size: Int
    /// Newer commits are looked at for the names that they give.
    private let last: Int64
    /// The revisions that changed the resolved value; nil for any.
    var only: Set<Int64>?
    private let filter: CommitFilter?
    private let causes: CauseFilter
    let inFull: Bool
    private let uid: String
    let revision: Int64
    /// The values that the operations replaced, where they are written in full.
    var previous: PreviousValues?
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
    ///   - last: no newer commit is on the page.
    init(
        _ commits: [RetainedCommit], size: Int, through last: Int64, _ filter: CommitFilter?,
        _ causes: CauseFilter,
        inFull: Bool, uid: String, revision: Int64
    ) {
        self.causes = causes
        self.commits = commits
        self.size = size
        self.last = last
        self.filter = filter
        self.inFull = inFull
        self.uid = uid
        self.revision = revision
    }

    /// Whether commits have to be looked at one by one.
    var hasFilter: Bool { filter != nil || !causes.isEmpty }

    private func covers(_ commit: RetainedCommit) -> Bool {
        commit.revision <= last && only?.contains(commit.revision) ?? true
            && causes.covers(commit, tape) && (filter?.covers(commit, tape) ?? true)
    }

    /// How many commits were looked at for names.
    private var lookedAt = 0

    /// Follows names through about so many bytes of commits more. Returns whether all were looked at.
    private func followNames(budget: Int) -> Bool {
        guard let filter, lookedAt < commits.count else { return true }
        var bytes = 0
        while lookedAt < commits.count, bytes < budget {
            filter.look(at: commits[lookedAt])
            bytes += commits[lookedAt].byteCount
            lookedAt += 1
        }
        if lookedAt == commits.count { filter.finish() }
        return lookedAt == commits.count
    }

    /// The revisions of the page's commits while it is found, newest first.
    private var chosen: [Int64] = []

    /// Finds about so many bytes of candidates more. Returns the revisions of the page when all are known.
    func choose() -> [Int64]? {
        guard followNames(budget: Self.stepBytes) else { return nil }
        var bytes = 0
        while count < commits.count, written <= size, bytes < Self.stepBytes {
            let commit = commits[count]
            bytes += commit.byteCount
            count += 1
            guard covers(commit) else { continue }
            written += 1
            if written <= size { chosen.append(commit.revision) }
        }
        guard count == commits.count || written > size else { return nil }
        (count, written) = (0, 0)
        return chosen
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
        guard followNames(budget: budget) else { return false }
        if writer.count == 0 {
            Page.begin(uid: uid, revision: revision, &writer)
            writer.beginArray("commits")
        }
        var bytes = 0
        while count < commits.count, bytes < budget {
            let commit = commits[count]
            bytes += commit.byteCount
            if covers(commit) {
                if written == size {
                    next = PageToken.text([String(commits[count - 1].revision)])
                    break
                }
                if let previous {
                    commit.write(
                        withPrevious: previous.operations[commit.revision], into: &writer)
                } else {
                    commit.write(operationsInFull: inFull, into: &writer)
                }
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
