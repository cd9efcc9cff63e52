// Two servers over one log in memory.

import SessionLog
import SessionLogTestSupport
import Synchronization
import TestSupport
import Testing

@testable import TraitService
@testable import TraitSessions

/// Servers that share a log. The first is notified of everything at once, the second only when it asks.
final class SharingPair {
    let base = MemoryLog()
    let failing: FailingLog
    let hostile: HostileLog
    let delaying: DelayingLog
    let fixtures: [InProcessService]
    let one: HTTPClient
    let other: HTTPClient

    /// - Parameters:
    ///   - waitMax: how long requests of the second server wait for the log.
    ///   - readsLocally: whether reads of the second server take local state by default.
    init(waitMax: Duration? = nil, readsLocally: Bool = false) throws {
        failing = FailingLog(base)
        hostile = HostileLog(failing, seed: 1)
        delaying = DelayingLog(hostile, waitMax: waitMax, isHolding: false)
        fixtures = [
            try InProcessService(log: base),
            try InProcessService(log: delaying, readsLocally: readsLocally),
        ]
        for fixture in fixtures { try fixture.service.store.follow() }
        one = try fixtures[0].client()
        other = try fixtures[1].client()
        try write(
            "PUT", "",
            [
                "traits": ["theme": ["type": "int", "default": 0]],
                "nodes": [.node("root")],
            ], status: 201)
    }

    deinit {
        for fixture in fixtures { fixture.stop() }
    }

    /// Writes through the first server, which knows everything.
    @discardableResult
    func write(
        _ method: String, _ path: String, _ json: JSON? = nil, status: Int = 200,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws -> HTTPResponse {
        let answer = try one.send(method, "/v1/sessions/s" + path, json: json)
        #expect(answer.status == status, "\(answer)", sourceLocation: sourceLocation)
        return answer
    }

    /// Asks the second server.
    func ask(
        _ method: String, _ path: String, _ json: JSON? = nil, _ fields: [HTTPField] = []
    ) throws -> HTTPResponse {
        try other.send(method, "/v1/sessions/s" + path, json: json, fields: fields)
    }
}

/// A log over a network that is as the test says.
final class DistantLog: LogWrapper {
    let base: any SessionLog
    private let now = Mutex((contact: LogContact(silence: .zero, lag: .zero), age: Duration.zero))
    var contact: LogContact? { now.withLock(\.contact) }
    var age: Duration? { now.withLock(\.age) }

    init(_ base: any SessionLog = MemoryLog()) { self.base = base }

    func set(_ contact: LogContact) { now.withLock { $0.contact = contact } }
    func set(age: Duration) { now.withLock { $0.age = age } }
}
