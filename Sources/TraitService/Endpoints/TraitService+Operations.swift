// What operators and newcomers ask for: is it alive, is it ready, which version, how does it work.

import TraitSessions
import JSONCodec
import TraitEngine

extension TraitService {
    /// `/livez`: the process turns.
    func live(_ request: Request) {
        request.context.body.verbatim("{\"status\":\"ok\"}\n")
        request.context.field("Cache-Control", "no-store")
    }

    /// `/readyz`: whether traffic should come here.
    func ready(_ request: Request) throws(Problem) {
        request.context.field("Cache-Control", "no-store")
        if readiness.isDraining {
            throw Problem(.draining, "The server is shutting down. Another instance will answer.")
        }
        request.context.body.verbatim("{\"status\":\"ready\"}\n")
    }

    func showVersion(_ request: Request) {
        let context = request.context
        context.body.beginObject()
        context.body.key("name")
        context.body.value("traitd" as StaticString)
        context.body.key("version")
        context.body.value(version)
        context.body.key("api")
        context.body.value("v1" as StaticString)
        context.body.endObject()
        context.body.newline()
    }

    func showOpenAPI(_ request: Request) {
        request.context.contentType = "application/yaml"
        request.context.body.verbatim(OpenAPIDocument.text)
    }

    /// `/problems/{code}`: what the `type` of every problem leads to.
    func showProblem(_ request: Request) throws(Problem) {
        let context = request.context
        let given = String(decoding: context.firstParameter, as: UTF8.self)
        guard let code = ProblemCode(rawValue: given) else {
            throw Problem(
                .unknownProblem, "There is no problem code '\(given.prefix(140))'.",
                didYouMean: Suggestion.nearest(
                    to: given, among: ProblemCode.allCases.map(\.rawValue)))
        }
        context.body.beginObject()
        context.body.key("code")
        context.body.value(code.rawValue)
        context.body.key("status")
        context.body.value(code.status)
        context.body.key("title")
        context.body.value(code.title)
        context.body.key("explanation")
        context.body.value(code.explanation)
        context.body.endObject()
        context.body.newline()
    }

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
