// The history of a resolved value: who changed it, when, and what it was before.

import JSONCodec
import TraitEngine
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
                let pinned = context.origin.pinned
                return try state.range(
                    from: from, to: to, last: place?.last ?? (pinned > 0 ? pinned : nil))
            }
        }
        context.origin.pinned = asked.range.upperBound
        let finding = try pasts { () throws(SessionError) in
            try store.past.changes(
                of: trait, at: node, in: session, asked.range, for: request.exchange.caller)
        }
        let found = try request.found(finding)
        guard found.hadNode, found.hadTrait else {
            // Says what is missing, with a suggestion.
            return try translating { () throws(SessionError) in
                try request.withState(of: session, before: false) { state throws(SessionError) in
                    if !found.hadTrait, found.hadNode {
                        _ = try state.trait(context.thirdParameter)
                    }
                    _ = try state.node(context.secondParameter)
                    throw SessionError(
                        .unknownNode,
                        "The node '\(node)' was not there from revision \(asked.range.lowerBound) to \(asked.range.upperBound)."
                    )
                }
            }
        }
        var shown = found.changes[...]
        if let before = place?.before { shown = shown.prefix { $0.revision < before } }
        let isWhole = shown.count <= page.size
        shown = shown.suffix(page.size)
        context.body.beginObject()
        context.body.member("node", node)
        context.body.member("trait", found.trait)
        context.body.member("revision", asked.range.upperBound)
        context.body.member("oldestRevision", asked.oldest)
        context.body.beginArray("changes")
        for change in shown.reversed() { change.write(into: &context.body) }
        context.body.endArray()
        if !isWhole, let oldest = shown.first {
            page.writeNext(
                PageToken.text([String(asked.range.upperBound), String(oldest.revision)]), request)
        }
        context.body.endText()
        request.finishReading(uid: session.uid, revision: asked.range.upperBound)
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

extension SessionState {
    /// The revisions that a history looks at, and the oldest that can be read.
    ///
    /// - Parameter last: the newest one, where it is known already.
    /// - Throws: `historyGone`, `revisionAhead`, `malformedParameter` where none is left.
    fileprivate func range(
        from: PastTarget?, to: PastTarget?, last: Int64?
    ) throws(SessionError) -> (range: ClosedRange<Int64>, oldest: Int64) {
        let oldest = oldestPast.revision
        let first =
            try from.map { target throws(SessionError) in try pastRevision(target) } ?? oldest
        let newest: Int64
        if let last {
            newest = try pastRevision(.revision(last))
        } else {
            newest =
                try to.map { target throws(SessionError) in try pastRevision(target) }
                ?? acknowledged
        }
        guard first <= newest else {
            throw SessionError(
                .malformedParameter, "`from` is revision \(first), which is newer than `to`."
            ).with("parameter", "from")
        }
        return (first...newest, oldest)
    }
}

extension Query {
    /// A revision or a time; nil when absent.
    ///
    /// - Throws: `malformedParameter`.
    func revisionOrTime(_ parameter: QueryParameter) throws(Problem) -> PastTarget? {
        guard let text = try string(parameter) else { return nil }
        if let number = StreamToken.number(text), number > 0 { return .revision(number) }
        guard let time = Timestamp.moment(text) else {
            throw Self.malformed(
                parameter,
                "It takes a revision, or a time of RFC 3339 with its zone, such as 2026-11-26T09:30:00Z."
            )
        }
        return .time(time)
    }
}
