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
            json.key("id")
            json.value(info.identifier ?? "")
            write("node", info.node, into: &json)
            RegistrationSubject(info).write(of: hierarchy.definitions, into: &json)
            if let asked = note?.asked { asked.write(of: hierarchy.definitions, into: &json) }
            if let label = note?.label {
                json.key("label")
                json.value(label)
            }
            if let ttl = note?.ttl {
                json.key("ttl")
                json.value(ttl)
            }
            if profile != .specified {
                json.key("createdAt")
                json.value(note?.createdAt ?? session.createdAt)
            }
            if profile == .state {
                json.key("revision")
                json.value(info.createdRevision)
            }
            json.endObject()
        }
        lastRegistration = next.last ?? lastRegistration
        return next.count == Self.itemsAtATime
    }

    func writeScopes(into json: inout JSONWriter) {
        let definitions = hierarchy.definitions
        json.key("scopes")
        json.beginArray()
        for scope in hierarchy.scopesInOrder() {
            json.beginObject()
            write("node", scope.node, into: &json)
            json.key("scope")
            json.value(scope.name)
            json.key("reads")
            json.beginArray()
            for trait in definitions.inCatalogueOrder(scope.reads) {
                json.value(definitions[trait].key)
            }
            json.endArray()
            if profile != .specified {
                json.key("stale")
                json.value(scope.isStale)
            }
            if profile == .state {
                json.key("revision")
                json.value(scope.revision)
            }
            json.endObject()
        }
        json.endArray()
    }
}
