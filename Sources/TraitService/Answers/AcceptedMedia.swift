// The check of `Accept` (RFC 9110, section 12.5.1).

import HTTPServer
import HTTPWire

extension TraitService {
    /// - Throws: `notAcceptable` when the answer would be JSON and the client does not accept JSON. The
    ///   operation has not run then.
    @inline(__always)
    func checkAccept(
        _ accept: UnsafeRawBufferPointer, _ exchange: Exchange, _ media: AnswerMedia,
        _ context: RequestContext
    ) throws(Problem) {
        // The value that curl and most libraries send.
        if accept.elementsEqual("*/*".utf8) || media == .negotiated || media == .others { return }
        if media == .records, context.query[.wait] == nil { return }
        if exchange.bestMediaType(offered: ["application/json"]) == nil {
            throw .notAcceptable(["application/json"])
        }
    }
}

extension Problem {
    /// - Parameter offered: the media types of the answer.
    static func notAcceptable(_ offered: [StaticString]) -> Problem {
        let list = offered.map(\.description).joined(separator: " or ")
        return Problem(
            .notAcceptable,
            "This answer comes as \(list). Accept that, or leave the field Accept out.")
    }
}

extension Request {
    /// The position of the media type that the client prefers.
    ///
    /// - Throws: `notAcceptable` when the client accepts none of them.
    func chosenMediaType(_ offered: [StaticString]) throws(Problem) -> Int {
        guard let chosen = exchange.bestMediaType(offered: offered) else {
            throw .notAcceptable(offered)
        }
        return chosen
    }
}
