// Sessions: made, found, listed, ended.

import JSONCodec
import TraitEngine

extension TraitService {
    /// `PUT /v1/sessions/{session}`: creates it, or finds it when its settings agree.
    func putSession(_ request: Request) throws(Problem) {
        let name = try Identifier.checked(request.context.firstParameter)
        try carryOut(request.sessionOrder(name), request)
    }

    /// `POST /v1/sessions`: creates it under the given name or one of ours.
    func createSession(_ request: Request) throws(Problem) {
        try carryOut(request.sessionOrder(nil), request)
    }

    /// Makes or finds a session; a large one away from the shard, which serves others meanwhile.
    private func carryOut(_ order: SessionOrder, _ request: Request) throws(Problem) {
        if request.exchange.body.count > limits.inlineBodyBytesMax {
            return try carryOutElsewhere(order, request)
        }
        try request.withBody(optional: "{}") { json throws(Problem) in
            let work = SessionOrderWork(order, registry, text: request.context.operations)
            while true {
                guard let session = try work.step(json) else { continue }
                return try answer(session, order, request)
            }
        }
    }

    private func carryOutElsewhere(
        _ order: SessionOrder, _ request: Request
    ) throws(Problem) {
        try request.checkMediaType()
        let work = SessionOrderWork(order, registry)
        offload(request, name: order.name) { json throws(Problem) in
            try work.step(json)
        } then: { session, request throws(Problem) in
            try self.answer(session, order, request)
        }
    }

    private func answer(
        _ ordered: OrderedSession, _ order: SessionOrder, _ request: Request
    ) throws(Problem) {
        let context = request.context
        switch ordered {
        case .found(let session):
            try reading(request, session) { session in
                session.write(into: &context.body)
                context.body.newline()
            }
        case .made(let session, let body, let hold):
            context.status = 201
            context.hold = hold
            context.body.raw(body)
            if order.options.dryRun { return }
            context.field("Traitd-Revision", 1)
            context.field("ETag", "\"\(session.uid).1\"")
            if order.name == nil { context.field("Location", "/v1/sessions/\(session.name)") }
        }
    }

    func getSession(_ request: Request) throws(Problem) {
        try reading(request) { session in
            session.write(into: &request.context.body)
            request.context.body.newline()
        }
    }

    /// `GET /v1/sessions`, by name.
    func listSessions(_ request: Request) throws(Problem) {
        let context = request.context
        let page = try Page(request, limits)
        let sessions = registry.page(after: page.after, limit: page.size + 1)
        context.body.beginObject()
        context.body.key("sessions")
        context.body.beginArray()
        for session in sessions.prefix(page.size) {
            session.locked { session.write(into: &context.body) }
        }
        context.body.endArray()
        if sessions.count > page.size {
            page.writeNext(after: sessions[page.size - 1].name, request)
        }
        context.body.endObject()
        context.body.newline()
    }

    func deleteSession(_ request: Request) throws(Problem) {
        let context = request.context
        let dryRun = context.query.flag(.dryRun)
        let session = try session(request)
        try session.locked { () throws(Problem) in
            try request.checkIfMatch(session)
            if dryRun || session.isDeleted { return }
            session.isDeleted = true
            registry.remove(session)
            session.feeds.endAll(.sessionDeleted, at: session.acknowledged, wakes: &context.wakes)
            session.log.delete(session.logSession)
        }
        context.status = 204
        context.contentType = nil
    }
}

extension Request {
    /// What the request asks for beside its body.
    fileprivate func sessionOrder(_ name: String?) -> SessionOrder {
        SessionOrder(
            name: name,
            wantsNew: exchange.header(.ifNoneMatch)?.elementsEqual("*".utf8) ?? false,
            wantsExisting: exchange.header(.ifMatch) != nil,
            options: CommitOptions(dryRun: context.query.flag(.dryRun), cause: cause))
    }
}

extension Session {
    /// `{"name","uid","revision","createdAt","propagation","updates","nodes",…}`.
    func write(isDryRun: Bool = false, into writer: inout JSONWriter) {
        writer.beginObject()
        writer.key("name")
        writer.value(name)
        writer.key("uid")
        writer.value(uid)
        writer.key("revision")
        writer.value(head)
        writer.key("createdAt")
        writer.value(Timestamp.text(createdAt))
        writer.key("propagation")
        writer.value(configuration.propagation.rawValue)
        writer.key("updates")
        writer.value(configuration.updates.rawValue)
        writer.key("nodes")
        writer.value(hierarchy.nodeCount)
        writer.key("durability")
        writer.value(log.durability)
        if !configuration.limits.isEmpty {
            writer.key("limits")
            configuration.limits.write(into: &writer)
        }
        if isDryRun {
            writer.key("dryRun")
            writer.value(true)
        }
        writer.endObject()
    }
}
