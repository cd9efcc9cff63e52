// Requests that are answered later.

import Dispatch
import Synchronization
import Testing

@testable import HTTPServer

@Suite("Parked requests")
struct ParkingTests {
    static func get(_ path: String) -> String { "GET \(path) HTTP/1.1\r\nHost: a\r\n\r\n" }

    /// Parks `/park`, reports the reasons it is resumed for, and answers with those seen as soon as
    /// `answers` says so.
    static func parking(
        until deadline: @escaping @Sendable () -> UInt64? = { nil },
        handles: Inbox<WakeHandle>, reasons: Inbox<WakeReason>,
        answers: @escaping @Sendable (WakeReason) -> Bool
    ) -> @Sendable (Exchange) -> Void {
        { exchange in
            guard exchange.pathText == "/park" else { return exchange.echo() }
            var seen: [WakeReason] = []
            handles.put(
                exchange.park(until: deadline()) { exchange, reason in
                    seen.append(reason)
                    defer { reasons.put(reason) }
                    guard answers(reason) else { return .keepWaiting(until: nil) }
                    exchange.reply("\(seen)")
                    return .answered
                })
        }
    }

    @Test("A wake from another thread resumes it; requests behind it wait for it")
    func wake() throws {
        let handles = Inbox<WakeHandle>()
        let reasons = Inbox<WakeReason>()
        let server = try TestServer(
            answer: Self.parking(handles: handles, reasons: reasons) { _ in reasons.count > 0 })
        let client = try server.connect()
        for _ in 0..<3 {
            client.send(Self.get("/1") + Self.get("/park") + Self.get("/2"))
            #expect(client.response()?.text == "GET /1 ")
            let handle = try #require(handles.take())
            #expect(server.server.statistics.parked == 1)
            handle.wake()
            #expect(reasons.take() == .woken)
            reasons.put(.woken)
            handle.wake()
            #expect(
                client.response()?.text
                    == "[HTTPServer.WakeReason.woken, HTTPServer.WakeReason.woken]")
            #expect(client.response()?.text == "GET /2 ")
            handle.wake()
            while reasons.count > 0 { _ = reasons.take() }
        }
        #expect(server.server.statistics.parked == 0)
    }

    @Test("A deadline resumes it, in the past too", arguments: [0.03, -1])
    func deadline(seconds: Double) throws {
        let reasons = Inbox<WakeReason>()
        let server = try TestServer(
            answer: Self.parking(
                until: { seconds < 0 ? 1 : MonotonicClock.deadline(after: seconds) },
                handles: Inbox(), reasons: reasons, answers: { _ in true }))
        let client = try server.connect()
        #expect(client.request(Self.get("/park"))?.status == 200)
        #expect(reasons.take() == .deadline)
    }

    @Test("It never resumes before its deadline")
    func notEarly() throws {
        let server = try TestServer { exchange in
            let deadline = MonotonicClock.deadline(after: 0.04)
            _ = exchange.park(until: deadline) { exchange, _ in
                exchange.reply("\(MonotonicClock.now() >= deadline)")
                return .answered
            }
        }
        #expect(try server.connect().request(Self.get("/park"))?.text == "true")
    }

    @Test("A client that is gone is noticed at once, and once")
    func disconnect() throws {
        let handles = Inbox<WakeHandle>()
        let reasons = Inbox<WakeReason>()
        let server = try TestServer(
            answer: Self.parking(handles: handles, reasons: reasons, answers: { _ in false }))
        let client = try server.connect()
        client.send(Self.get("/park"))
        let handle = try #require(handles.take())
        client.reset()
        #expect(reasons.take() == .disconnected)
        handle.wake()
        let other = try server.connect()
        #expect(other.request(Self.get("/x"))?.text == "GET /x ")
        #expect(reasons.count == 0)
        #expect(server.server.statistics.parked == 0)
    }

    @Test(
        "A client that closed its connection is found to be gone, though it said no more than one that reads on"
    )
    func closed() throws {
        let handles = Inbox<WakeHandle>()
        let reasons = Inbox<WakeReason>()
        let server = try TestServer(
            answer: Self.parking(handles: handles, reasons: reasons, answers: { _ in false }))
        let handle: WakeHandle
        do {
            let client = try server.connect()
            client.send(Self.get("/park"))
            handle = try #require(handles.take())
            #expect(!handle.target.isOver)
        }
        // The system says that it sends no more, and later that nothing reads.
        #expect(reasons.take() == .disconnected)
        #expect(reasons.take() == .disconnected)
        server.wait { $0.statistics.parked == 0 }
        #expect(handle.target.isOver)
    }

    @Test("A client that only closed its side can still be answered, at once or later")
    func halfClose() throws {
        for answersAtOnce in [true, false] {
            let handles = Inbox<WakeHandle>()
            let reasons = Inbox<WakeReason>()
            let server = try TestServer(
                answer: Self.parking(handles: handles, reasons: reasons) {
                    answersAtOnce || $0 == .woken
                })
            let client = try server.connect()
            client.send(Self.get("/park"))
            client.finishSending()
            #expect(reasons.take() == .disconnected)
            if !answersAtOnce { handles.take()?.wake() }
            #expect(client.response()?.status == 200)
            #expect(client.isAtEnd)
        }
    }

    @Test("A parked request is told that the server drains, and may finish within the grace")
    func draining() throws {
        let handles = Inbox<WakeHandle>()
        let reasons = Inbox<WakeReason>()
        let server = try TestServer(
            answer: Self.parking(handles: handles, reasons: reasons) { $0 == .woken })
        let client = try server.connect()
        client.send(Self.get("/park"))
        let handle = try #require(handles.take())
        let drained = server.drain(graceSeconds: 60)
        #expect(reasons.take() == .draining)
        handle.wake()
        let answer = client.response()
        #expect(answer?.status == 200)
        #expect(answer?.fields["connection"] == "close")
        #expect(client.isAtEnd)
        #expect(drained.take() == true)
    }

    @Test("A parked request may become a stream, or be parked again")
    func changesItsMind() throws {
        let events = Inbox<ScriptedSource.Event>()
        let handles = Inbox<WakeHandle>()
        let server = try TestServer { exchange in
            handles.put(
                exchange.park(until: nil) { exchange, _ in
                    handles.put(
                        exchange.park(until: 1) { exchange, _ in
                            exchange.stream(events) { out, _ in
                                out.append("late")
                                return .finished
                            }
                            return .answered
                        })
                    return .answered
                })
        }
        let client = try server.connect()
        client.send(Self.get("/"))
        handles.take()?.wake()
        #expect(client.response()?.text == "late")
        #expect(events.take() == .produced(0))
        #expect(events.take() == .closed)
    }
}
