// Registrations for trait changes.

import JSONCodec
import SessionViews
import TraitEngine
import TraitJSON
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

    /// `GET …/registrations?q=&node=`, in the order in which they were made.
    func listRegistrations(_ request: Request) throws(Problem) {
        let page = try Page(request, limits)
        let nodeName = try request.context.query.string(.node)
        let limits = limits
        try listing(request, page) { session, isShort, writer throws(SessionError) in
            let node = try nodeName.map { name throws(SessionError) in
                try session.node(named: name, "node")
            }
            var after: RegistrationIndex?
            if let names = page.after {
                // One that was deleted and made again after the page stands behind others.
                let revision = PageToken.mark(of: names).flatMap { Int64($0) } ?? .max
                after = names.lazy.compactMap { session.hierarchy.registration(named: $0) }
                    .first { session.hierarchy.registrationInfo($0).createdRevision <= revision }
                // This server's tokens have at least two names (see `PageToken.names`).
                if after == nil, names.count == 1 { throw Page.malformedToken() }
            }
            Page.begin(uid: session.uid, revision: session.head, &writer)
            writer.beginArray("registrations")
            var (shown, isWhole): ([String], Bool) = ([], true)
            let last = session.writeRegistrations(
                of: node, after: after,
                visitsMax: page.filter == nil && node == nil
                    ? page.size + 1 : max(1, limits.inlineVisitsMax / TextFilter.visitsForOne),
                into: &writer
            ) { id, label, count in
                if shown.count == page.size || !shown.isEmpty && count >= page.bytesMax {
                    return .stop
                }
                if let filter = page.filter, !filter.matches(id), !filter.matches(label ?? "") {
                    return .skip
                }
                if isShort, !shown.isEmpty,
                    shown.count == Self.inlineRegistrationsMax || count >= Self.inlineBytesMax
                {
                    isWhole = false
                    return .stop
                }
                shown.append(id)
                return .write
            }
            writer.endArray()
            var next: String?
            if let last {
                let names = PageToken.names(before: shown.count) { shown[shown.count - $0] }
                next = PageToken.text(
                    shown.last == last ? names : [last] + names, mark: "\(session.head)")
            }
            Page.end(next: next, of: &writer)
            return (isWhole, next)
        }
    }

    /// Registrations that are written under the session's lock: about half a millisecond.
    private static let inlineRegistrationsMax = 128
    private static let inlineBytesMax = 32_768

    /// Deleting a registration that does not exist changes nothing.
    func deleteRegistration(_ request: Request) throws(Problem) {
        let id = try request.secondName()
        try translated(try write(request, .unregister(id)))
    }
}
