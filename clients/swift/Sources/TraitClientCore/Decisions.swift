// What to do with an answer: the tables of the stream and of requests, as functions.

package enum StreamDecision: Sendable, Hashable {
    /// The body is a stream of records.
    case read
    /// Connect again; `after` is a time that the server names, else the back-off counts.
    case again(forgetToken: Bool, after: Duration?)
    case close(TraitdError)

    /// Whether the body has to be read before ``init(status:mediaType:retryAfter:hasSentToken:body:)``.
    package static func needsBody(status: Int) -> Bool { status >= 400 }

    /// - Parameters:
    ///   - isPoll: whether the answer is that of a long poll, which is JSON.
    ///   - mediaType: the field Content-Type, if there is one.
    ///   - retryAfter: the field Retry-After, read.
    ///   - body: of a refusal.
    package init(
        status: Int, isPoll: Bool = false, mediaType: String?, retryAfter: Duration?,
        hasSentToken: Bool, body: [UInt8]
    ) {
        switch status {
        case 200 where isPoll ? MediaType.isJSON(mediaType) : MediaType.isRecords(mediaType):
            self = .read
        case 400 where hasSentToken, 409 where hasSentToken, 410 where hasSentToken:
            self = .again(forgetToken: true, after: nil)
        case 400, 401, 403, 404, 421, 422:
            // A page is the word of a proxy, not of traitd.
            if MediaType.isPage(mediaType) {
                self = .again(forgetToken: false, after: nil)
                return
            }
            self = .close(TraitdError(status: status, body: body))
        case 429, 503:
            self = .again(
                forgetToken: false, after: retryAfter.map { min($0, RetryAfter.streamMax) })
        default: self = .again(forgetToken: false, after: nil)
        }
    }
}

package enum MediaType {
    /// What a stream accepts: some proxies pass nothing but event streams at once.
    package static let stream = "text/event-stream, application/x-ndjson;q=0.5"
    package static let json = "application/json"
    package static let rows = "application/x-ndjson"

    /// Whether a Content-Type is that of server-sent events, with or without parameters.
    package static func isEvents(_ field: String?) -> Bool { essence(field) == "text/event-stream" }

    /// Whether a Content-Type is that of a stream of records.
    package static func isRecords(_ field: String?) -> Bool {
        isEvents(field) || isRows(field)
    }

    /// Whether a Content-Type is that of lines of JSON.
    package static func isRows(_ field: String?) -> Bool { essence(field) == rows }

    /// Whether a Content-Type is that of JSON.
    package static func isJSON(_ field: String?) -> Bool { essence(field) == json }

    /// Whether a Content-Type is that of HTML.
    package static func isPage(_ field: String?) -> Bool { essence(field) == "text/html" }

    private static func essence(_ field: String?) -> String {
        let type = field?.prefix { $0 != ";" } ?? ""
        return type.filter { $0 != " " && $0 != "\t" }.lowercased()
    }
}

package enum RequestDecision: Sendable, Hashable {
    case answer
    case retry(after: Duration?)

    /// - Parameters:
    ///   - status: of the answer, or nil without an answer.
    ///   - code: of the problem.
    ///   - isRepeatable: whether the request is a read, or a write with an `Idempotency-Key`.
    ///   - retriesLeft: how many further attempts there may be.
    package init(
        status: Int?, code: String?, retryAfter: Duration?, isRepeatable: Bool, retriesLeft: Int
    ) {
        let isTemporary =
            switch status {
            case nil, 429, 502, 503, 504: true
            case 409: code == "idempotency-in-flight"
            default: false
            }
        let isSoon = (retryAfter ?? .zero) <= RetryAfter.callMax
        let isRetried = isTemporary && isRepeatable && retriesLeft > 0 && isSoon
        self = isRetried ? .retry(after: retryAfter) : .answer
    }
}
