// Pages of lists: `pageSize`, `pageToken`, `nextPageToken` and the `Link` to the next one.

import JSONCodec
import TraitSessions

/// What a request asks for of a list.
struct Page {
    let size: Int
    /// Bytes after which the page ends before it has so many items.
    let bytesMax: Int
    /// The identifier that the last page ended with.
    let after: String?

    private static let prefix = "after."

    init(_ request: Request, _ limits: ServiceLimits) throws(Problem) {
        let query = request.context.query
        bytesMax = limits.pageBytesMax
        size =
            try query.integer(.pageSize, in: 1...limits.pageSizeMax) ?? limits.pageSizeDefault
        guard let token = try query.string(.pageToken) else {
            after = nil
            return
        }
        let identifier = String(token.dropFirst(Self.prefix.count))
        guard token.hasPrefix(Self.prefix), Identifier.isValid(identifier) else {
            throw Problem(Self.malformedToken())
        }
        after = identifier
    }

    static func malformedToken() -> SessionError {
        SessionError(
            .malformedToken,
            "Give back the nextPageToken of the last page, or leave pageToken out to start again."
        ).with("parameter", "pageToken")
    }

    /// Writes `nextPageToken` into the open object and the `Link` into the header.
    func writeNext(after identifier: String, _ request: Request) {
        request.context.body.key("nextPageToken")
        request.context.body.value(Self.prefix + identifier)
        link(after: identifier, request)
    }

    /// Ends the page's object, with `nextPageToken` when there is a next page.
    static func end(next: String?, of writer: inout JSONWriter) {
        if let next {
            writer.key("nextPageToken")
            writer.value(prefix + next)
        }
        writer.endObject()
        writer.newline()
    }

    /// Writes the `Link` into the header.
    func link(after identifier: String, _ request: Request) {
        let context = request.context
        let token = Self.prefix + identifier
        let path = String(decoding: request.exchange.path, as: UTF8.self)
        var parameters = ["pageSize=\(size)", "pageToken=\(token)"]
        for parameter in [QueryParameter.under, .kind, .depth, .operations] {
            if let value = context.query[parameter] {
                parameters.append(
                    "\(parameter.name)=\(String(decoding: value, as: UTF8.self))")
            }
        }
        context.field("Link", "<\(path)?\(parameters.joined(separator: "&"))>; rel=\"next\"")
    }

    /// Answers with a page of a list whose elements have names.
    func write<Element>(
        _ all: [Element], _ member: StaticString, name: (Element) -> String, _ request: Request,
        _ write: (Element, inout JSONWriter) -> Void
    ) throws(SessionError) {
        var rest = all[...]
        if let after {
            guard let position = all.firstIndex(where: { name($0) == after }) else {
                throw Self.malformedToken()
            }
            rest = all[(position + 1)...]
        }
        let context = request.context
        context.body.beginObject()
        context.body.key(member)
        context.body.beginArray()
        var count = 0
        for element in rest.prefix(size) where count == 0 || context.body.count < bytesMax {
            write(element, &context.body)
            count += 1
        }
        context.body.endArray()
        if rest.count > count { writeNext(after: name(rest[rest.startIndex + count - 1]), request) }
        context.body.endObject()
        context.body.newline()
    }
}
