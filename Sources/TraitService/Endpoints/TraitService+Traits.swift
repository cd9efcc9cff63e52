// Trait definitions: those of a session, and those that every session starts with.

import JSONCodec
import TraitEngine
import TraitSessions

extension TraitService {
    /// `/v1/traits`: what every session starts with.
    func listSystemTraits(_ request: Request) {
        let context = request.context
        context.body.beginObject()
        context.body.key("traits")
        context.body.beginArray()
        for definition in SystemTraits.definitions + SystemTraits.privateDefinitions {
            DefinitionWriter.write(definition, into: &context.body)
        }
        context.body.endArray()
        DefinitionWriter.writeSets(of: .system, into: &context.body)
        context.body.endObject()
        context.body.newline()
    }

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
            for trait in definitions.inCatalogueOrder(definitions.settable) {
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

extension DefinitionWriter {
    /// The named sets and their members, sorted: UIKit's lists are sets.
    static func writeSets(of definitions: TraitDefinitions, into writer: inout JSONWriter) {
        writer.key("sets")
        writer.beginObject()
        for name in TraitSetName.allCases {
            writer.key(name.rawValue)
            writer.beginArray()
            for key in definitions.set(name).map({ definitions[$0].key }).sorted() {
                writer.value(key)
            }
            writer.endArray()
        }
        writer.endObject()
    }
}
