// A reader that stops reading: no other reader waits for it, and it loses no retained record.

import TestSupport
import Testing

@Suite("Slow readers")
struct SlowReaderTests {
    @Test("Others get everything while one does not read, and it catches up when it does")
    func catchesUp() throws {
        let server = try sharedServer()
        let session = try SessionClient.textual("slow", on: server.url)
        let slow = try StalledReader(
            port: server.port, target: session.target("registrations/r/events"))
        let others = try (0..<3).map { _ in try session.stream("registrations/r/events") }
        for other in others { _ = try other.next() }
        // Far more than the sockets' and the server's own buffers hold.
        let head = try session.writeTexts(250, bytes: 15_000)
        for other in others {
            #expect(try other.collect(throughRevision: head).count == 250)
        }
        let bytes = try slow.readOn(to: #""revision":\#(head ?? 0),"#)
        let numbers = try StalledReader.records(in: bytes).compactMap {
            $0["changes"]?[0]?["current"]?.string?.split(separator: " ").first.flatMap { Int($0) }
        }
        #expect(numbers == Array(0..<250))
    }

    @Test("Records of a megabyte reach a reader that stops for a while, whole and in order")
    func longRecords() throws {
        let server = try sharedServer()
        let session = try SessionClient.textual("long", on: server.url)
        let slow = try StalledReader(
            port: server.port, target: session.target("events?operations=true"))
        var texts: [[String]] = []
        var head: Int64?
        for commit in 0..<8 {
            texts.append(
                (0..<200).map { "\(commit)-\($0)-" + String(repeating: "x", count: 5_000) })
            let operations = texts[commit].map {
                #"{"op":"setOverride","node":"scene","trait":"text","value":"\#($0)"}"#
            }
            let request = HTTPRequest(
                "POST", session.target("transactions"),
                text: #"{"operations":[\#(operations.joined(separator: ","))]}"#)
            head = try session.client.send(request).expecting(200).revision
        }
        let bytes = try slow.readOn(to: #""revision":\#(head ?? 0),"#)
        let records = try StalledReader.records(in: bytes)
        let commits = records.filter { $0["type"] == "commit" }
        #expect(
            commits.map { commit in
                commit["operations"]?.array?.compactMap { $0["value"]?.string }
            } == texts)
        let changes = records.filter { $0["type"] == "change" }
        #expect(changes.map { $0["changes"]?[0]?["current"]?.string } == texts.map(\.last))
    }
}
