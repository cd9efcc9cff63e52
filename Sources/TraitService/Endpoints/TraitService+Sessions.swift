// Sessions: made, found, listed, ended.

import JSONCodec
import TraitEngine

extension TraitService {
    /// `PUT /v1/sessions/{session}`: creates it, or finds it when its settings agree.
    func putSession(_ request: Request) throws(Problem) {
        let name = try Identifier.checked(request.context.firstParameter)
        try request.withBody(optional: "{}") { json throws(Problem) in
            let body = try SessionBody(json, limits: limits)
            try ObjectReader.check(try body.name(), "name", agreesWith: name)
            if let present = registry.find(name) {
                return try answer(request, present, found: body)
            }
            do throws(Problem) {
                try create(request, name, body)
            } catch {
                // Somebody else made it since we looked.
                guard error.code == .exists, let present = registry.find(name) else { throw error }
                try answer(request, present, found: body)
            }
        }
    }

    /// `POST /v1/sessions`: creates it under the given name or one of ours.
    func createSession(_ request: Request) throws(Problem) {
        try request.withBody(optional: "{}") { json throws(Problem) in
            let body = try SessionBody(json, limits: limits)
            let name = try body.name() ?? environment.name(length: 12)
            guard registry.find(name) == nil else { throw Self.exists(name) }
            try create(request, name, body)
            if request.context.status == 201 {
                request.context.field("Location", "/v1/sessions/\(name)")
            }
        }
    }

    private static func exists(_ name: String) -> Problem {
        Problem(
            .exists,
            "There is a session '\(name)' already. Use it, delete it, or take another name.")
    }

    private func create(
        _ request: Request, _ name: String, _ body: SessionBody
    ) throws(Problem) {
        let context = request.context
        let dryRun = context.query.flag(.dryRun)
        if exchangeWantsExisting(request) {
            throw Problem(
                .unknownSession, "There is no session '\(name)' that If-Match could meet.")
        }
        try makeSession(
            name, body, context, dryRun: dryRun, cause: request.cause,
            describe: { session in
                Self.write(session, isDryRun: dryRun, into: &context.body)
                context.body.newline()
                if dryRun { return }
                context.field("Traitd-Revision", session.head)
                context.field("ETag", "\"\(session.uid).\(session.head)\"")
            })
        context.status = 201
    }

    private func exchangeWantsExisting(_ request: Request) -> Bool {
        request.exchange.header(.ifMatch) != nil
    }

    /// Makes a session with one commit and adds it to the others.
    ///
    /// - Throws: what the body's traits and nodes are refused for; `exists`; `quota`. Then there
    ///   is no such session.
    @discardableResult
    func makeSession(
        _ name: String, _ body: SessionBody, _ context: RequestContext, dryRun: Bool = false,
        cause: [UInt8] = [], describe: (Session) -> Void = { _ in }
    ) throws(Problem) -> Session {
        let session = Session(
            name: name, configuration: body.configuration, limits: limits,
            environment: environment, log: registry.log)
        let registry = registry
        session.onLost = { registry.remove($0) }
        // Nobody knows the session before it is complete, so that nobody waits for its lock.
        try registry.checkRoom()
        try session.locked { () throws(Problem) in
            do throws(Problem) {
                _ = try session.commit(
                    CommitOptions(dryRun: dryRun, cause: cause), text: context.operations,
                    wakes: &context.wakes, describe: { _ in describe(session) },
                    admit: { () throws(Problem) in
                        if try registry.insert(session) != nil { throw Self.exists(name) }
                    }
                ) { transaction throws(Problem) in
                    try body.fill(&transaction)
                }
                // Before the lock is free: later the log may have decided already.
                context.hold = session.hold(until: session.head)
            } catch {
                session.isDeleted = true
                registry.remove(session)
                throw error
            }
        }
        return session
    }

    private func answer(
        _ request: Request, _ session: Session, found body: SessionBody
    ) throws(Problem) {
        if let condition = request.exchange.header(.ifNoneMatch), condition.elementsEqual("*".utf8)
        {
            throw Problem(
                .revisionMismatch,
                "There is a session '\(session.name)' already, and If-None-Match: * asks for a new one."
            ).with("currentRevision", session.locked { session.head })
        }
        if body.hasContent { throw Self.exists(session.name) }
        guard body.agrees(with: session.configuration) else {
            throw Problem(
                .sessionDiffers,
                "The session '\(session.name)' exists with propagation \(session.configuration.propagation.rawValue), updates \(session.configuration.updates.rawValue) and other settings than the body's. Leave them out, or delete it first."
            )
        }
        try reading(request) { session in
            Self.write(session, into: &request.context.body)
            request.context.body.newline()
        }
    }

    func getSession(_ request: Request) throws(Problem) {
        try reading(request) { session in
            Self.write(session, into: &request.context.body)
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
            session.locked { Self.write(session, into: &context.body) }
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

    /// `{"name","uid","revision","createdAt","propagation","updates","nodes",…}`.
    static func write(
        _ session: Session, isDryRun: Bool = false, into writer: inout JSONWriter
    ) {
        writer.beginObject()
        writer.key("name")
        writer.value(session.name)
        writer.key("uid")
        writer.value(session.uid)
        writer.key("revision")
        writer.value(session.head)
        writer.key("createdAt")
        writer.value(Timestamp.text(session.createdAt))
        writer.key("propagation")
        writer.value(session.configuration.propagation.rawValue)
        writer.key("updates")
        writer.value(session.configuration.updates.rawValue)
        writer.key("nodes")
        writer.value(session.hierarchy.nodeCount)
        writer.key("durability")
        writer.value(session.log.durability)
        if !session.configuration.limits.isEmpty {
            writer.key("limits")
            session.configuration.limits.write(into: &writer)
        }
        if isDryRun {
            writer.key("dryRun")
            writer.value(true)
        }
        writer.endObject()
    }
}
