// Fairness: no connection takes more than its turn, neither one that sends much nor one that is sent much.

import Dispatch
import Glibc
import HTTPWire
import Ledger
import Synchronization
import Testing

@testable import HTTPServer

@Suite("Fairness")
struct FairnessTests {
    static let get = "GET / HTTP/1.1\r\nHost: a\r\n\r\n"

    @Test("A connection with a thousand requests waiting lets others in between")
    func chattyConnection() throws {
        let gate = DispatchSemaphore(value: 0)
        let arrived = Inbox<Bool>()
        let served = Mutex(0)
        let between = Inbox<Int>()
        let configure = { (configuration: inout ServerConfiguration) in
            configuration.limits.pipelineDepthMax = 10
        }
        let server = try TestServer(configure: configure) { exchange in
            switch exchange.pathText {
            case "/gate":
                arrived.put(true)
                gate.wait()
            case "/quiet": between.put(served.withLock { $0 })
            default: served.withLock { $0 += 1 }
            }
            exchange.echo()
        }
        let chatty = try server.connect()
        let quiet = try server.connect()
        // All of them are in one recv; the shard stands still until the other one has asked.
        let one = "GET /c HTTP/1.1\r\nHost: a\r\n\r\n"
        chatty.send(String(repeating: one, count: 10))
        for _ in 0..<10 { #expect(chatty.response()?.status == 200) }
        chatty.send("GET /gate HTTP/1.1\r\nHost: a\r\n\r\n" + String(repeating: one, count: 1_000))
        #expect(arrived.take() == true)
        quiet.send("GET /quiet HTTP/1.1\r\nHost: a\r\n\r\n")
        gate.signal()
        let before = try #require(between.take())
        #expect(before <= 10 + 3 * 10, "\(before) of the others' requests came first")
        for _ in 0..<1_001 { #expect(chatty.response()?.status == 200) }
        #expect(quiet.response()?.status == 200)
    }

    @Test(
        "A caller with hundreds of connections, or whose requests take a turn each, lets another in between",
        arguments: [(300, nil, 20), (24, 1, 2)])
    func greedyCaller(connections: Int, turnMicrosecondsMax: Int?, countMax: Int) throws {
        let gate = DispatchSemaphore(value: 0)
        let arrived = Inbox<Bool>()
        let served = Mutex(0)
        let before = Inbox<Int>()
        let configure = { (configuration: inout ServerConfiguration) in
            if let turnMicrosecondsMax {
                configuration.limits.turnMicrosecondsMax = turnMicrosecondsMax
            }
        }
        let server = try TestServer(configure: configure) { exchange in
            switch exchange.pathText {
            case "/gate":
                arrived.put(true)
                gate.wait()
            case "/join": exchange.count(for: CallerKey(high: .max, low: 1))
            case "/quiet": before.put(served.withLock { $0 })
            default: served.withLock { $0 += 1 }
            }
            exchange.echo()
        }
        let greedy = try (0..<connections).map { _ in try server.connect() }
        let quiet = try server.connect()
        quiet.send("GET /join HTTP/1.1\r\nHost: a\r\n\r\n")
        #expect(quiet.response()?.status == 200)
        let last = try server.connect()
        last.send("GET /gate HTTP/1.1\r\nHost: a\r\n\r\n")
        #expect(arrived.take() == true)
        // The shard stands still until all have asked, the quiet one as the last.
        for connection in greedy { connection.send(Self.get) }
        quiet.send("GET /quiet HTTP/1.1\r\nHost: a\r\n\r\n")
        gate.signal()
        let count = try #require(before.take())
        #expect(count <= countMax, "\(count) requests of the greedy caller came first")
        for connection in greedy { #expect(connection.response()?.status == 200) }
        #expect(quiet.response()?.status == 200)
        #expect(last.response()?.status == 200)
    }

    @Test("No more goes to, or comes from, one connection in a turn than may")
    func turnBytes() throws {
        let body = (0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 &* 13) }
        let configure = { (configuration: inout ServerConfiguration) in
            configuration.limits.turnBytesMax = 1_000
            configuration.limits.batchBytesMax = 2_000
        }
        let server = try TestServer(configure: configure) { exchange in
            exchange.method == .put ? exchange.echo() : exchange.reply(body)
        }
        let client = try server.connect()
        client.send(Self.get)
        let other = try server.connect()
        other.send("PUT / HTTP/1.1\r\nHost: a\r\nContent-Length: 300000\r\n\r\n")
        other.send(body[..<300_000])
        #expect(client.response()?.body == body)
        #expect(other.response()?.body == Array("PUT / ".utf8) + body[..<300_000])
    }

    @Test("Requests that are not complete are refused when all together hold too much")
    func collectedBytesMax() throws {
        let server = try TestServer(
            shards: 2, configure: { $0.limits.collectedBytesMax = 300_000 })
        let barrier = try server.connect()
        let body = [UInt8](repeating: 1, count: 100_000)
        let head = "PUT / HTTP/1.1\r\nHost: a\r\nContent-Length: 100001\r\n\r\n"
        var clients: [RawClient] = []
        while server.server.statistics.refused == 0 {
            let client = try server.connect()
            client.send(head)
            client.send(body)
            clients.append(client)
            #expect(clients.count < 20)
            #expect(barrier.request(Self.get)?.status == 200)
        }
        var answers: [Int: Int] = [:]
        for client in clients {
            client.send([1])
            let answer = try #require(client.response())
            answers[answer.status, default: 0] += 1
            if answer.status == 503 {
                #expect(answer.text == "too-much-input collectedBytesMax=300000")
            }
        }
        #expect(answers[200, default: 0] >= 1)
        #expect(answers[503, default: 0] >= 1)
        #expect(answers.values.reduce(0, +) == clients.count)
        // All of it was given back.
        let again = try server.connect()
        again.send(head)
        again.send(body + [1])
        #expect(again.response()?.status == 200)
    }

    @Test("An answer is refused before it begins when all clients together are owed too much")
    func unsentBytesMax() throws {
        let body = [UInt8](repeating: 1, count: 20_000_000)
        let configure = { (configuration: inout ServerConfiguration) in
            configuration.limits.unsentBytesMax = 30_000_000
            configuration.limits.writeStallTimeoutSeconds = 1_000
        }
        let server = try TestServer(configure: configure) { $0.reply(body) }
        let patient = try server.connect(receiveBytes: 4_096)
        patient.send(Self.get)
        server.wait { $0.statistics.requests >= 1 }
        let greedy = try server.connect(receiveBytes: 4_096)
        let refusal = try #require(greedy.request(Self.get))
        #expect(refusal.status == 503)
        #expect(refusal.text == "too-much-output unsentBytesMax=30000000")
        #expect(patient.response()?.body.count == body.count)
        #expect(greedy.request(Self.get)?.body.count == body.count)
        #expect(patient.request(Self.get)?.body.count == body.count)
    }

    @Test("When memory is short, the stream with the most unsent bytes ends, and answers do not")
    func memoryIsShort() throws {
        let body = [UInt8](repeating: 1, count: 20_000_000)
        let events = Inbox<ScriptedSource.Event>()
        let configure = { (configuration: inout ServerConfiguration) in
            configuration.limits.writeStallTimeoutSeconds = 1_000
        }
        let server = try TestServer(configure: configure) { exchange in
            guard exchange.pathText == "/stream" else { return exchange.reply(body) }
            exchange.stream(events) { out, _ in
                out.append([UInt8](repeating: 2, count: 10_000_000))
                return .idle(until: nil)
            }
        }
        let patient = try server.connect(receiveBytes: 4_096)
        patient.send(Self.get)
        let follower = try server.connect(receiveBytes: 4_096)
        follower.send("GET /stream HTTP/1.1\r\nHost: a\r\n\r\n")
        #expect(events.take() == .produced(0))
        server.wait { $0.memoryParts[.answers] ?? 0 >= 20_000_000 }
        server.server.endSlowest()
        #expect(events.take() == .closed)
        #expect(server.server.statistics.slowConsumers == 1)
        #expect(follower.rest().count < 10_000_000)
        #expect(patient.response()?.body.count == body.count)
        #expect(server.server.memoryParts[.answers] == 0)
    }

    @Test("A caller that takes nothing leaves room for the answers of others")
    func callersUnsent() throws {
        let body = [UInt8](repeating: 1, count: 6_000_000)
        let path = "/tmp/traitd-\(getpid())-\(UInt32.random(in: 0 ... .max)).sock"
        let configure = { (configuration: inout ServerConfiguration) in
            configuration.addresses.append(.unix(path: path))
            configuration.limits.unsentBytesMax = 20_000_000
            configuration.limits.writeStallTimeoutSeconds = 1_000
        }
        let server = try TestServer(configure: configure) { $0.reply(body) }
        let patient = try server.connect(receiveBytes: 4_096)
        patient.send(Self.get)
        server.wait { $0.memoryParts[.answers] ?? 0 >= 5_000_000 }
        let greedy = try server.connect(receiveBytes: 4_096)
        #expect(greedy.request(Self.get)?.status == 503)
        // A client of a socket file is another caller than an address.
        let other = try RawClient(.unix(path: path))
        #expect(other.request(Self.get)?.body.count == body.count)
        #expect(patient.response()?.body.count == body.count)
        #expect(greedy.request(Self.get)?.body.count == body.count)
    }

    /// Sends a body of ten million bytes one at a time for so long, or until it is refused. Returns
    /// whether it was, and the longest time between two bytes in nanoseconds.
    private func sendSlowly(
        rate: Int, timeout: Double, nanosecondsMax: UInt64
    ) throws -> (isRefused: Bool, longestGap: UInt64) {
        let server = try TestServer(configure: {
            $0.limits.bodyTimeoutSeconds = timeout
            $0.limits.bodyBytesPerSecondMin = rate
        })
        let barrier = try Barrier(server)
        let client = try server.connect()
        client.send("PUT / HTTP/1.1\r\nHost: a\r\nContent-Length: 10000000\r\n\r\n")
        let start = MonotonicClock.now()
        var (last, longestGap, sent) = (start, UInt64(0), 0)
        while sent < 9_000_000, server.server.statistics.refused == 0,
            last - start < nanosecondsMax
        {
            client.send([1])
            sent += 1
            try barrier.pass()
            let now = MonotonicClock.now()
            longestGap = max(longestGap, now - last)
            last = now
        }
        let isRefused = server.server.statistics.refused == 1
        if isRefused { #expect(client.response()?.status == 408) }
        return (isRefused, longestGap)
    }

    @Test("A body that comes steadily but too slowly is refused; one at the rate is not")
    func bodyBytesPerSecondMin() throws {
        let slow = try sendSlowly(
            rate: 1_000_000_000, timeout: 0.05, nanosecondsMax: 30_000_000_000)
        #expect(slow.isRefused)
        var steady = try sendSlowly(rate: 1, timeout: 1, nanosecondsMax: 2_000_000_000)
        // A machine that stood still has sent no steady body.
        for _ in 0..<10 where steady.isRefused && steady.longestGap > 500_000_000 {
            steady = try sendSlowly(rate: 1, timeout: 1, nanosecondsMax: 2_000_000_000)
        }
        #expect(!steady.isRefused)
    }

    @Test("Bytes of a body that came fast do not pay for a trickle after them")
    func trickle() throws {
        let server = try TestServer(configure: {
            $0.limits.bodyTimeoutSeconds = 0.05
            $0.limits.bodyBytesPerSecondMin = 16_384
        })
        let barrier = try Barrier(server)
        let client = try server.connect()
        client.send("PUT / HTTP/1.1\r\nHost: a\r\nContent-Length: 1000000\r\n\r\n")
        // At the slowest rate they would take half a minute.
        client.send([UInt8](repeating: 1, count: 500_000))
        try barrier.pass()
        let start = MonotonicClock.now()
        while server.server.statistics.refused == 0, MonotonicClock.now() - start < 10_000_000_000 {
            client.send([1])
            // A round trip may take less than the 61 microseconds that a byte may take.
            for _ in 0..<20 { try barrier.pass() }
        }
        try #require(server.server.statistics.refused == 1)
        let answer = client.response()
        #expect(answer?.status == 408)
        #expect(answer?.text == "request-body-timeout bodyTimeoutSeconds=1")
    }

    @Test("When unfinished requests hold too much, one that holds much for long ends, not the next")
    func oldestAndLargest() throws {
        let server = try TestServer(configure: {
            $0.limits.collectedBytesMax = 600_000
            $0.limits.bodyTimeoutSeconds = 60
        })
        let barrier = try Barrier(server)
        let head = "PUT / HTTP/1.1\r\nHost: a\r\nContent-Length: "
        let body = [UInt8](repeating: 1, count: 100_000)
        func begin() throws -> RawClient {
            let client = try server.connect()
            client.send("\(head)\(body.count + 1)\r\n\r\n")
            client.send(body)
            try barrier.pass()
            return client
        }
        // However long it takes, it holds little.
        let small = try server.connect()
        small.send("\(head)4\r\n\r\nab")
        try barrier.pass()
        let oldest = try begin()
        var others: [RawClient] = []
        while server.server.statistics.refused == 0 {
            others.append(try begin())
            try #require(others.count < 20)
        }
        // Only a refused client is answered before its body is complete.
        for client in others.suffix(1) {
            client.send([1])
            #expect(client.response()?.status == 200)
        }
        small.send("cd")
        #expect(small.response()?.text == "PUT / abcd")
        let answer = oldest.response()
        #expect(answer?.status == 503)
        #expect(answer?.text == "too-much-input collectedBytesMax=600000")
        #expect(answer?.fields["connection"] == "close")
    }

    @Test("A handler can refuse a body before it is sent, and the client is not told to go on")
    func expectBody() throws {
        let server = try TestServer(handler: ExpectingHandler())
        let client = try server.connect()
        let expects = "Host: a\r\nExpect: 100-continue\r\nContent-Length: 3\r\n\r\n"
        client.send("PUT /yes HTTP/1.1\r\n\(expects)")
        #expect(client.head()?.status == 100)
        client.send("abc")
        #expect(client.response()?.text == "PUT /yes abc")
        client.send("PUT /no HTTP/1.1\r\n\(expects)")
        let answer = client.response()
        #expect(answer?.status == 403)
        #expect(answer?.text == "PUT /no ")
        #expect(answer?.fields["connection"] == "close")
        client.send("abcGET / HTTP/1.1\r\nHost: a\r\n\r\n")
        #expect(client.isAtEnd)
        // A body that comes along is there to be looked at, and its request in vain refused early.
        let eager = try server.connect()
        #expect(eager.request("PUT /no HTTP/1.1\r\n\(expects)abc")?.text == "PUT /no abc")
        #expect(eager.request(Self.get)?.text == "GET / ")
    }

    final class ExpectingHandler: RequestHandler {
        func handle(_ exchange: Exchange) { exchange.echo() }
        func refuse(_ refusal: WireError, _ exchange: Exchange) {
            exchange.reply("\(refusal.code)", status: refusal.status)
        }
        func expectBody(_ exchange: Exchange) {
            if exchange.pathText == "/no" {
                exchange.reply("\(exchange.method.name) \(exchange.pathText) ", status: 403)
            }
        }
    }
}
