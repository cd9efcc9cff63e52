// A service with one shard whose long writes can be held up, and requests that go on beside a test.

import Dispatch
import Foundation
import SessionLog
import Synchronization
import TestSupport
import Testing

@testable import SessionViews
@testable import TraitService
@testable import TraitSessions

/// Holds up every long write of the session `s` until it is opened.
final class WriteGate: Sendable {
    private let arrived = Mailbox<String, Never>()
    private let semaphore = DispatchSemaphore(value: 0)
    private let isOpen = Mutex(false)

    /// What the thread of a long write calls.
    func pass(_ name: String) {
        guard name == "s", !isOpen.withLock({ $0 }) else { return }
        arrived.put(name)
        semaphore.wait()
    }

    /// Waits until a long write is held up.
    func wait() throws {
        _ = try arrived.take(before: Deadline(within: .seconds(30)), "a long write")
    }

    /// Lets all go on.
    func open() {
        isOpen.withLock { $0 = true }
        semaphore.signal()
    }
}

final class LongWriteServer: Sendable {
    let gate = WriteGate()
    private let served: InProcessService
    var service: TraitService { served.service }
    var url: String { served.url }
    let session: SessionClient

    /// `s` with a root and `count` nodes below it.
    init(_ count: Int, log: (any SessionLog)? = nil, updates: String = "immediate") throws {
        var environment = SessionEnvironment.system
        environment.hasBegunLongWrite = { [gate] in gate.pass($0) }
        served = try InProcessService(
            serving: TraitService(version: "test", shards: 1, environment: environment, log: log))
        session = try SessionClient("s", on: served.url)
        let nodes = (0..<count).map { number -> JSON in
            .node("n\(number)", in: "root")
        }
        try session.client.send(
            "PUT", "/v1/sessions/s",
            json: [
                "updates": .string(updates),
                "nodes": .array([.node("root")] + nodes),
                "traits": ["level": ["type": "int", "default": 0]],
            ]
        ).expecting(201)
    }

    deinit {
        gate.open()
        served.stop()
    }

    /// Sends a request from a thread of its own, over a connection of its own.
    func start(_ method: String, _ rest: String, _ json: JSON? = nil, fields: [HTTPField] = [])
        throws -> StartedRequest
    {
        let client = try session.another()
        return StartedRequest { try client.send(method, rest, json, fields: fields) }
    }

    /// More operations than a shard carries out: the level of the root counts them.
    static func many(_ count: Int = 300, from first: Int = 1) -> JSON {
        let operations = (first..<first + count).map { value -> JSON in
            .setOverride("level", at: "root", .int(Int64(value)))
        }
        return ["operations": .array(operations)]
    }

    /// Waits until so many writes wait behind the one that is held up.
    func waitForQueued(_ count: Int) {
        let session = service.store.find("s")
        served.turns.wait {
            session?.lock.peek { _ in session?.gate.writes.count } == count
        }
    }

    /// Waits until so many requests wait for the end of the write that is held up.
    func waitForWaiting(_ count: Int) {
        let session = service.store.find("s")
        served.turns.wait {
            session?.lock.peek { _ in session?.gate.occupation?.waiting.count } == count
        }
    }
}

/// A request on its way.
final class StartedRequest: Sendable {
    private let answer = Mailbox<Result<HTTPResponse, any Error>, Never>()

    init(_ send: @escaping @Sendable () throws -> HTTPResponse) {
        let thread = Thread { [answer] in answer.put(Result { try send() }) }
        thread.stackSize = 1 << 20
        thread.start()
    }

    var isAnswered: Bool { !answer.pending.isEmpty }

    func response() throws -> HTTPResponse {
        switch try answer.take(before: Deadline(within: .seconds(30)), "an answer") {
        case .element(let result): try result.get()
        }
    }
}
