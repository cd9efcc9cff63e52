// Whole exchanges, question and answer together, as one readable text. A transcript is written by
// running a script against a server, in process or real, and compared with a golden file.

/// Sends requests and writes down what went over the wire.
package final class Transcript {
    let client: HTTPClient
    private var text: String
    private var redaction = Redaction()

    /// Fields that say nothing about the interface, or that depend on redacted text.
    private static let omittedFields: Set<String> = [
        "date", "content-length", "connection", "keep-alive",
    ]

    package init(_ title: String, client: HTTPClient) {
        self.client = client
        text = "# \(title)\n"
    }

    /// `text` differs from run to run; the golden file has `name` in its place.
    package func redact(_ text: String?, as name: String) {
        if let text { redaction.replace(text, with: name) }
    }

    package var redacted: String { redaction.apply(to: text) }

    /// One exchange. `body` is sent as written.
    @discardableResult
    package func send(
        _ about: String, _ method: String, _ target: String, _ body: String? = nil,
        type: String = "application/json", fields: [HTTPField] = []
    ) throws -> HTTPResponse {
        // A POST needs its content type even without a body.
        let typeField =
            body != nil || method == "POST" ? [HTTPField("Content-Type", type)] : []
        let request = HTTPRequest(
            method, target, fields: typeField + fields, body: body.map { Array($0.utf8) })
        let response = try client.send(request)
        write(about, request, body)
        write(response.head)
        if !response.body.isEmpty { text += "\n" + Self.pretty(response) + "\n" }
        return response
    }

    /// A streamed exchange: `during` runs once the first record is there, then the records up to
    /// the first that `isLast` accepts are written down.
    package func stream(
        _ about: String, _ target: String, fields: [HTTPField] = [],
        through isLast: (StreamRecord) -> Bool, during act: () throws -> Void = {}
    ) throws {
        let stream = try EventStream(client.baseURL + target, fields: fields)
        defer { stream.close() }
        let first = try stream.next()
        try act()
        let records = isLast(first) ? [first] : [first] + (try stream.collect(through: isLast))
        write(about, HTTPRequest("GET", target, fields: fields), nil)
        write(stream.head)
        text += "\n"
        for record in records { text += Self.framed(record) }
    }

    private func write(_ about: String, _ request: HTTPRequest, _ body: String?) {
        text += "\n--- \(about)\n\(request.method) \(request.target)\n"
        for field in request.fields { text += "\(field.name): \(field.value)\n" }
        if let body { text += "\n\(body)\n" }
        text += "\n"
    }

    private func write(_ head: HTTPHead) {
        text += "\(head.status) \(head.reason)\n"
        for field in head.fields where !Self.omittedFields.contains(field.name.lowercased()) {
            text += "\(field.name): \(field.value)\n"
        }
    }

    private static func pretty(_ response: HTTPResponse) -> String {
        let type = response[header: "Content-Type"] ?? ""
        let isJSON = type.contains("json") && !type.contains("ndjson")
        let text = String(response.text.trimmingSuffix { $0.isNewline })
        return isJSON ? JSON.reindented(text) : text
    }

    private static func framed(_ record: StreamRecord) -> String {
        guard let event = record.event else { return record.text + "\n" }
        var text = ""
        if let id = event.id { text += "id: \(id)\n" }
        if let name = event.event { text += "event: \(name)\n" }
        if let retry = event.retry { text += "retry: \(retry)\n" }
        return text + "data: \(record.text)\n\n"
    }
}
