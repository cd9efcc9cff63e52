// Streams: asked for more only while their client reads, and always ended.

import Glibc
import HTTPWire
import Synchronization
import Testing

@testable import HTTPServer

@Suite("Streams")
struct StreamTests {
    typealias Event = ScriptedSource.Event
    static let get = "GET /s HTTP/1.1\r\nHost: a\r\n\r\n"

    @Test("Records follow the head at once, then at each wake and each deadline")
    func produce() throws {
        let events = Inbox<Event>()
        let handles = Inbox<WakeHandle>()
        let server = try TestServer { exchange in
            handles.put(
                exchange.stream(events) { out, call in
                    out.append("record \(call)")
                    return .idle(until: call == 1 ? 1 : nil)
                })
        }
        let client = try server.connect()
        client.send(Self.get)
        let head = try #require(client.head())
        #expect(head.fields["transfer-encoding"] == "chunked")
        #expect(client.chunk() == Array("record 0".utf8))
        let handle = try #require(handles.take())
        #expect(server.server.statistics.streams == 1)
        handle.wake()
        #expect(client.chunk() == Array("record 1".utf8))
        #expect(client.chunk() == Array("record 2".utf8))
        handle.wake()
        #expect(client.chunk() == Array("record 3".utf8))
    }

    @Test("A stream that says more is asked until it has finished; the connection is used further")
    func finished() throws {
        let events = Inbox<Event>()
        let server = try TestServer { exchange in
            guard exchange.pathText == "/s" else { return exchange.echo() }
            exchange.stream(events) { out, call in
                if call != 5 { out.append("\(call)") }
                return call == 9 ? .finished : .more
            }
        }
        let client = try server.connect()
        for _ in 0..<3 {
            client.send(Self.get + "GET /next HTTP/1.1\r\nHost: a\r\n\r\n")
            #expect(client.response()?.text == "012346789")
            #expect(client.response()?.text == "GET /next ")
        }
        #expect(server.server.statistics.streams == 0)
    }

    @Test("HTTP/1.0 gets a stream that ends with the connection, HEAD only its head")
    func oldClients() throws {
        let events = Inbox<Event>()
        let server = try TestServer { exchange in
            exchange.stream(events) { out, call in
                out.append("\(call)")
                return call == 3 ? .finished : .more
            }
        }
        let old = try server.connect()
        old.send("GET / HTTP/1.0\r\n\r\n")
        #expect(old.head()?.fields["transfer-encoding"] == nil)
        #expect(old.rest() == Array("0123".utf8))
        for _ in 0..<4 { _ = events.take() }
        #expect(events.take() == .closed)
        let client = try server.connect()
        client.send("HEAD / HTTP/1.1\r\nHost: a\r\n\r\n")
        #expect(client.response(toHead: true)?.fields["transfer-encoding"] == "chunked")
        #expect(events.take() == .closed)
        client.send(Self.get)
        #expect(client.response()?.text == "0123")
    }

    @Test("A wake of many streams reaches each of them, on every shard")
    func broadcast() throws {
        let events = Inbox<Event>()
        let handles = Inbox<WakeHandle>()
        let server = try TestServer(shards: 3) { exchange in
            handles.put(
                exchange.stream(events) { out, call in
                    if call > 0 { out.append("tick") }
                    return .idle(until: nil)
                })
        }
        let clients = try (0..<300).map { _ in try server.connect() }
        for client in clients {
            client.send(Self.get)
            #expect(client.head()?.status == 200)
        }
        let all = try clients.map { _ in try #require(handles.take()) }
        for _ in 0..<3 {
            WakeHandle.wake(all)
            for client in clients { #expect(client.chunk() == Array("tick".utf8)) }
        }
        #expect(server.server.statistics.streams == 300)
    }

    @Test(
        "A client that does not read stops only its own source; reading again, it misses nothing")
    func backpressure() throws {
        let events = Inbox<Event>()
        let produced = Mutex(0)
        let server = try TestServer { exchange in
            guard exchange.pathText == "/s" else { return exchange.echo() }
            exchange.stream(events) { out, budget in
                out.append([UInt8](repeating: 1, count: 65_536))
                let count = produced.withLock { count in
                    count += 1
                    return count
                }
                return count == 400 ? .finished : .more
            }
        }
        let slow = try server.connect(receiveBytes: 4_096)
        slow.send(Self.get)
        #expect(slow.head()?.status == 200)
        let other = try server.connect()
        var before = -1
        while produced.withLock({ $0 }) != before {
            before = produced.withLock { $0 }
            for _ in 0..<100 {
                let answer = other.request("GET /o HTTP/1.1\r\nHost: a\r\n\r\n")
                #expect(answer?.text == "GET /o ")
            }
        }
        #expect(before < 400)
        var count = 0
        while let chunk = slow.chunk(), !chunk.isEmpty { count += chunk.count }
        #expect(count == 400 * 65_536)
    }

    @Test("A client that stalls is told, and closed")
    func slowConsumer() throws {
        let events = Inbox<Event>()
        let impatient = { (configuration: inout ServerConfiguration) in
            configuration.limits.writeStallTimeoutSeconds = 0.05
            configuration.limits.lingerSeconds = 0.05
        }
        let server = try TestServer(configure: impatient) { exchange in
            exchange.stream(events) { out, budget in
                out.append([UInt8](repeating: 1, count: budget))
                return .more
            }
        }
        let client = try server.connect(receiveBytes: 4_096)
        client.send(Self.get)
        var last = events.take()
        while case .produced = last { last = events.take() }
        #expect(last == .ended(.slowConsumer))
        #expect(events.take() == .closed)
        #expect(server.server.statistics.slowConsumers == 1)
        #expect(client.head()?.status == 200)
        _ = client.rest()
        #expect(events.count == 0)
    }

    @Test("A client that stalls inside a record is closed: no record may stand inside another one")
    func slowConsumerInside() throws {
        let events = Inbox<Event>()
        let impatient = { (configuration: inout ServerConfiguration) in
            configuration.limits.writeStallTimeoutSeconds = 0.05
        }
        let server = try TestServer(configure: impatient) { exchange in
            exchange.stream(events, held: { 1_000_000 }) { out, budget in
                out.append([UInt8](repeating: 1, count: budget))
                return .more
            }
        }
        let client = try server.connect(receiveBytes: 4_096)
        client.send(Self.get)
        var last = events.take()
        while case .produced = last { last = events.take() }
        #expect(last == .closed)
        #expect(server.server.statistics.slowConsumers == 1)
        server.wait { $0.memoryParts[.answers] == 0 }
    }

    @Test("What a stream keeps for its reader counts as unsent, and no longer than it keeps that")
    func held() throws {
        let events = Inbox<Event>()
        let handles = Inbox<WakeHandle>()
        let kept = Mutex(0)
        let configure = { (configuration: inout ServerConfiguration) in
            configuration.limits.unsentBytesMax = 1_000_000
        }
        let server = try TestServer(configure: configure) { exchange in
            let handle = exchange.stream(events, held: { kept.withLock { $0 } }) { out, call in
                out.append("record \(call)")
                return .idle(until: nil)
            }
            handles.put(handle)
        }
        let client = try server.connect()
        client.send(Self.get)
        #expect(client.head() != nil)
        #expect(client.chunk() == Array("record 0".utf8))
        let handle = try #require(handles.take())
        for (call, bytes) in [400_000, 500_000, 100_000, 0].enumerated() {
            kept.withLock { $0 = bytes }
            handle.wake()
            #expect(client.chunk() == Array("record \(call + 1)".utf8))
            server.wait { $0.memoryParts[.answers] == bytes }
        }
        // More than the streams of one caller may keep ends this one.
        kept.withLock { $0 = 500_001 }
        handle.wake()
        for call in 0...5 { #expect(events.take() == .produced(call)) }
        #expect(events.take() == .closed)
        server.wait { $0.memoryParts[.answers] == 0 }
    }

    @Test(
        "A client that leaves, politely or not, closes its stream once", arguments: [true, false])
    func disconnect(politely: Bool) throws {
        let events = Inbox<Event>()
        let handles = Inbox<WakeHandle>()
        let server = try TestServer { exchange in
            handles.put(exchange.stream(events) { _, _ in .idle(until: nil) })
        }
        let client = try server.connect()
        client.send(Self.get)
        #expect(client.head()?.status == 200)
        #expect(events.take() == .produced(0))
        if politely { client.finishSending() } else { client.reset() }
        #expect(events.take() == .closed)
        handles.take()?.wake()
        // The wake found no stream, and the shard continues.
        let next = try server.connect()
        next.send(Self.get)
        #expect(next.head()?.status == 200)
        #expect(server.server.statistics.streams == 1)
    }

    @Test("Draining ends a stream with a last record, its end, and the connection's")
    func draining() throws {
        let events = Inbox<Event>()
        let server = try TestServer(shards: 2) { exchange in
            exchange.stream(events) { _, _ in .idle(until: nil) }
        }
        let clients = try (0..<4).map { _ in try server.connect() }
        for client in clients {
            client.send(Self.get)
            #expect(client.head()?.status == 200)
        }
        let drained = server.drain(graceSeconds: 60)
        for client in clients {
            #expect(client.chunk() == Array("end:draining".utf8))
            #expect(client.chunk() == [])
            #expect(client.isAtEnd)
        }
        #expect(drained.take() == true)
        var counts = (ended: 0, closed: 0)
        while events.count > 0 {
            switch events.take() {
            case .ended: counts.ended += 1
            case .closed: counts.closed += 1
            default: break
            }
        }
        #expect(counts == (4, 4))
    }

    @Test("Streams end one after the other within the window; those that begin meanwhile, at once")
    func drainWindow() throws {
        let events = Inbox<Event>()
        let server = try TestServer { exchange in
            exchange.stream(events) { out, call in
                if call == 0 { out.append("hello") }
                return .idle(until: nil)
            }
        }
        let clients = try (0..<4).map { _ in try server.connect() }
        for client in clients {
            client.send(Self.get)
            #expect(client.head()?.status == 200)
            #expect(client.chunk() == Array("hello".utf8))
        }
        // Its request has begun, so that draining lets it go on.
        let late = try server.connect()
        late.send("GET /s HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\n\r\n")
        server.wait { $0.statistics.connections >= 5 }
        let started = MonotonicClock.now()
        let drained = server.drain(windowSeconds: 0.4, graceSeconds: 60)
        var ends: [UInt64] = []
        for (index, client) in clients.enumerated() {
            #expect(client.chunk() == Array("end:draining".utf8))
            #expect(client.chunk() == [])
            ends.append((MonotonicClock.now() - started) / 1_000_000)
            #expect(client.isAtEnd)
            if index == 0 {
                late.send("x")
                #expect(late.head()?.status == 200)
                #expect(late.chunk() == Array("hello".utf8))
                #expect(late.chunk() == Array("end:draining".utf8))
            }
        }
        // Never earlier than their turn; how much later depends on the machine.
        #expect(zip(ends, [0, 100, 200, 300]).allSatisfy { $0 >= $1 }, "\(ends)")
        #expect(drained.take() == true)
    }
}
