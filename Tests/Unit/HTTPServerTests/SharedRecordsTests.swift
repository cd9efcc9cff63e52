// Records that many streams send alike: from one place, in each client's framing, and with nothing
// lost where a client has no room.

import HTTPWire
import Synchronization
import Testing

@testable import HTTPServer

@Suite("Shared records")
struct SharedRecordsTests {
    typealias Event = ScriptedSource.Event

    private static func records(_ bytes: [UInt8]) -> SharedRecords {
        bytes.withUnsafeBytes { SharedRecords($0) }
    }

    @Test(
        "They are framed as a chunk of theirs would be", arguments: [1, 15, 16, 255, 256, 70_000])
    func framing(size: Int) {
        let bytes = (0..<size).map { UInt8(truncatingIfNeeded: $0 &* 7) }
        let records = Self.records(bytes)
        let expected = OutputBuffer()
        bytes.withUnsafeBytes { ResponseEncoder.chunk($0, into: expected) }
        #expect(records.count == size)
        #expect(records.withBytes { Array($0) } == bytes)
        #expect(records.withFramed(isChunked: true) { Array($0) } == expected.array())
        #expect(records.withFramed(isChunked: false) { Array($0) } == bytes)
    }

    @Test("None of them are no chunk, which would be the end of the stream")
    func none() {
        let records = Self.records([])
        #expect(records.count == 0)
        #expect(records.withFramed(isChunked: true) { $0.count } == 0)
        #expect(records.withFramed(isChunked: false) { $0.count } == 0)
    }

    @Test("A wake sends them to every stream, chunked to HTTP/1.1 and bare to HTTP/1.0")
    func wake() throws {
        let events = Inbox<Event>()
        let handles = Inbox<WakeHandle>()
        let records = Self.records(Array("alike".utf8))
        let server = try TestServer(shards: 2) { exchange in
            handles.put(
                exchange.stream(events, share: { records }) { out, call in
                    if call == 0 { out.append("first") }
                    return .idle(until: nil)
                })
        }
        let clients = try (0..<50).map { _ in try server.connect() }
        for client in clients {
            client.send(StreamTests.get)
            #expect(client.head()?.status == 200)
            #expect(client.chunk() == Array("first".utf8))
        }
        let old = try server.connect()
        old.send("GET /s HTTP/1.0\r\n\r\n")
        #expect(old.head()?.status == 200)
        let all = try (0..<51).map { _ in try #require(handles.take()) }
        for _ in 0..<51 { #expect(events.take() == .produced(0)) }
        for _ in 0..<3 {
            WakeHandle.wake(all)
            for client in clients { #expect(client.chunk() == Array("alike".utf8)) }
            for _ in 0..<51 { #expect(events.take() == .shared) }
        }
        #expect(old.take(20) == Array("firstalikealikealike".utf8))
    }

    @Test("What has no room is kept and sent first; meanwhile the source is not asked")
    func noRoom() throws {
        let events = Inbox<Event>()
        let handles = Inbox<WakeHandle>()
        let size = 300_000
        let served = Mutex(0)
        // Each wake adds one number; how often the source is asked must not matter.
        let wanted = Mutex(0)
        let server = try TestServer { exchange in
            guard exchange.pathText == "/s" else { return exchange.echo() }
            let next = { () -> [UInt8]? in
                served.withLock { served in
                    guard served < wanted.withLock({ $0 }) else { return nil }
                    served += 1
                    return [UInt8](repeating: UInt8(served), count: size)
                }
            }
            handles.put(
                exchange.stream(events, share: { next().map(Self.records) }) { out, _ in
                    guard let bytes = next() else { return .idle(until: nil) }
                    out.append(bytes)
                    return .more
                })
        }
        let slow = try server.connect(receiveBytes: 4_096)
        slow.send(StreamTests.get)
        #expect(slow.head()?.status == 200)
        let handle = try #require(handles.take())
        #expect(events.take() == .produced(0))
        let other = try server.connect()
        for _ in 0..<60 {
            wanted.withLock { $0 += 1 }
            handle.wake()
            // On the same shard: the wake has been dealt with when this is answered.
            #expect(other.request("GET /o HTTP/1.1\r\nHost: a\r\n\r\n")?.text == "GET /o ")
        }
        #expect(served.withLock { $0 } < 60)
        var received = 0
        while received < 60 * size {
            let chunk = try #require(slow.chunk())
            #expect(chunk.count == size)
            #expect(Set(chunk) == [UInt8(received / size + 1)])
            received += chunk.count
        }
    }

    @Test("A client that is gone when they are sent closes its stream")
    func gone() throws {
        let events = Inbox<Event>()
        let handles = Inbox<WakeHandle>()
        let records = Self.records([UInt8](repeating: 1, count: 1_000))
        let server = try TestServer { exchange in
            handles.put(
                exchange.stream(events, share: { records }) { _, _ in .idle(until: nil) })
        }
        let client = try server.connect()
        client.send(StreamTests.get)
        #expect(client.head()?.status == 200)
        let handle = try #require(handles.take())
        #expect(events.take() == .produced(0))
        client.reset()
        var event: Event?
        repeat {
            handle.wake()
            event = events.take()
        } while event == .shared
        #expect(event == .closed)
    }
}
