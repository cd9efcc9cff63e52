// The one place where problems become answers: RFC 9457 problem details.

import HTTPServer
import HTTPWire
import JSONCodec
import SessionViews
import TraitJSON
import TraitSessions

extension RequestContext {
    /// Replaces the answer by a problem document.
    func render(_ problem: Problem) {
        status = problem.status
        contentType = problem.mediaType
        response = nil
        write = nil
        resetFields()
        for line in problem.headers {
            fields.append(line)
            fields.append("\r\n")
        }
        let retryAfter = problem.retryAfter
        if let retryAfter { field("Retry-After", retryAfter) }
        body.reset()
        body.beginObject()
        body.member("type", "/problems/" + problem.code.rawValue)
        body.member("title", problem.code.title)
        body.member("status", problem.status)
        body.member("detail", problem.detail)
        body.member("instance", bytes: requestIDBytes)
        body.member("code", problem.code.rawValue)
        writePlace(of: problem)
        if !problem.others.isEmpty {
            body.beginArray("errors")
            for fault in [problem] + problem.others { write(fault) }
            body.endArray()
        }
        body.member("retryAfter", ifPresent: retryAfter)
        for (name, value) in problem.members { writeMember(name, value) }
        body.endText()
    }

    private func writeMember(_ name: StaticString, _ value: SessionError.Fact) {
        body.key(name)
        switch value {
        case .string(let text): body.value(text)
        case .integer(let number): body.value(number)
        case .json(let text): text.withUnsafeBytes { body.raw($0) }
        }
    }

    /// One of several faults: `{"code","detail","pointer"?,"didYouMean"?,"line"?,"column"?,"id"?}`.
    private func write(_ fault: Problem) {
        body.beginObject()
        body.member("code", fault.code.rawValue)
        body.member("detail", fault.detail)
        writePlace(of: fault)
        for (name, value) in fault.members where ["line", "column", "id"].contains("\(name)") {
            writeMember(name, value)
        }
        body.endObject()
    }

    /// The members `pointer` and `didYouMean`, each if the fault has it.
    private func writePlace(of fault: Problem) {
        body.member("pointer", ifPresent: fault.pointer)
        body.member("didYouMean", ifPresent: fault.didYouMean)
    }
}

extension Problem {
    /// The problem of a refusal by the server, which came before the request was complete.
    init(_ refusal: WireError) {
        let code = refusal.code.description
        self.init(
            ProblemCode(rawValue: code) ?? Problem.code(for: refusal.status), refusal.detail)
        status = refusal.status
        if code == "unsupported-content-coding" {
            // RFC 9110 section 12.5.3.
            headers.append("Accept-Encoding: gzip, identity")
        }
        if let limit = refusal.limit {
            members.append(("limit", .string("\(limit.name)=\(limit.value)")))
        }
        if let offset = refusal.offset { members.append(("offset", .integer(Int64(offset)))) }
    }

    private static func code(for status: Int) -> ProblemCode {
        switch status {
        case 405: .methodNotAllowed
        case 408: .requestTimeout
        case 413: .bodyTooLarge
        case 414: .targetTooLong
        case 415: .unsupportedMediaType
        case 417: .expectationFailed
        case 429: .tooManyStreams
        case 431: .headersTooLarge
        case 500: .internalError
        case 501: .notImplemented
        case 503: .draining
        case 505: .versionNotSupported
        default: .malformedRequest
        }
    }
}
