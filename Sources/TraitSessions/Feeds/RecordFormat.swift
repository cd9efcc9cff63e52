// How one stream record is framed: a line of NDJSON, a server-sent event, or an element of a
// long poll's page. What is inside is the same JSON object.

import JSONCodec

package enum RecordFormat: Int, Sendable {
    case ndjson, serverSentEvents, page

    package var contentType: StaticString {
        switch self {
        case .ndjson: "application/x-ndjson"
        case .serverSentEvents: "text/event-stream"
        case .page: "application/json"
        }
    }

    /// - Parameter token: what an event's `id` is; nil for a record before which nothing is
    ///   whole, so that a reconnecting client starts anew.
    func begin(_ type: RecordType, token: String?, into writer: inout JSONWriter) {
        if self == .serverSentEvents {
            if let token {
                writer.verbatim("id: \(token)\n")
            } else if type == .reset || type == .gap {
                // The client's cache is empty now, so the browser forgets the token that it had.
                writer.verbatim("id:\n")
            }
            writer.verbatim("event: ")
            writer.verbatim(type.rawValue)
            writer.verbatim("\ndata: ")
        }
        writer.beginObject()
        writer.member("type", type.rawValue)
    }

    func end(into writer: inout JSONWriter) {
        writer.endObject()
        switch self {
        case .ndjson: writer.verbatim("\n")
        case .serverSentEvents: writer.verbatim("\n\n")
        case .page: break
        }
    }
}

enum RecordType: String, CaseIterable, Sendable {
    case begin, state, sync, change, commit, renamed, invalidate, bookmark, reset, gap, end
}
