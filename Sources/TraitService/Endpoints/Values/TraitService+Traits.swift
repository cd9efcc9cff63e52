// Trait definitions: those of a session, and those that every session starts with.

import HTTPServer
import JSONCodec
import SessionViews
import TraitEngine
import TraitJSON
import TraitSessions

extension TraitService {
    /// `/v1/traits`: what every session starts with.
    func listSystemTraits(_ request: Request) {
        let context = request.context
        context.body.beginObject()
        context.body.beginArray("traits")
        for definition in SystemTraits.definitions + SystemTraits.privateDefinitions {
            DefinitionWriter.write(definition, into: &context.body)
        }
        context.body.endArray()
        DefinitionWriter.writeSets(of: .system, into: &context.body)
        context.body.endText()
    }

    /// A short list is written under the session's lock, a long one streamed.
    func listTraits(_ request: Request) throws(Problem) {
        let context = request.context
        let session = try session(request)
        let long = try translating { () throws(SessionError) in
            try request.withState(of: session, before: true) {
                state throws(SessionError) -> DefinitionsText? in
                try request.checkIsThere(state)
                context.response = state.pendingResponse(until: state.head)
                let text = DefinitionsText(state)
                var part = text
                if part.write(budget: limits.inlineAnswerBytesMax, into: &context.body) {
                    request.finishReading(state)
                    return nil
                }
                context.body.reset()
                return text
            }
        }
        guard let text = long else { return }
        work(request, revision: text.revision) { _ in
            true
        } then: { _, request throws(Problem) in
            request.finishReading(uid: text.uid, revision: text.revision, bodyBytes: 0)
            if request.context.status == 304 { return }
            var rest = text
            try request.stream(
                "application/json",
                BodyProducer(JSONWriter()) { budget, writer in
                    BodyPart(isLast: rest.write(budget: budget, into: &writer))
                })
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

    func patchTrait(_ request: Request) throws(Problem) {
        let trait = Reference(request.context.secondParameter)
        try request.withBody { json throws(SessionError) in
            try write(request, .updateTrait(trait, DefinitionBody(json)))
        }
    }

    func deleteTrait(_ request: Request) throws(Problem) {
        try translated(try write(request, .deleteTrait(Reference(request.context.secondParameter))))
    }
}

extension DefinitionWriter {
    /// The named sets and their members, sorted: UIKit's lists are sets.
    static func writeSets(of definitions: TraitDefinitions, into writer: inout JSONWriter) {
        writer.beginObject("sets")
        for name in TraitSetName.allCases where definitions.has(name) {
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
