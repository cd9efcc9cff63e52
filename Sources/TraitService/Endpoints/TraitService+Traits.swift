// A session's trait definitions.

import TraitSessions
import TraitEngine

extension TraitService {
    func listTraits(_ request: Request) throws(Problem) {
        let context = request.context
        try reading(request) { session in
            let definitions = session.hierarchy.definitions
            context.body.beginObject()
            context.body.key("session")
            context.body.value(session.name)
            context.body.key("revision")
            context.body.value(session.head)
            context.body.key("traits")
            context.body.beginArray()
            for trait in definitions.settable {
                DefinitionWriter.write(definitions[trait], into: &context.body)
            }
            for definition in SystemTraits.privateDefinitions {
                DefinitionWriter.write(definition, into: &context.body)
            }
            context.body.endArray()
            DefinitionWriter.writeSets(of: definitions, into: &context.body)
            context.body.endObject()
            context.body.newline()
        }
    }

    func getTrait(_ request: Request) throws(Problem) {
        let context = request.context
        try reading(request) { session throws(SessionError) in
            let trait = try session.trait(context.secondParameter)
            DefinitionWriter.write(session.hierarchy.definitions[trait], into: &context.body)
            context.body.newline()
        }
    }

    func putTrait(_ request: Request) throws(Problem) {
        let key = try request.secondName()
        try request.withBody { json throws(SessionError) in
            let definition = try DefinitionReader.read(json, key: key)
            try write(request, .defineTrait(definition), creates: true)
        }
    }

    func deleteTrait(_ request: Request) throws(Problem) {
        try translating { () throws(SessionError) in
            try write(request, .deleteTrait(Reference(request.context.secondParameter)))
        }
    }
}
