// The history of a resolved value: who changed it, when, and what it was before.

import JSONCodec
import SessionViews
import TraitEngine
import TraitJSON
import TraitSessions

extension TraitService {
    /// `GET …/nodes/{node}/traits/{trait}/history?from=&to=`: the changes of the value, newest first.
    func getValueHistory(_ request: Request) throws(Problem) {
        let context = request.context
        let page = try Page(request, limits)
        let session = try session(request)
        let node = try request.secondName()
        let trait = String(decoding: context.thirdParameter, as: UTF8.self)
        let from = try context.query.revisionOrTime(.from)
        let to = try context.query.revisionOrTime(.to)
        let place = try page.after.map { names throws(Problem) in try Self.place(names) }
        let asked = try translating { () throws(SessionError) in
            try request.withState(of: session, before: false) { state throws(SessionError) in
                try request.checkIsThere(state)
                let definitions = state.hierarchy.definitions
                if let trait = definitions.index(of: context.thirdParameter),
                    definitions[trait].origin == .systemPrivate
                {
                    throw SessionError(OperationError.privateTrait(definitions[trait].key))
                }
                let pinned = context.origin.pinned
                return try state.range(
                    from: from, to: to, last: place?.last ?? (pinned > 0 ? pinned : nil))
            }
        }
        let last = asked.last
        context.origin.pinned = last
        let finding = try translating { () throws(SessionError) in
            try store.past.changes(
                of: trait, at: node, in: session, from: asked.first, to: last,
                for: request.exchange.caller)
        }
        let found = try request.found(finding)
        guard found.hadNode, found.hadTrait else {
            // Says what is missing, with a suggestion.
            return try translating { () throws(SessionError) in
                try request.withState(of: session, before: false) { state throws(SessionError) in
                    if found.hadNode {
                        _ = try state.trait(context.thirdParameter)
                        throw SessionError(
                            .unknownTrait,
                            "The trait '\(trait)' was not there up to revision \(last).")
                    }
                    _ = try state.node(context.secondParameter)
                    throw SessionError(
                        .unknownNode, "The node '\(node)' was not there up to revision \(last).")
                }
            }
        }
        let text = ValueHistoryText(
            found, node: node, revision: last, oldest: asked.oldest, before: place?.before,
            size: page.size)
        guard text.byteCount > limits.inlineAnswerBytesMax else {
            text.write(into: &context.body)
            if let next = text.next { page.link(next, request) }
            return request.finishReading(uid: session.uid, revision: last)
        }
        let reservation = try translated(
            try environment.memory.reserving(text.byteCount * 2, for: request.exchange.caller))
        work(request, revision: last) { _ in
            var writer = JSONWriter()
            text.write(into: &writer)
            return withExtendedLifetime(reservation) { LongBody(writer.bytes, next: text.next) }
        } then: { body, request throws(Problem) in
            request.finish(page, body, session.uid, last)
        }
    }

    /// The revision that the first page was made at, and the one behind which the next page begins.
    private static func place(
        _ names: [String]
    ) throws(Problem) -> (last: Int64, before: Int64) {
        guard names.count == 2, let last = StreamToken.number(names[0]),
            let before = StreamToken.number(names[1])
        else { throw Problem(Page.malformedToken()) }
        return (last, before)
    }
}

/// One page of the history of a value.
private struct ValueHistoryText: Sendable {
    private let history: ValueChanges
    private let node: String
    private let revision: Int64
    private let oldest: Int64
    /// The changes of the page, oldest first.
    private let shown: ArraySlice<ValueChange>
    /// The token of the next page, when there is one.
    let next: String?

    /// - Parameters:
    ///   - before: the revision of the last change of the page before; nil for the first page.
    ///   - size: the most changes of the page.
    init(
        _ history: ValueChanges, node: String, revision: Int64, oldest: Int64, before: Int64?,
        size: Int
    ) {
        self.history = history
        self.node = node
        self.revision = revision
        self.oldest = oldest
        let rest = history.changes(before: before ?? .max)
        shown = rest.suffix(size)
        next =
            rest.count <= size
            ? nil : shown.first.map { PageToken.text([String(revision), String($0.revision)]) }
    }

    /// About how many bytes the page has.
    var byteCount: Int { shown.reduce(256) { $0 + $1.byteCount } }

    func write(into writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("node", node)
        writer.member("trait", history.trait)
        writer.member("revision", revision)
        writer.member("oldestRevision", oldest)
        writer.beginArray("changes")
        for change in shown.reversed() { change.write(into: &writer) }
        writer.endArray()
        Page.end(next: next, of: &writer)
    }
}

extension SessionState {
    /// The revisions that a history looks at, and the oldest that can be read. `first` is nil for the oldest, which
    /// is another one when the window moves on.
    ///
    /// - Parameter known: the newest one, where it is known already.
    /// - Throws: `historyGone`, `revisionAhead`, `malformedParameter` where none is left.
    fileprivate func range(
        from: PastTarget?, to: PastTarget?, last known: Int64?
    ) throws(SessionError) -> (first: Int64?, last: Int64, oldest: Int64) {
        let first = try from.map { target throws(SessionError) in try pastRevision(target) }
        let last =
            if let known {
                try pastRevision(.revision(known))
            } else {
                try to.map { target throws(SessionError) in try pastRevision(target) }
                    ?? acknowledged
            }
        if let first, first > last {
            throw SessionError(
                .malformedParameter, "`from` is revision \(first), which is newer than `to`."
            ).with("parameter", "from")
        }
        return (first, last, oldestPast.revision)
    }
}

extension Query {
    /// A revision or a time; nil when absent.
    ///
    /// - Throws: `malformedParameter`.
    func revisionOrTime(_ parameter: QueryParameter) throws(Problem) -> PastTarget? {
        guard let text = try string(parameter) else { return nil }
        if let number = StreamToken.number(text), number > 0 { return .revision(number) }
        let day = Timestamp.day(text)
        let isStart = parameter == .since || parameter == .from
        guard
            let time = Timestamp.moment(text) ?? (isStart ? day?.lowerBound : day?.upperBound)
        else {
            throw Self.malformed(
                parameter,
                "It takes a revision, a time of RFC 3339 with its zone, such as 2026-11-26T09:30:00Z, or a day with its zone, such as 2026-11-26Z."
            )
        }
        return .time(time)
    }
}
