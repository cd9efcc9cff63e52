// Registrations for trait changes.

import JSONCodec
import TraitEngine

/// `{"node","traits":[…] or "set","colors":[…]?,"images":[…]?,"label"?}`.
struct RegistrationBody {
    let object: ObjectReader

    init(_ json: JSONValue) throws(Problem) {
        object = try ObjectReader(
            json, "a registration",
            members: RegistrationSubject.members(beside: ["id", "node", "label"]))
    }

    func identifier() throws(Problem) -> String? {
        guard let id = try object.string("id") else { return nil }
        guard Identifier.isValid(id) else {
            var problem = Problem.malformedIdentifier(id)
            problem.pointer = "/id"
            throw problem
        }
        return id
    }

    func node(in session: Session) throws(Problem) -> NodeIndex {
        try session.node(try object.required("node"), "/node")
    }

    func subject(in session: Session) throws(Problem) -> RegistrationSubject {
        try RegistrationSubject(object, in: session)
    }
}

extension TraitService {
    func createRegistration(_ request: Request) throws(Problem) {
        let context = request.context
        try request.withBody { json throws(Problem) in
            let body = try RegistrationBody(json)
            let id = try body.identifier() ?? environment.name(length: 12)
            let label = try body.object.string("label")
            try writing(
                request,
                describe: { session, outcome in
                    request.describeRegistration(id, session, outcome)
                }
            ) { transaction throws(Problem) in
                let session = transaction.session
                let node = try body.node(in: session)
                let subject = try body.subject(in: session)
                do throws(Problem) {
                    try transaction.register(id, node: node, for: subject, label: label)
                } catch {
                    throw error.pointingAtIdentifier("/id")
                }
            }
        }
        if context.status == 200 { context.status = 201 }
    }

    /// `PUT …/registrations/{registration}`: the same again is `unchanged`.
    func putRegistration(_ request: Request) throws(Problem) {
        let context = request.context
        let id = try Identifier.checked(context.secondParameter)
        var isNew = false
        try request.withBody { json throws(Problem) in
            let body = try RegistrationBody(json)
            try ObjectReader.check(try body.identifier(), "id", agreesWith: id)
            let label = try body.object.string("label")
            try writing(request) { transaction throws(Problem) in
                let session = transaction.session
                let node = try body.node(in: session)
                let subject = try body.subject(in: session)
                if let present = session.hierarchy.registration(named: id) {
                    try request.refuseWhenCreateOnly(id)
                    let info = session.hierarchy.registrationInfo(present)
                    let note = session.registrationNotes[id]
                    if info.node == node, note?.label == label, subject.isSame(as: info, note) {
                        return
                    }
                    throw Problem(OperationError.registrationExists(id))
                }
                isNew = true
                try transaction.register(id, node: node, for: subject, label: label)
            }
        }
        if isNew, context.status == 200 { context.status = 201 }
    }

    func getRegistration(_ request: Request) throws(Problem) {
        let context = request.context
        try reading(request) { session throws(Problem) in
            let registration = try session.registration(context.secondParameter)
            session.write(registration, into: &context.body)
            context.body.newline()
        }
    }

    /// In the order in which they were made.
    func listRegistrations(_ request: Request) throws(Problem) {
        let context = request.context
        let page = try Page(request, limits)
        try reading(request) { session throws(Problem) in
            var after: RegistrationIndex?
            if let name = page.after {
                guard let registration = session.hierarchy.registration(named: name) else {
                    throw Page.malformedToken()
                }
                after = registration
            }
            let found = session.hierarchy.registrations(after: after, limit: page.size + 1)
            context.body.beginObject()
            context.body.key("registrations")
            context.body.beginArray()
            for registration in found.prefix(page.size) {
                session.write(registration, into: &context.body)
            }
            context.body.endArray()
            if found.count > page.size {
                let last = session.hierarchy.registrationInfo(found[page.size - 1])
                page.writeNext(after: last.identifier ?? "", request)
            }
            context.body.endObject()
            context.body.newline()
        }
    }

    /// Quiet when it is gone.
    func deleteRegistration(_ request: Request) throws(Problem) {
        let id = try Identifier.checked(request.context.secondParameter)
        try writing(request) { transaction throws(Problem) in
            if let registration = transaction.hierarchy.registration(named: id) {
                try transaction.unregister(registration)
            }
        }
    }
}

extension Request {
    fileprivate func describeRegistration(
        _ id: String, _ session: Session, _ outcome: CommitOutcome
    ) {
        guard let registration = session.hierarchy.registration(named: id) else { return }
        context.field("Location", "/v1/sessions/\(session.name)/registrations/\(id)")
        let isDryRun = context.query.flag(.dryRun)
        session.write(registration, into: &context.body) { body in
            body.key("revision")
            body.value(outcome.revision)
            if isDryRun {
                body.key("dryRun")
                body.value(true)
            }
        }
        context.body.newline()
    }
}

extension Session {
    /// `{"id","node","traits","colors"?,"images"?,"label"?,"createdAt"}`.
    func write(
        _ registration: RegistrationIndex, into writer: inout JSONWriter,
        more: (inout JSONWriter) -> Void = { _ in }
    ) {
        let info = hierarchy.registrationInfo(registration)
        let definitions = hierarchy.definitions
        let note = info.identifier.flatMap { registrationNotes[$0] }
        writer.beginObject()
        writer.key("id")
        writer.value(info.identifier ?? "")
        writer.key("node")
        hierarchy.withIdentifier(of: info.node) { writer.value(bytes: $0) }
        RegistrationSubject(info).write(of: definitions, into: &writer)
        if let label = note?.label {
            writer.key("label")
            writer.value(label)
        }
        writer.key("createdAt")
        writer.value(Timestamp.text(note?.createdAt ?? createdAt))
        more(&writer)
        writer.endObject()
    }
}
