// Every answer leaves through one function: an observer there hears of all of them.

import HTTPServer
import SessionLog
import Synchronization
import TestSupport
import Testing

@testable import TraitService

@Suite("The exit of answers", .timeLimit(.minutes(1)))
struct AnswerExitTests {
    private final class Book: AnswerObserver {
        let records = Mutex<[AnswerRecord]>([])
        func answered(_ record: AnswerRecord) { records.withLock { $0.append(record) } }
        func take() -> [AnswerRecord] {
            records.withLock { records in
                defer { records = [] }
                return records
            }
        }
    }

    @Test("hears of reads, writes, refusals, problems, streams, polls and what has no route")
    func all() throws {
        let book = Book()
        let service = TraitService(version: "test", shards: 1, observer: book)
        var configuration = ServerConfiguration()
        configuration.addresses = [.tcp(host: "127.0.0.1", port: 0)]
        configuration.shards = 1
        let server = HTTPServer(configuration: configuration, handler: service)
        defer { server.stop() }
        let client = try HTTPClient("http://127.0.0.1:\(try server.start().first?.port ?? 0)")
        let session = "/v1/sessions/s"
        let cases: [(String, String, JSON?, Int, String?)] = [
            ("PUT", session, [:], 201, "/v1/sessions/{session}"),
            (
                "PUT", session + "/nodes/n", ["kind": "environment"], 201,
                "/v1/sessions/{session}/nodes/{node}"
            ),
            (
                "GET", session + "/nodes/n/traits", nil, 200,
                "/v1/sessions/{session}/nodes/{node}/traits"
            ),
            ("GET", session + "/nodes/no", nil, 404, "/v1/sessions/{session}/nodes/{node}"),
            ("POST", session + "/resolve", ["under": "n"], 200, "/v1/sessions/{session}/resolve"),
            ("GET", session + "/events?from=0&wait=0", nil, 200, "/v1/sessions/{session}/events"),
            ("GET", session + "/events?wait=1ms", nil, 200, "/v1/sessions/{session}/events"),
            ("PATCH", session, nil, 405, "/v1/sessions/{session}"),
            ("GET", "/nothing", nil, 404, nil),
            ("DELETE", session, nil, 204, "/v1/sessions/{session}"),
        ]
        for (method, target, body, status, route) in cases {
            let answer = try client.send(method, target, json: body)
            #expect(answer.status == status, "\(method) \(target)")
            let records = book.take()
            #expect(records.count == 1, "\(method) \(target)")
            let record = try #require(records.first)
            #expect(record.status == status)
            #expect(record.route == route, "\(method) \(target)")
            #expect(record.requestID == answer.head["Traitd-Request-Id"])
            #expect(record.nanoseconds > 0)
            #expect(record.bodyBytes == answer.body.count)
        }
    }

    @Test("The table says of every operation what it demands and costs")
    func table() {
        for route in Route.all {
            for operation in route.operations {
                #expect(operation.access == operation.endpoint.access)
                if operation.method == .get { #expect(operation.access != .write) }
                if [.put, .patch, .delete].contains(operation.method) {
                    #expect(operation.access == .write, "\(operation.endpoint)")
                }
                #expect((operation.cost == .stream) == route.pattern.hasSuffix("/events"))
            }
        }
    }
}
