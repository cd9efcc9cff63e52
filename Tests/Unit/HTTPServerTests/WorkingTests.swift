// Work on the workers: in slices, in turns, and without effect once no request waits for it.

import Dispatch
import Glibc
import HTTPWire
import Synchronization
import Testing

@testable import HTTPServer

@Suite("Work")
struct WorkingTests {
    static func get(_ path: String) -> String { "GET \(path) HTTP/1.1\r\nHost: a\r\n\r\n" }

    /// Answers with the number of slices and the body's size after `slices` of them.
    static func work(_ exchange: Exchange, slices: Int) {
        let body = exchange.retainRequest()?.body
        let path = exchange.pathText
        let done = Atomic<Int>(0)
        let counter = Counted(done)
        exchange.work {
            let count = counter.value.wrappingAdd(1, ordering: .relaxed).newValue
            let sum = body?.bytes.reduce(0) { $0 &+ Int($1) } ?? -1
            return count < slices ? .more : .done(sum)
        } then: { exchange, sum in
            let count = counter.value.load(ordering: .relaxed)
            exchange.reply("\(path) \(count) \(sum)")
        }
    }

    /// Atomics cannot be captured; a reference to one can.
    final class Counted: Sendable {
        let value: Atomic<Int>
        init(_ value: consuming Atomic<Int>) { self.value = value }
    }

    @Test("The answer comes after as many slices as it takes, and those behind it after that")
    func slices() throws {
        let server = try TestServer { exchange in
            exchange.pathText == "/w" ? Self.work(exchange, slices: 5) : exchange.echo()
        }
        let client = try server.connect()
        for _ in 0..<20 {
            client.send(Self.get("/1") + Self.get("/w") + Self.get("/2"))
            #expect(client.response()?.text == "GET /1 ")
            #expect(client.response()?.text == "/w 5 0")
            #expect(client.response()?.text == "GET /2 ")
        }
        #expect(server.server.statistics.working == 0)
    }

    @Test(
        "A body that is taken stays as it was, whatever follows it on the connection",
        arguments: [10, 16_384, 16_385, 60_000, 200_000, 1_000_000])
    func takenBody(size: Int) throws {
        let server = try TestServer { exchange in
            exchange.pathText == "/w" ? Self.work(exchange, slices: 3) : exchange.echo()
        }
        let client = try server.connect()
        let body = (0..<size).map { UInt8(truncatingIfNeeded: $0 &* 7) }
        let sum = body.reduce(0) { $0 + Int($1) }
        let packed = RawClient.gzip(body)
        let head = "PUT /w HTTP/1.1\r\nHost: a\r\n"
        let next = Self.get("/after")
        client.send(Array("\(head)Content-Length: \(size)\r\n\r\n".utf8) + body + Array(next.utf8))
        client.send(
            Array("\(head)Transfer-Encoding: chunked\r\n\r\n\(String(size, radix: 16))\r\n".utf8)
                + body + Array("\r\n0\r\n\r\n\(next)".utf8))
        client.send(
            Array("\(head)Content-Encoding: gzip\r\nContent-Length: \(packed.count)\r\n\r\n".utf8)
                + packed + Array(next.utf8))
        for _ in 0..<3 {
            #expect(client.response()?.text == "/w 3 \(sum)")
            #expect(client.response()?.text == "GET /after ")
        }
        let other = try server.connect()
        #expect(other.request(Self.get("/x"))?.text == "GET /x ")
    }

    @Test("Work may lead to more work, to a wait or to a stream")
    func chains() throws {
        let events = Inbox<ScriptedSource.Event>()
        let server = try TestServer { exchange in
            exchange.work {
                .done(1)
            } then: { exchange, one in
                exchange.work {
                    .done(one + 1)
                } then: { exchange, two in
                    _ = exchange.park(until: 1) { exchange, _ in
                        exchange.stream(events) { out, _ in
                            out.append("\(two)")
                            return .finished
                        }
                        return .answered
                    }
                }
            }
        }
        let client = try server.connect()
        for _ in 0..<3 { #expect(client.request(Self.get("/"))?.text == "2") }
    }

    @Test("An answer that was made elsewhere is sent with its fields, plain or compressed")
    func answers() throws {
        let server = try TestServer { exchange in
            let size = Int(exchange.pathText.dropFirst()) ?? 0
            exchange.work {
                .done([UInt8](repeating: 65, count: size))
            } then: { exchange, bytes in
                let body = OutputBuffer()
                body.append(bytes)
                exchange.send(body, status: 201, fields: "X-Y: z\r\n")
            }
        }
        let client = try server.connect()
        for size in [0, 10, 5_000, 65_536, 65_537, 300_000, 5_000_000] {
            for coding in ["", "Accept-Encoding: gzip\r\n"] {
                client.send("GET /\(size) HTTP/1.1\r\nHost: a\r\n\(coding)\r\n")
                let answer = try #require(client.response())
                #expect(answer.status == 201 && answer.fields["x-y"] == "z")
                let isPacked = size >= 1_024 && !coding.isEmpty
                #expect(answer.fields["content-encoding"] == (isPacked ? "gzip" : nil))
                #expect(answer.fields["vary"] == (size >= 1_024 ? "Accept-Encoding" : nil))
                let body = isPacked ? try RawClient.gunzip(answer.body) : answer.body
                #expect(body.count == size && body.allSatisfy { $0 == 65 })
            }
            client.send("HEAD /\(size) HTTP/1.1\r\nHost: a\r\n\r\n")
            #expect(client.response(toHead: true)?.fields["content-length"] == "\(size)")
        }
    }

    /// Bytes that no compressor makes fewer.
    private static func noise(_ count: Int) -> [UInt8] {
        var state: UInt64 = 7
        return (0..<count).map { _ in
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return UInt8(truncatingIfNeeded: state >> 56)
        }
    }

    /// A server that may hold a million bytes of answers, and answers with as many as the path says.
    private static func narrowServer() throws -> TestServer {
        let configure = { (configuration: inout ServerConfiguration) in
            configuration.limits.unsentBytesMax = 1_000_000
        }
        return try TestServer(configure: configure) { exchange in
            let size = Int(exchange.pathText.dropFirst()) ?? 0
            let body = OutputBuffer(capacity: size)
            body.append(noise(size))
            exchange.send(
                body, fields: "ETag: \"a\(EntityTagCoding.gzipSuffix)\"\r\nX-Y: z\r\n")
        }
    }

    private static func packed(_ method: String, _ size: Int) -> String {
        "\(method) /\(size) HTTP/1.1\r\nHost: a\r\nAccept-Encoding: gzip\r\n\r\n"
    }

    @Test("An answer is sent plain, with the tag of that, when its compressed form has no room")
    func noRoomForCompressed() throws {
        let server = try Self.narrowServer()
        let client = try server.connect()
        // More often than would fit if something of it stayed counted.
        for _ in 0..<5 {
            for (size, isPacked) in [(900_000, false), (300_000, true)] {
                let answer = try #require(client.request(Self.packed("GET", size)))
                #expect(answer.status == 200 && answer.fields["x-y"] == "z")
                #expect(answer.fields["content-encoding"] == (isPacked ? "gzip" : nil))
                #expect(answer.fields["etag"] == (isPacked ? "\"a-gzip\"" : "\"a\""))
                #expect(answer.fields["vary"] == "Accept-Encoding")
                let body = isPacked ? try RawClient.gunzip(answer.body) : answer.body
                let isSame = body == Self.noise(size)
                #expect(isSame)
            }
        }
    }

    @Test("An answer that has no room at all is refused; what may have changed something ends")
    func noRoomForAnswer() throws {
        let server = try Self.narrowServer()
        let client = try server.connect()
        for _ in 0..<3 {
            let refusal = try #require(client.request(Self.packed("GET", 2_000_000)))
            #expect(refusal.status == 503)
            let text = String(refusal.text.prefix(100))
            #expect(text == "too-much-output unsentBytesMax=1000000")
            #expect(refusal.fields["connection"] == nil)
            #expect(client.request(Self.packed("GET", 10))?.body == Self.noise(10))
        }
        client.send(Self.packed("PUT", 2_000_000))
        #expect(client.isAtEnd)
        let other = try server.connect()
        #expect(other.request(Self.packed("GET", 300_000))?.status == 200)
        #expect(server.server.statistics.working == 0)
    }

    @Test("Work ends early when its client is gone, and its result is dropped")
    func disconnected() throws {
        let slices = DispatchSemaphore(value: 0)
        let finished = Inbox<Bool>()
        let released = Inbox<Bool>()
        let server = try TestServer { exchange in
            guard exchange.pathText == "/w" else { return exchange.echo() }
            let witness = Witness { released.put(true) }
            exchange.work { () -> WorkStep<Int> in
                slices.signal()
                return .more
            } then: { [witness] exchange, _ in
                withExtendedLifetime(witness) { finished.put(true) }
                exchange.echo()
            }
        }
        let client = try server.connect()
        client.send(Self.get("/w"))
        for _ in 0..<3 { slices.wait() }
        #expect(server.server.statistics.working == 1)
        client.reset()
        #expect(released.take() == true)
        #expect(finished.count == 0)
        #expect(server.server.statistics.working == 0)
        #expect(try server.connect().request(Self.get("/x"))?.text == "GET /x ")
    }

    final class Witness {
        private let gone: @Sendable () -> Void
        init(_ gone: @escaping @Sendable () -> Void) { self.gone = gone }
        deinit { gone() }
    }

    @Test("A client that only closed its side is still answered")
    func halfClose() throws {
        let server = try TestServer { Self.work($0, slices: 50) }
        let client = try server.connect()
        client.send(Self.get("/w"))
        client.finishSending()
        #expect(client.response()?.text == "/w 50 0")
        #expect(client.isAtEnd)
    }

    @Test("Draining waits for work, and the connection ends with its answer")
    func draining() throws {
        let gate = DispatchSemaphore(value: 0)
        let server = try TestServer { exchange in
            exchange.work {
                gate.wait()
                return .done(1)
            } then: { exchange, _ in
                exchange.reply("done")
            }
        }
        // Whoever sees an idle connection closed knows that the server drains.
        let idle = try server.connect()
        let client = try server.connect()
        client.send(Self.get("/"))
        server.wait { $0.statistics.working > 0 }
        let drained = server.drain(graceSeconds: 60)
        #expect(idle.isAtEnd)
        gate.signal()
        let answer = client.response()
        #expect(answer?.text == "done")
        #expect(answer?.fields["connection"] == "close")
        #expect(drained.take() == true)
    }
}

@Suite("Workers")
struct WorkersTests {
    /// Counts its slices, and how many of all run at once.
    final class Slices: Work, Sendable {
        let slicesMax: Int
        let count = Atomic<Int>(0)
        let running: WorkingTests.Counted
        let most: WorkingTests.Counted
        let isInside = Atomic<Bool>(false)
        /// Signalled after each slice.
        let isOver = DispatchSemaphore(value: 0)

        init(_ slicesMax: Int, _ running: WorkingTests.Counted, _ most: WorkingTests.Counted) {
            self.slicesMax = slicesMax
            self.running = running
            self.most = most
        }

        func slice() -> Bool {
            let wasInside = isInside.exchange(true, ordering: .acquiringAndReleasing)
            #expect(!wasInside)
            let now = running.value.wrappingAdd(1, ordering: .relaxed).newValue
            most.value.max(now, ordering: .relaxed)
            for _ in 0..<10 { sched_yield() }
            running.value.wrappingSubtract(1, ordering: .relaxed)
            isInside.store(false, ordering: .releasing)
            defer { isOver.signal() }
            return count.wrappingAdd(1, ordering: .relaxed).newValue == slicesMax
        }

        func finish(_ connection: Connection) {}
    }

    private static func collect(_ mailbox: Mailbox, count: Int) -> Int {
        var collected = 0
        while collected < count {
            var messages = ContiguousArray<Message>()
            mailbox.collect(into: &messages)
            collected += messages.count
            sched_yield()
        }
        return collected
    }

    @Test(
        "No more slices are done at once than there are threads, and none twice", arguments: 1...3)
    func threads(count: Int) throws {
        let mailbox = try Mailbox()
        let workers = Workers(threads: count)
        let running = WorkingTests.Counted(Atomic(0))
        let most = WorkingTests.Counted(Atomic(0))
        let all = (1...60).map { Slices($0 % 7 + 1, running, most) }
        for (index, work) in all.enumerated() {
            let target = WakeTarget(mailbox: mailbox, slot: Int32(index), serial: 1)
            workers.run(work, for: target, of: nil)
        }
        #expect(Self.collect(mailbox, count: 60) == 60)
        #expect(all.allSatisfy { $0.count.load(ordering: .relaxed) == $0.slicesMax })
        #expect((1...count).contains(most.value.load(ordering: .relaxed)))
    }

    @Test("A short piece of work does not wait for a long one to end")
    func turns() throws {
        let mailbox = try Mailbox()
        let workers = Workers(threads: 1)
        let zero = WorkingTests.Counted(Atomic(0))
        let long = Slices(.max, zero, WorkingTests.Counted(Atomic(0)))
        let short = Slices(3, zero, WorkingTests.Counted(Atomic(0)))
        let target = WakeTarget(mailbox: mailbox, slot: 0, serial: 1)
        workers.run(long, for: target, of: nil)
        workers.run(short, for: WakeTarget(mailbox: mailbox, slot: 1, serial: 2), of: nil)
        #expect(Self.collect(mailbox, count: 1) == 1)
        #expect(short.count.load(ordering: .relaxed) == 3)
        target.end()
        #expect(Self.collect(mailbox, count: 1) == 1)
    }

    @Test("Only so many pieces have begun at a time; the others wait until one ends")
    func begun() throws {
        let mailbox = try Mailbox()
        let workers = Workers(threads: 1, begunMax: 2)
        let zero = WorkingTests.Counted(Atomic(0))
        let most = WorkingTests.Counted(Atomic(0))
        let targets = (0..<3).map { WakeTarget(mailbox: mailbox, slot: $0, serial: 1) }
        let endless = (0..<3).map { _ in Slices(.max, zero, most) }
        for (work, target) in zip(endless, targets) { workers.run(work, for: target, of: nil) }
        for _ in 0..<20 { endless[1].isOver.wait() }
        #expect(endless[2].count.load(ordering: .relaxed) == 0)
        targets[0].end()
        endless[2].isOver.wait()
        targets[1].end()
        targets[2].end()
        #expect(Self.collect(mailbox, count: 3) == 3)
    }
}
