// Sessions: creates, finds, lists and deletes them.

import JSONCodec
import SessionViews
import TraitEngine
import TraitJSON
import TraitSessions

extension TraitService {
    /// `PUT /v1/sessions/{session}`: creates it, or finds it when its settings agree.
    func putSession(_ request: Request) throws(Problem) {
        try carryOut(
            try request.sessionOrder(try Request.checked(request.context.firstParameter)),
            request)
    }

    /// `POST /v1/sessions`: creates it under the body's name, or under one that the server makes.
    func createSession(_ request: Request) throws(Problem) {
        try carryOut(try request.sessionOrder(nil), request)
    }

    /// Creates or finds a session. A large one is created on the workers, so that the shard can serve other
    /// requests.
    private func carryOut(
        _ order: SessionCreation.Order, _ request: Request
    ) throws(Problem) {
        // A node takes longer to make than to read.
        if request.exchange.body.count > limits.inlineBodyBytesMax / 2 {
            return try carryOutElsewhere(order, request)
        }
        var created: CreatedSession?
        try request.withBody(optional: "{}") { json throws(SessionError) in
            let creation = SessionCreation(order, store, text: request.context.entryText)
            while created == nil { created = try creation.step(json) }
        }
        if let created { try answer(created, order, request) }
    }

    private func carryOutElsewhere(
        _ order: SessionCreation.Order, _ request: Request
    ) throws(Problem) {
        try request.checkMediaType()
        let creation = SessionCreation(order, store)
        workWithJSON(request) { json throws(SessionError) in
            try creation.step(json)
        } then: { created, request throws(Problem) in
            try self.answer(created, order, request)
        }
    }

    private func answer(
        _ created: CreatedSession, _ order: SessionCreation.Order, _ request: Request
    ) throws(Problem) {
        try answer(created, named: order.name == nil, order.options, request)
    }

    /// - Parameter named: whether the path does not have the session's name, so that `Location` is needed.
    func answer(
        _ created: CreatedSession, named: Bool, _ options: CommitOptions, _ request: Request
    ) throws(Problem) {
        let context = request.context
        switch created {
        case .found(let session):
            // The session is being deleted: its name is free when the log has acknowledged that.
            if let end = session.withStateIfFree({ $0.responseAfterEnd() }) ?? nil {
                context.response = end
                return
            }
            try reading(request, session) { session in
                session.write(into: &context.body)
                context.body.newline()
            }
        case .created(let session, let body, let response):
            context.status = 201
            context.response = response
            context.body.raw(body)
            if options.dryRun { return }
            context.field("Traitd-Revision", 1)
            context.field("ETag", "\"\(session.uid).1\"")
            if named { context.field("Location", "/v1/sessions/\(session.name)") }
        }
    }

    func getSession(_ request: Request) throws(Problem) {
        try reading(request) { session in
            session.write(showsOldest: true, into: &request.context.body)
            request.context.body.newline()
        }
    }

    /// `GET /v1/sessions`, by name.
    func listSessions(_ request: Request) throws(Problem) {
        let context = request.context
        let page = try Page(request, limits)
        let (sessions, last) = sessions(of: page, visibleTo: context.caller?.scope ?? .all)
        context.body.beginObject()
        context.body.beginArray("sessions")
        let showsPending = !context.origin.confirmation.isWaived
        let pending = sessions.compactMap {
            $0.writeOrRecall(showsPending: showsPending, into: &context.body)
        }
        context.body.endArray()
        if let last { page.writeNext(PageToken.text([last]), request) }
        context.body.endText()
        context.response = .all(of: pending)
    }

    /// The sessions of a page, and the name behind which the next page begins; nil for the last page. Looks
    /// at a bounded number of sessions, so a page may have fewer than `size` although a next page exists.
    private func sessions(
        of page: Page, visibleTo scope: SessionScope
    ) -> ([Session], last: String?) {
        var found: [Session] = []
        // The list is ordered by name, so the session of the token may have been deleted.
        var last = page.after?.first
        var visits = 0
        let visitsMax =
            page.filter == nil ? .max : max(1, limits.inlineVisitsMax / TextFilter.visitsForOne)
        while true {
            let some = store.page(after: last, limit: page.size + 1, visibleTo: scope)
            for session in some {
                if found.count == page.size || visits >= visitsMax {
                    return (found, last)
                }
                visits += 1
                last = session.name
                if page.filter?.matches(session.name) ?? true { found.append(session) }
            }
            if some.count <= page.size { return (found, nil) }
        }
    }

    func deleteSession(_ request: Request) throws(Problem) {
        let context = request.context
        var options = CommitOptions()
        try translating { () throws(SessionError) in try request.read(&options) }
        let session = try session(request)
        let write = WriteAnswer(answer: .commit, session: session, creates: false)
        let result = try translated(
            try session.delete(
                options, text: context.entryText, body: &context.body, wakes: &context.wakes))
        switch result {
        case .done(let outcome, let head): return request.finishWriting(outcome, head: head, write)
        case .held(let outcome, let head, let response):
            request.finishWriting(outcome, head: head, write)
            context.response = response
        case .pending(let response): context.response = response
        case .mustWait, .takesLong:
            options.caller = request.exchange.caller
            context.response = session.queueEnd(options)
        }
        context.write = write
    }
}

extension Request {
    /// The options of a creation, from the query and the header.
    fileprivate func sessionOrder(_ name: String?) throws(Problem) -> SessionCreation.Order {
        var order = SessionCreation.Order()
        order.name = name
        try translating { () throws(SessionError) in try read(&order.options) }
        order.options.caller = exchange.caller
        order.wantsNew = order.options.wantsNew
        order.wantsExisting = order.options.condition.ifMatch != nil
        order.scope = context.caller?.scope
        return order
    }
}
