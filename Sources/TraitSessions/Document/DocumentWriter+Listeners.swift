// A document's registrations and scopes.

import JSONCodec
import TraitEngine

extension DocumentWriter {
    func writeRegistrations(into json: inout JSONWriter) -> Bool {
        let next = hierarchy.registrations(after: lastRegistration, limit: Self.itemsAtATime)
        for index in next {
            let info = hierarchy.registrationInfo(index)
            let note = session.note(of: info)
            json.beginObject()
            json.member("id", info.identifier ?? "")
            json.member("node", orNull: info.node, of: hierarchy)
            RegistrationSubject(info).write(of: hierarchy.definitions, into: &json)
            if let asked = note?.asked { asked.write(of: hierarchy.definitions, into: &json) }
            json.member("label", ifPresent: note?.label)
            json.member("ttl", ifPresent: note?.ttl)
            if profile != .specified {
                json.member("createdAt", note?.createdAt ?? session.createdAt)
            }
            if profile == .state {
                json.member("revision", info.createdRevision)
            }
            json.endObject()
        }
        lastRegistration = next.last ?? lastRegistration
        return next.count == Self.itemsAtATime
    }

    func writeScopes(into json: inout JSONWriter) {
        json.beginArray("scopes")
        for scope in hierarchy.scopesInOrder() {
            json.beginObject()
            json.member("node", orNull: scope.node, of: hierarchy)
            json.member("scope", scope.name)
            json.member("reads", keysOf: scope.reads, in: hierarchy.definitions)
            if profile != .specified {
                json.member("stale", scope.isStale)
            }
            if profile == .state {
                json.member("revision", scope.revision)
            }
            json.endObject()
        }
        json.endArray()
    }
}
