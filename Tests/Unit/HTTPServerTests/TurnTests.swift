// A turn of a shard is bounded in time: new events come before what is left of the old ones.

import Dispatch
import Foundation
import Synchronization
import Testing

@testable import HTTPServer

@Suite("Turns")
struct TurnTests {
    private static func get(_ path: String) -> String { "GET \(path) HTTP/1.1\r\nHost: a\r\n\r\n" }

    /// A server whose turns are over as soon as one request, message or deadline was dealt with. It
    /// stands still at `/gate`, counts what it does, and says at `/quiet` how much that was.
    private final class Gated: Sendable {
        let arrived = Inbox<Bool>()
        let between = Inbox<Int>()
        let handles = Inbox<WakeHandle>()
        private let gate = DispatchSemaphore(value: 0)
        private let done = Mutex(0)
        private let deadline = MonotonicClock.deadline(after: 0.3)

        func handle(_ exchange: Exchange) {
            switch exchange.pathText {
            case "/gate": stand()
            case "/quiet": between.put(done.withLock { $0 })
            case "/park", "/deadline": return park(exchange)
            case "/first": break
            default: count()
            }
            exchange.echo()
        }

        private func park(_ exchange: Exchange) {
            let time = exchange.pathText == "/deadline" ? deadline : nil
            let handle = exchange.park(until: time) { [self] exchange, _ in
                if count() == 1 { stand() }
                exchange.echo()
                return .answered
            }
            handles.put(handle)
        }

        @discardableResult
        private func count() -> Int {
            done.withLock { done in
                done += 1
                return done
            }
        }

        private func stand() {
            arrived.put(true)
            gate.wait()
        }

        func open() { gate.signal() }

        func server() throws -> TestServer {
            let configure = { (configuration: inout ServerConfiguration) in
                configuration.limits.turnMicrosecondsMax = 1
            }
            return try TestServer(configure: configure) { [self] in handle($0) }
        }
    }

    @Test("Pipelined requests go on in another turn when the time of one is used up")
    func pipelined() throws {
        let gated = Gated()
        let server = try gated.server()
        let chatty = try server.connect()
        let quiet = try server.connect()
        #expect(chatty.request(Self.get("/first"))?.status == 200)
        #expect(quiet.request(Self.get("/first"))?.status == 200)
        chatty.send(Self.get("/gate") + (0..<100).map { Self.get("/\($0)") }.joined())
        #expect(gated.arrived.take() == true)
        quiet.send(Self.get("/quiet"))
        gated.open()
        let before = try #require(gated.between.take())
        #expect(before <= 2, "\(before) of the others' requests came first")
        #expect(chatty.response()?.status == 200)
        for index in 0..<100 { #expect(chatty.response()?.text == "GET /\(index) ") }
        #expect(quiet.response()?.status == 200)
    }

    @Test("Connections that have more to do go on one after the other, and new events come between")
    func queued() throws {
        let gated = Gated()
        let server = try gated.server()
        let blocker = try server.connect()
        let quiet = try server.connect()
        // One epoll_wait reports all of them.
        let clients = try (0..<15).map { _ in try server.connect() }
        for client in [quiet] + clients {
            #expect(client.request(Self.get("/first"))?.status == 200)
        }
        blocker.send(Self.get("/gate"))
        #expect(gated.arrived.take() == true)
        for (index, client) in clients.enumerated() {
            let second = index == 0 ? "/gate" : "/1"
            client.send(
                Self.get("/0") + Self.get(second) + (2..<30).map { Self.get("/\($0)") }.joined())
        }
        gated.open()
        // The first of them goes on; the others have had their first request answered.
        #expect(gated.arrived.take() == true)
        quiet.send(Self.get("/quiet"))
        gated.open()
        let before = try #require(gated.between.take())
        #expect(before <= 15 + 2, "\(before - 15) of the others' requests came first")
        for (index, client) in clients.enumerated() {
            for number in 0..<30 {
                let path = index == 0 && number == 1 ? "/gate" : "/\(number)"
                #expect(client.response()?.text == "GET \(path) ")
            }
        }
        #expect(quiet.response()?.status == 200)
    }

    @Test(
        "Requests that are woken, or whose time has come, all at once let new events in between",
        arguments: ["/park", "/deadline"])
    func parked(path: String) throws {
        let gated = Gated()
        let server = try gated.server()
        let quiet = try server.connect()
        #expect(quiet.request(Self.get("/first"))?.status == 200)
        let clients = try (0..<20).map { _ in try server.connect() }
        for client in clients { client.send(Self.get(path)) }
        let handles = try clients.map { _ in try #require(gated.handles.take()) }
        if path == "/park" { WakeHandle.wake(handles) }
        #expect(gated.arrived.take() == true)
        quiet.send(Self.get("/quiet"))
        gated.open()
        let before = try #require(gated.between.take())
        #expect(before <= 3, "\(before) of the others came first")
        for client in clients { #expect(client.response()?.status == 200) }
        #expect(quiet.response()?.status == 200)
        #expect(server.server.statistics.parked == 0)
    }

    @Test("The longest turn is in the statistics")
    func longest() throws {
        let server = try TestServer { exchange in
            let end = MonotonicClock.deadline(after: 0.02)
            while exchange.pathText == "/slow", MonotonicClock.now() < end {}
            exchange.echo()
        }
        let client = try server.connect()
        #expect(client.request(Self.get("/slow"))?.status == 200)
        // The turn goes on for a moment after its answer.
        server.wait { $0.statistics.longestTurnMicroseconds >= 20_000 }
    }

    @Test("A turn that sleeps is as long as it takes, one that has no processor is not")
    func scheduled() throws {
        let server = try TestServer { exchange in
            if exchange.pathText == "/sleeps" {
                _ = DispatchSemaphore(value: 0).wait(timeout: .now() + .milliseconds(20))
            }
            exchange.echo()
        }
        let client = try server.connect()
        #expect(client.request(Self.get("/sleeps"))?.status == 200)
        // What the thread waited before the turn counts as well, up to a millisecond.
        server.wait { $0.statistics.longestScheduledTurnMicroseconds >= 19_000 }
        let statistics = server.server.statistics
        #expect(
            statistics.longestScheduledTurnMicroseconds <= statistics.longestTurnMicroseconds)
    }

    @Test("A turn is slow from a bound on, also behind one that took longer")
    func slow() {
        let second: UInt64 = 1_000_000_000
        let counters = ShardCounters()
        var clock = TurnClock(turnTime: 1_000_000, slow: 10 * second)
        let now = MonotonicClock.now()
        clock.begin(at: now)
        func isSlow(_ seconds: UInt64) -> Bool {
            let nanoseconds = seconds * second
            guard let turn = clock.note(nanoseconds: nanoseconds, counters) else {
                return false
            }
            #expect(turn.nanoseconds == nanoseconds && turn.waited < second && turn.ran < second)
            return true
        }
        #expect(!isSlow(1) && !isSlow(9))
        #expect(isSlow(30) && isSlow(11))
        #expect(!isSlow(9))
        #expect(counters.longestTurnMicroseconds.current == 30_000_000)
    }

    @Test("A slow turn tells for how long its thread ran")
    func ran() throws {
        let counters = ShardCounters()
        var clock = TurnClock(turnTime: 1_000_000, slow: 1)
        clock.threadMayChange()
        let start = MonotonicClock.now()
        clock.begin(at: start)
        let times = ThreadTimes()
        let before = times.ran()
        while times.ran() - before < 3_000_000 {}
        _ = DispatchSemaphore(value: 0).wait(timeout: .now() + .milliseconds(20))
        let end = MonotonicClock.now()
        let noted = clock.note(nanoseconds: end - start, counters)
        let turn = try #require(noted)
        #expect(turn.ran >= 3_000_000 && turn.ran + 19_000_000 <= turn.nanoseconds)
    }

    @Test("The time in which a thread is ready and others run is what the system counts")
    func waitedForProcessor() throws {
        var times = ThreadTimes()
        let before = times.waited() ?? .max
        let text = try String(contentsOfFile: "/proc/thread-self/schedstat", encoding: .utf8)
        let after = times.waited() ?? 0
        let counted = try #require(UInt64(text.split(separator: " ")[1]))
        #expect(before <= counted && counted <= after)
    }
}
