// Pages of lists: `pageSize`, `pageToken`, `nextPageToken` and the `Link` to the next one.

import JSONCodec
import SessionViews
import TraitJSON
import TraitSessions

/// The part of a list that a request asks for.
struct Page {
    let size: Int
    /// Bytes after which the page ends, even with fewer items than `size`.
    let bytesMax: Int
    /// The names of the page's token (see `PageToken`); nil for the first page.
    let after: [String]?
    let filter: TextFilter?

    init(_ request: Request, _ limits: ServiceLimits) throws(Problem) {
        let query = request.context.query
        bytesMax = limits.pageBytesMax
        size =
            try query.integer(.pageSize, in: 1...limits.pageSizeMax) ?? limits.pageSizeDefault
        filter = try TextFilter(query, bytesMax: limits.filterBytesMax)
        guard let token = try query.string(.pageToken) else {
            after = nil
            return
        }
        after = try translated(try PageToken.names(token))
    }

    static func malformedToken() -> SessionError {
        SessionError(
            .malformedToken,
            "Give back the nextPageToken of the last page, or leave pageToken out to start again."
        ).with("parameter", "pageToken")
    }

    /// Writes `nextPageToken` into the open object and the `Link` into the header.
    func writeNext(_ token: String, _ request: Request) {
        request.context.body.member("nextPageToken", token)
        link(token, request)
    }

    /// Ends the page's object, with `nextPageToken` when there is a next page.
    static func end(next: String?, of writer: inout JSONWriter) {
        writer.member("nextPageToken", ifPresent: next)
        writer.endText()
    }

    /// `{"uid","revision"` of a page of a session's list.
    static func begin(uid: String, revision: Int64, _ writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("uid", uid)
        writer.member("revision", revision)
    }

    /// Writes the `Link` into the header.
    func link(_ token: String, _ request: Request) {
        let context = request.context
        let path = String(decoding: request.exchange.path, as: UTF8.self)
        var parameters = ["pageSize=\(size)", "pageToken=\(token)"]
        for parameter in Self.kept {
            if let value = context.query[parameter] {
                parameters.append("\(parameter.name)=\(PercentEncoding.query(value))")
            }
        }
        context.field("Link", "<\(path)?\(parameters.joined(separator: "&"))>; rel=\"next\"")
    }

    /// Parameters that the next page's link repeats.
    private static let kept: [QueryParameter] = [
        .under, .kind, .depth, .overriding, .q, .node, .trait, .operations, .consistency, .pretty,
        .revision, .at, .resolved, .caller, .manager, .reason, .since, .until, .from, .to,
    ]

    /// Writes a page of a list whose elements have names. O(elements).
    ///
    /// - Parameter elementBytesMax: no longer element is written.
    /// - Returns: whether the page is whole, and the token of the next page.
    fileprivate func write<Element>(
        _ list: NamedList<Element>, of session: SessionState, elementBytesMax: Int,
        into writer: inout JSONWriter
    ) throws(SessionError) -> (isWhole: Bool, next: String?) {
        let all = list.all(session)
        var rest = all[...]
        if let after { rest = all[(try position(of: after, in: all, list.name))...] }
        Self.begin(uid: session.uid, revision: session.head, &writer)
        writer.key(list.member)
        writer.beginArray()
        var shown: [String] = []
        var next: String?
        for element in rest {
            let name = list.name(element)
            if let filter, !filter.matches(name) { continue }
            if shown.count == size || !shown.isEmpty && writer.count >= bytesMax {
                let names = PageToken.names(before: shown.count) { shown[shown.count - $0] }
                next = PageToken.text(names, mark: all.last.map(list.name) ?? "")
                break
            }
            if list.bytes(element) > elementBytesMax { return (false, nil) }
            list.write(session, element, &writer)
            shown.append(name)
        }
        writer.endArray()
        Self.end(next: next, of: &writer)
        return (true, next)
    }

    /// The place behind the first of `names` that is still in the list, where it was; 0 when none is. The
    /// list is in the order of creation, so what was made again stands behind others.
    private func position<Element>(
        of names: [String], in all: [Element], _ name: (Element) -> String
    ) throws(SessionError) -> Int {
        var positions: [String: Int] = [:]
        for (position, element) in all.enumerated() { positions[name(element)] = position }
        let end = PageToken.mark(of: names).flatMap { positions[$0] } ?? all.count
        for (index, listed) in names.enumerated() {
            guard let position = positions[listed], position <= end else { continue }
            if index + 1 < PageToken.nearest, index + 1 < names.count,
                let before = positions[names[index + 1]], before < position,
                all[(before + 1)..<position].contains(where: { filter?.matches(name($0)) ?? true })
            {
                continue
            }
            return position + 1
        }
        // This server's tokens have at least two names (see `PageToken.names`).
        if names.count == 1, !all.isEmpty { throw Self.malformedToken() }
        return 0
    }
}

/// A list of a session whose elements have names.
struct NamedList<Element>: Sendable {
    let member: StaticString
    /// In the order of creation.
    let all: @Sendable (SessionState) -> [Element]
    let name: @Sendable (Element) -> String
    /// About how many bytes an element takes in the page.
    let bytes: @Sendable (Element) -> Int
    let write: @Sendable (SessionState, Element, inout JSONWriter) -> Void
}

extension TraitService {
    /// Answers with a page of a list: written under the session's lock, unless one of its elements is long; then
    /// from a snapshot, on the workers.
    func listing<Element>(
        _ request: Request, _ list: NamedList<Element>
    ) throws(Problem) {
        let page = try Page(request, limits)
        let elementBytesMax = limits.inlineAnswerBytesMax
        try listing(request, page) { state, isShort, writer throws(SessionError) in
            try page.write(
                list, of: state, elementBytesMax: isShort ? elementBytesMax : .max, into: &writer)
        }
    }

    /// Answers with a page that `write` writes: under the session's lock if that is short enough, otherwise from a
    /// snapshot, on the workers.
    ///
    /// - Parameter write: writes the page. Where it has to be short, it may end without the whole page.
    func listing(
        _ request: Request, _ page: Page,
        _ write:
            @escaping @Sendable (
                _ state: SessionState, _ isShort: Bool, inout JSONWriter
            ) throws(SessionError) -> (isWhole: Bool, next: String?)
    ) throws(Problem) {
        let context = request.context
        let session = try session(request)
        let snapshot = try translating { () throws(SessionError) in
            try request.withState(of: session, before: true) {
                state throws(SessionError) -> SessionSnapshot? in
                try request.checkIsThere(state)
                context.response = state.pendingResponse(until: state.head)
                let written = try write(state, true, &context.body)
                if written.isWhole {
                    if let next = written.next { page.link(next, request) }
                    request.finishReading(state)
                    return nil
                }
                context.body.reset()
                return try state.snapshot()
            }
        }
        guard let snapshot else { return }
        work(request, revision: snapshot.revision) { _ throws(SessionError) in
            var writer = JSONWriter()
            let next = try snapshot.session().withState { state throws(SessionError) in
                try write(state, false, &writer).next
            }
            return LongBody(writer.bytes, next: next)
        } then: { body, request throws(Problem) in
            request.finish(page, body, snapshot.header.uid, snapshot.revision)
        }
    }
}
