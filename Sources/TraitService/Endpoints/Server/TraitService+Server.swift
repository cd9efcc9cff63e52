// Routes about the server itself: health, version and the pages of problem codes.

import JSONCodec
import SessionViews
import TraitJSON
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
        context.body.member("name", "traitd")
        context.body.member("version", version)
        context.body.member("api", "v1")
        context.body.endText()
    }

    /// `/v1/memory`: what the process's memory is for, as it was counted last.
    func showMemory(_ request: Request) {
        let memory = environment.memory
        let context = request.context
        let parts = memory.partBytes
        context.body.beginObject()
        if memory.isLimited {
            context.body.member("memoryBytesMax", Int64(memory.bytesMax))
        }
        context.body.member("bytes", Int64(memory.bytes))
        context.body.member("residentBytes", Int64(memory.residentBytes))
        context.body.member("countedBytes", Int64(parts.reduce(0) { $0 + $1.bytes }))
        context.body.beginObject("parts")
        for (part, bytes) in parts {
            context.body.key(part.name)
            context.body.value(Int64(bytes))
        }
        context.body.endObject()
        context.body.endText()
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
        context.body.member("code", code.rawValue)
        context.body.member("status", code.status)
        context.body.member("title", code.title)
        context.body.member("explanation", code.explanation)
        context.body.endText()
    }
}
