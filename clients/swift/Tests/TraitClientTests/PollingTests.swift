// Watches behind a proxy that holds streams back.

import Foundation
import Testing
import TraitClient

private func sync(_ value: Int) -> String {
    "{\"type\":\"sync\",\"revision\":5,\"token\":\"u.5\",\"digest\":\"\(pairHash(node: "a", trait: "x", value: .integer(Int64(value))).digestText)\"}"
}
private let state = "{\"type\":\"state\",\"revision\":5,\"node\":\"a\",\"traits\":{\"x\":1}}"
private func page(_ revision: Int, _ records: String...) -> String {
    "{\"records\":[\(records.joined(separator: ","))],\"revision\":\(revision),\"next\":\"u.\(revision)\"}"
}
private func change(_ revision: Int, _ value: Int) -> String {
    "{\"type\":\"change\",\"revision\":\(revision),\"token\":\"u.\(revision)\",\"node\":\"a\",\"part\":0,"
        + "\"changes\":[{\"trait\":\"x\",\"current\":\(value)}]}"
}
private let json = ["Content-Type: application/json"]

@Suite(.timeLimit(.minutes(1))) struct PollingTests {
    /// The wait of a long poll, as the target has it.
    static func wait(_ request: Request) -> String? {
        request.target.components(separatedBy: "wait=").dropFirst().first
    }

    @Test("after two silent streams the records come by polls, and the reason says so")
    func polls() async throws {
        let isSeen = DispatchSemaphore(value: 0)
        let server = FaultServer { connection, request, index in
            if index == 5 || index == 8 { isSeen.wait() }
            switch index {
            case 0, 1: connection.sendHead("text/event-stream")
            case 2: connection.answer(200, page(5, state, sync(1)), fields: json)
            case 3: connection.answer(200, page(6, change(6, 2)), fields: json)
            case 4: connection.answer(200, page(6), fields: json)
            // A poll that is cut: a stream follows, and after its silence a shorter poll.
            case 5:
                connection.send(
                    "HTTP/1.1 200 OK\r\n\(json[0])\r\nContent-Length: 9\r\n\r\n{")
                return false
            case 6: connection.sendHead("text/event-stream")
            case 7: connection.answer(200, page(7, change(7, 3)), fields: json)
            // The server takes no such poll: the next request is for a stream.
            case 8: connection.answer(400, "{\"code\":\"c\",\"parameter\":\"wait\"}")
            default: connection.sendHead("text/event-stream")
            }
            return connection.byte() != nil
        }
        var reasons: [String] = []
        let watch = StreamTests.session(server, timeout: .milliseconds(100)).watch(["a": .all])
        for await change in watch.changes {
            reasons.append("\(change.revision) \(watch.reason ?? "-")")
            isSeen.signal()
            if change.revision == 7 { break }
        }
        #expect(reasons == ["6 polling", "7 polling"])
        #expect(watch.value("x", at: "a") == 3)
        while server.requests.count < 10 { await Task.yield() }
        watch.close()
        let requests = server.requests.prefix(10)
        #expect(
            requests.map(Self.wait) == [
                nil, nil, "0ms", "25000ms", "25000ms", "25000ms", nil, "0ms", "12500ms", nil,
            ])
        let accepted = requests.map { $0.fields["accept"] == "application/json" }
        #expect(accepted == requests.map { Self.wait($0) != nil })
    }

    @Test("a poll that waits is not counted as silent before its time")
    func slowPoll() async throws {
        let server = FaultServer { connection, _, index in
            switch index {
            case 0, 1: break
            case 2: connection.answer(200, page(5, state, sync(1)), fields: json)
            default:
                // Longer than the timeout of a stream.
                if index == 3, connection.byte(within: 400) != nil { return false }
                let revision = index + 3
                connection.answer(200, page(revision, change(revision, index)), fields: json)
            }
            return connection.byte() != nil
        }
        let watch = StreamTests.session(server, timeout: .milliseconds(100)).watch(["a": .all])
        for await change in watch.changes where change.revision >= 8 { break }
        #expect(watch.state == .ready && watch.reason == "polling")
        #expect(server.requests.prefix(5).map(Self.wait).filter { $0 == nil }.count == 2)
    }

    @Test("streams that go silent after they brought records lead to no polls")
    func silentLater() async throws {
        let server = FaultServer { connection, _, index in
            connection.sendHead()
            let begin =
                "{\"type\":\"begin\",\"revision\":5,\"token\":\"u.5\",\"uid\":\"u\",\"heartbeatMs\":200}\n"
            connection.sendChunk(begin + (index == 0 ? "\(state)\n\(sync(1))\n" : ""))
            // More than half a heartbeat later.
            guard connection.byte(within: 250) == nil else { return false }
            let isLast = index == 3
            connection.sendChunk(
                isLast
                    ? "\(change(8, 4))\n"
                    : "{\"type\":\"bookmark\",\"revision\":5,\"token\":\"u.5\"}\n")
            return connection.byte() != nil
        }
        let watch = StreamTests.session(server).watch(["a": .all])
        for await change in watch.changes where change.revision == 8 { break }
        #expect(watch.reason == nil && server.requests.compactMap(Self.wait).isEmpty)
    }

    @Test("an answer to a poll that never ends closes the watch")
    func endless() async throws {
        let server = FaultServer { connection, _, index in
            guard index > 1 else { return connection.byte() != nil }
            connection.sendHead("application/json")
            let text = chunk(String(repeating: " ", count: 1 << 20))
            while connection.send(text) {}
            return false
        }
        let watch = StreamTests.session(server, timeout: .milliseconds(300)).watch(["a": .all])
        let error = await #expect(throws: TraitdError.self) { try await watch.synced() }
        #expect(error?.code == "answer-too-large")
    }

    @Test("a stream of records goes on with polls")
    func records() async throws {
        let server = FaultServer { connection, _, index in
            if index == 2 {
                connection.answer(
                    200, page(5, "{\"type\":\"commit\",\"revision\":4}"), fields: json)
            }
            return connection.byte() != nil
        }
        let (seen, next) = AsyncStream.makeStream(of: String.self)
        let records = StreamTests.session(server, timeout: .milliseconds(100)).records {
            next.yield("\($0.type) \($0.revision ?? 0)")
        }
        var found: [String] = []
        for await record in seen.prefix(2) { found.append(record) }
        #expect(found == ["commit 4", "bookmark 5"])
        #expect(records.state == .ready && records.reason == "polling")
        records.close()
    }
}
