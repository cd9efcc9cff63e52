// Routes about the server itself: health, version and the pages of problem codes.

import JSONCodec
import TraitSessions

extension TraitService {
    /// `/livez`: the process turns.
    func live(_ request: Request) {
        request.context.body.verbatim("{\"status\":\"ok\"}\n")
        request.context.field("Cache-Control", "no-store")
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

    /// `/v1/memory`: what the process's memory is for, as it was counted last.
    func showMemory(_ request: Request) {
        let memory = environment.memory
        let context = request.context
        let parts = memory.partBytes
        context.body.beginObject()
        if memory.isLimited {
            context.body.key("memoryBytesMax")
            context.body.value(Int64(memory.bytesMax))
        }
        context.body.key("bytes")
        context.body.value(Int64(memory.bytes))
        context.body.key("residentBytes")
        context.body.value(Int64(memory.residentBytes))
        context.body.key("countedBytes")
        context.body.value(Int64(parts.reduce(0) { $0 + $1.bytes }))
        context.body.key("parts")
        context.body.beginObject()
        for (part, bytes) in parts {
            context.body.key(part.name)
            context.body.value(Int64(bytes))
        }
        context.body.endObject()
        context.body.endObject()
        context.body.newline()
        context.field("Cache-Control", "no-store")
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
}
