// Whole exchanges, request and answer together, as one readable text. A transcript is written by
// sending the requests of an earlier one to a server, in process or real.
//
//     +++ show                      the session that most scripts begin with
//     +++ PUT /v1/sessions/s {}     a request whose answer is not shown
//
//     --- What this is about
//     GET /v1/sessions/s/events     the request, and its fields
//     === 4 records                 a stream: so many of its records are shown
//     +++ DELETE /v1/sessions/s     sent when the first record of the stream is there
//     === id <node>                 from here on, `<node>` is this member of the answer
//
//     {"value": 1}                  the body
//
//     200 OK                        the answer, which a new exchange leaves out

import Foundation

/// Sends requests and writes down what went over the wire.
final class Transcript {
    private let client: HTTPClient
    private var text = ""
    private var redaction = Redaction()

    /// Fields that say nothing about the interface, or that depend on redacted text.
    private static let omittedFields: Set<String> = [
        "date", "content-length", "connection", "keep-alive",
    ]

    init(client: HTTPClient) { self.client = client }

    var redacted: String { redaction.apply(to: text) }

    /// Sends the requests of a transcript, and writes it down again with the answers of now.
    func play(_ script: String) throws {
        for block in script.split(separator: #/\n\n(?=--- |\+\+\+ )/#) {
            if block.hasPrefix("--- ") {
                try exchange(block)
            } else {
                let lines = block.split(separator: "\n")
                for line in lines where line.hasPrefix("+++ ") { try send(line) }
                text += (text.isEmpty ? "" : "\n") + lines.joined(separator: "\n") + "\n"
            }
        }
    }

    /// `+++ METHOD TARGET BODY`: the answer is not written down.
    private func send(_ line: Substring) throws {
        let words = redaction.reveal(String(line), in: text).split(separator: " ", maxSplits: 3)
        if words[1] == "show" {
            try client.send(HTTPRequest("PUT", "/v1/sessions/show", text: Self.show)).success()
        } else if words.count == 4 {
            let (method, target) = (String(words[1]), String(words[2]))
            try client.send(HTTPRequest(method, target, text: String(words[3]))).success()
        } else {
            try client.send(HTTPRequest(String(words[1]), String(words[2]))).success()
        }
    }

    /// The theme, and a scene down to one cell.
    private static let show = #"""
        {"traits":{"theme":{"type":"enum",
         "cases":{"standard":0,"pastel":1,"bold":2,"monochrome":3},"default":"standard",
         "identifier":"com.myapp.theme","name":"Theme","affectsColorAppearance":true}},
         "nodes":[{"id":"scene","kind":"windowScene","parent":null},
         {"id":"window","kind":"window","parent":"scene"},
         {"id":"list","kind":"view","parent":"window"},
         {"id":"cell","kind":"view","parent":"list"}]}
        """#

    private func exchange(_ block: Substring) throws {
        let answer = block.firstRange(of: #/\n\n[1-5][0-9][0-9] [A-Z]/#)?.lowerBound
        let question = block[..<(answer ?? block.endIndex)].trimmingSuffix { $0.isNewline }
        let sent = redaction.reveal(String(question), in: text)
        text += "\n" + question + "\n\n"
        let parts = sent.split(separator: "\n\n", maxSplits: 1)
        let lines = parts[0].split(separator: "\n").dropFirst()
        let words = (lines.first ?? "").split(separator: " ").map(String.init)
        var request = HTTPRequest(
            words[0], words[1], body: parts.count > 1 ? Array(parts[1].utf8) : nil)
        for line in lines.dropFirst() where !line.hasPrefix("+++ ") && !line.hasPrefix("=== ") {
            let field = line.split(separator: ": ", maxSplits: 1)
            request.fields.append(HTTPField(String(field[0]), String(field[1])))
        }
        let marks = lines.filter { $0.hasPrefix("=== ") }.map { $0.split(separator: " ") }
        if let count = marks.first(where: { $0[2] == "records" }).flatMap({ Int($0[1]) }) {
            return try stream(request, count) {
                for line in lines where line.hasPrefix("+++ ") { try send(line) }
            }
        }
        let response = try client.send(request)
        for mark in marks {
            redaction.replace(try response.json[String(mark[1])]?.string, with: String(mark[2]))
        }
        write(response.head)
        if !response.body.isEmpty { text += "\n" + Self.pretty(response) + "\n" }
    }

    /// A streamed exchange: `during` runs once the first record is there.
    private func stream(
        _ request: HTTPRequest, _ count: Int, during act: () throws -> Void
    ) throws {
        let stream = try EventStream(client.baseURL + request.target, fields: request.fields)
        defer { stream.close() }
        let first = try stream.next()
        try act()
        let records = [first] + (try stream.next(count - 1))
        write(stream.head)
        text += "\n"
        for record in records { text += Self.framed(record) }
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
