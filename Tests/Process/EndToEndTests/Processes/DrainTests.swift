// SIGTERM: streams get `end`, requests are finished, the process ends with 0.

import Foundation
import TestSupport
import Testing

@Suite("Draining")
struct DrainTests {
    @Test("Streams end with drain and a place to resume, and the process ends with 0")
    func drain() throws {
        let server = try TraitdProcess(["--drain-window", "0"])
        let session = try SessionClient.sample("drain", on: server.url)
        try session.put("registrations/r", ["node": "cell0", "traits": ["theme"]])
        let paths = ["events", "registrations/r/events", "nodes/cell0/events?traits=theme"]
        let fields = [HTTPField("Accept", "text/event-stream")]
        let streams =
            try paths.map { try session.stream($0) }
            + paths.map { try session.stream($0, fields: fields) }
        let begins = try streams.map { try $0.next() }
        server.child.signal(SIGTERM)
        for (stream, begin) in zip(streams, begins) {
            let (records, ending) = try stream.rest()
            #expect(ending == .complete)
            #expect(records.map(\.type) == ["end"])
            #expect(records.last?.reason == "drain")
            #expect(records.last?.json["resume"] == true)
            #expect(records.last?.token == begin.token)
            #expect(records.last?.json["retryAfterMs"]?.int ?? -1 >= 0)
        }
        #expect(try server.child.waitForExit() == .code(0))
        #expect(throws: TransportError.self) { try session.get("") }
    }

    @Test("Commits before the signal are told before the end")
    func nothingLost() throws {
        let server = try TraitdProcess(["--drain-window", "0"])
        let session = try SessionClient.sample("drain", on: server.url)
        let stream = try session.stream("events")
        let begin = try stream.next()
        for round in 0..<50 {
            try session.override("displayScale", at: "scene", .int(Int64(round + 1)))
        }
        server.child.signal(SIGTERM)
        let (records, _) = try stream.rest()
        let told = records.filter { $0.type == "commit" }.compactMap(\.revision)
        let first = begin.revision ?? 0
        #expect(told == revisions(after: first, through: first + 50))
        #expect(records.last?.reason == "drain")
        #expect(try server.child.waitForExit() == .code(0))
    }

    @Test("A waiting poll is answered, and idle connections do not hold the process")
    func waitingPoll() throws {
        let server = try TraitdProcess(["--drain-window", "0"])
        let session = try SessionClient.sample("drain", on: server.url)
        let head = try session.revision()
        let idle = try RawConnection(port: server.port)
        try idle.send("GET /livez HTTP/1.1\r\nHost: localhost\r\n\r\n")
        _ = try idle.read { String(decoding: $0, as: UTF8.self).contains("\r\n\r\n") }
        let poll = try RawConnection(port: server.port)
        // The answer to the first request says that the second is being waited for.
        try poll.send(
            "GET /livez HTTP/1.1\r\nHost: localhost\r\n\r\n"
                + "GET \(session.target("events?wait=60s&from=\(head)")) HTTP/1.1\r\nHost: localhost\r\n\r\n"
        )
        _ = try poll.read { String(decoding: $0, as: UTF8.self).contains("\r\n\r\n") }
        server.child.signal(SIGTERM)
        let codes = statusCodes(in: try poll.readToEnd())
        #expect(codes.last == 200 || codes.last == 503)
        #expect(try idle.readToEnd().isEmpty)
        #expect(try server.child.waitForExit() == .code(0))
    }

    @Test("While it drains it says that it is not ready")
    func notReady() throws {
        let server = try TraitdProcess(["--drain-delay", "60"])
        let client = try HTTPClient(server.url)
        let session = try SessionClient.sample("drain", on: server.url)
        #expect(try client.get("/readyz").status == 200)
        let stream = try session.stream("events")
        _ = try stream.next()
        server.child.signal(SIGTERM)
        let deadline = Deadline(within: .seconds(20))
        while try client.get("/readyz").status == 200, !deadline.hasPassed {}
        #expect(try client.get("/readyz").status == 503)
        #expect(try client.get("/livez").status == 200)
        try session.override("theme", at: "scene", "bold")
        #expect(try stream.next().type == "commit", "the delay still serves")
        // A second signal does not wait.
        server.child.signal(SIGTERM)
        _ = try server.child.waitForExit()
    }

    @Test("A signal in the moment after it says where it serves drains as well")
    func atOnce() throws {
        for number in 0..<20 {
            let server = try TraitdProcess(["--drain-window", "0"])
            server.child.signal(number % 2 == 0 ? SIGTERM : SIGINT)
            #expect(try server.child.waitForExit() == .code(0))
        }
    }
}
