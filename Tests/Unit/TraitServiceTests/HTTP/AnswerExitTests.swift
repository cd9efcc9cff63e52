// Every answer leaves through one function, so the access log has a line of each.

import HTTPServer
import SessionLog
import Synchronization
import TestSupport
import Testing

@testable import TraitService

@Suite("The exit of answers")
struct AnswerExitTests {
    @Test("notes reads, writes, refusals, problems, streams, polls and what has no route")
    func all() throws {
        let lines = Mutex<[UInt8]>([])
        let accessLog = AccessLog(.json, shards: 1, bytesMax: 1 << 20) { text in
            lines.withLock { $0 += text }
            return true
        }
        let service = TraitService(version: "test", shards: 1, accessLog: accessLog)
        let server = try InProcessService(serving: service)
        let client = try server.client()
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
            ("DELETE", session, nil, 200, "/v1/sessions/{session}"),
        ]
        var answers: [HTTPResponse] = []
        for (method, target, body, status, _) in cases {
            answers.append(try client.send(method, target, json: body).expecting(status))
        }
        server.stop()
        accessLog.flush()
        let notes = try lines.withLock { $0 }.split(separator: UInt8(ascii: "\n")).map {
            try JSON(parsing: Array($0))
        }
        #expect(notes.count == cases.count)
        for ((expected, answer), note) in zip(zip(cases, answers), notes) {
            let place = Comment(rawValue: "\(expected.0) \(expected.1)")
            #expect(note["target"] == .string(expected.1), place)
            #expect(note["status"] == .int(Int64(expected.3)), place)
            #expect(note["route"] == expected.4.map { .string($0) }, place)
            #expect(note["requestId"]?.string == answer.head["Traitd-Request-Id"], place)
            #expect(note["bytes"] == .int(Int64(answer.body.count)), place)
        }
    }

    @Test("The table says of every operation what it demands")
    func table() {
        for route in Route.all {
            for operation in route.operations {
                if operation.method == .get { #expect(operation.access != .write) }
                if [.put, .patch, .delete].contains(operation.method) {
                    #expect(operation.access == .write, "\(operation.endpoint)")
                }
            }
        }
    }
}
