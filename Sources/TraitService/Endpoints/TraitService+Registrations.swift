// Registrations for trait changes.

import JSONCodec
import TraitEngine
import TraitSessions

extension TraitService {
    func createRegistration(_ request: Request) throws(Problem) {
        try request.withBody { json throws(SessionError) in
            let body = try RegistrationBody(json)
            let id = try body.identifier() ?? environment.name(length: 12)
            try body.check()
            try write(request, .register(id, body), answer: .registration(id), creates: true)
        }
    }

    /// `PUT …/registrations/{registration}`: the same again is `unchanged`.
    func putRegistration(_ request: Request) throws(Problem) {
        let id = try request.secondName()
        try request.withBody { json throws(SessionError) in
            let body = try RegistrationBody(json)
            try ObjectReader.check(try body.identifier(), "id", agreesWith: id)
            try body.check()
            try write(request, .putRegistration(id, body), creates: true)
        }
    }

    func getRegistration(_ request: Request) throws(Problem) {
        let context = request.context
        try reading(request) { session throws(SessionError) in
            let registration = try session.registration(context.secondParameter)
            session.write(registration, into: &context.body)
            context.body.newline()
        }
    }

    /// In the order in which they were made.
    func listRegistrations(_ request: Request) throws(Problem) {
        let context = request.context
        let page = try Page(request, limits)
        try reading(request) { session throws(SessionError) in
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
            var count = 0
            for registration in found.prefix(page.size)
            where count == 0 || context.body.count < page.bytesMax {
                session.write(registration, into: &context.body)
                count += 1
            }
            context.body.endArray()
            if found.count > count {
                let last = session.hierarchy.registrationInfo(found[count - 1])
                page.writeNext(after: last.identifier ?? "", request)
            }
            context.body.endObject()
            context.body.newline()
        }
    }

    /// Quiet when it is gone.
    func deleteRegistration(_ request: Request) throws(Problem) {
        let id = try request.secondName()
        try translating { () throws(SessionError) in try write(request, .unregister(id)) }
    }
}
