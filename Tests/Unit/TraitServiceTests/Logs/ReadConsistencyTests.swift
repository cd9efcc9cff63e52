// How new the answers to reads are over a shared log, and what a server says while the log is silent.

import Foundation
import HTTPServer
import SessionLog
import SessionLogTestSupport
import Synchronization
import TestSupport
import Testing

@testable import SessionViews
@testable import TraitService
@testable import TraitSessions

@Suite
struct ReadConsistencyTests {
    private static let theme = "/nodes/root/overrides/theme"
    private static let value = "/nodes/root/traits/theme"

    @Test("Every read says how new it is, and a request wins over the server's default")
    func defaults() throws {
        let strong = try SharingPair()
        let read = try strong.ask("GET", Self.value)
        #expect(read[header: "Traitd-Consistency"] == "strong", "\(read)")
        #expect(read[header: "Traitd-Staleness-Ms"] == nil)
        #expect(try strong.ask("GET", "/nodes/none")[header: "Traitd-Consistency"] == "strong")
        #expect(
            try strong.ask("PUT", Self.theme, ["value": 1])[header: "Traitd-Consistency"] == nil)

        let local = try SharingPair(readsLocally: true)
        #expect(try local.ask("GET", Self.value + "?consistency=strong").status == 200)
        try local.write("PUT", Self.theme, ["value": 1])
        let asked = local.hostile.confirmations
        let old = try local.ask("GET", Self.value)
        #expect(try old.json["value"] == 0 && old[header: "Traitd-Consistency"] == "local")
        #expect(local.hostile.confirmations == asked)
        let new = try local.ask("GET", Self.value + "?consistency=strong")
        #expect(try new.json["value"] == 1 && new[header: "Traitd-Consistency"] == "strong")
        // Writes are decided on the newest state, whatever reads take.
        try local.write("PUT", Self.theme, ["value": 2])
        let put = try local.ask("PUT", Self.theme, ["value": 1])
        #expect(try put.json["revision"] == 4 && put.json["unchanged"] == nil, "\(put)")
    }

    @Test("A local read with a revision waits for it, and shows at least that one")
    func ownWrites() throws {
        let pair = try SharingPair(readsLocally: true)
        #expect(try pair.ask("GET", "?consistency=strong").status == 200)
        for value in 1...10 {
            let written = try pair.write("PUT", Self.theme, ["value": .int(Int64(value))])
            let revision = try #require(written[header: "Traitd-Revision"])
            let read = try pair.ask("GET", Self.value + "?minRevision=\(revision)")
            #expect(try read.json["value"] == .int(Int64(value)), "\(read)")
        }
        let asked = pair.hostile.confirmations
        let known = try pair.ask("GET", Self.value + "?minRevision=11")
        #expect(known[header: "Traitd-Consistency"] == "local" && known.status == 200)
        #expect(pair.hostile.confirmations == asked)
        let ahead = try pair.ask("GET", Self.value + "?minRevision=12")
        #expect(try ahead.status == 503 && ahead.json["code"] == "revision-ahead", "\(ahead)")
        #expect(ahead[header: "Retry-After"] == "1")
        #expect(try ahead.json["retryAfter"] == 1 && ahead.json["minRevision"] == 12)
        // The code of a stream that is ahead has another status.
        let stream = try pair.ask("GET", "/events?from=90&wait=1s")
        #expect(stream.status == 409 && stream[header: "Retry-After"] == nil, "\(stream)")
        // A session that this server has not heard of.
        #expect(try pair.one.send("PUT", "/v1/sessions/t", json: [:]).status == 201)
        #expect(try pair.other.get("/v1/sessions/t?minRevision=1").status == 200)
        #expect(try pair.other.get("/v1/sessions/u?minRevision=1").status == 404)
        for wrong in ["0", "x", "9007199254740992"] {
            #expect(try pair.ask("GET", "?minRevision=\(wrong)").status == 400)
        }
        #expect(try pair.other.get("/v1/sessions?minRevision=1").status == 400)
        #expect(
            try pair.ask("GET", Self.value + "?minRevision=12&consistency=strong").status == 503)
        let alone = try InProcessService()
        let client = try alone.client()
        #expect(try client.send("PUT", "/v1/sessions/t", json: [:]).status == 201)
        #expect(try client.get("/v1/sessions/t?minRevision=1").status == 200)
        #expect(try client.get("/v1/sessions/t?minRevision=2").status == 503)
        alone.stop()
    }

    /// A log whose answer to questions never comes.
    private final class SilentLog: LogWrapper {
        let base: any SessionLog
        let isSilent = Atomic(false)

        init(_ base: any SessionLog) { self.base = base }

        func confirm(
            _ question: LogQuestion,
            then: @escaping @Sendable (Result<LogHeads, LogFailure>) -> Void
        ) {
            if !isSilent.load(ordering: .relaxed) { base.confirm(question, then: then) }
        }
    }

    @Test("Without an answer of the log a read waits two seconds for its revision")
    func silence() throws {
        let log = SilentLog(HostileLog(MemoryLog(), seed: 1))
        let fixture = try InProcessService(log: log, readsLocally: true)
        try fixture.service.store.follow()
        let client = try fixture.client()
        #expect(try client.send("PUT", "/v1/sessions/t", json: [:]).status == 201)
        log.isSilent.store(true, ordering: .relaxed)
        #expect(try client.get("/v1/sessions/t?minRevision=1").status == 200)
        let start = ContinuousClock.now
        let deadline = Deadline(within: .seconds(10))
        let ahead = try client.get("/v1/sessions/t?minRevision=2")
        #expect(try ahead.status == 503 && ahead.json["code"] == "revision-ahead", "\(ahead)")
        let waited = start.duration(to: .now)
        #expect(waited >= .seconds(1.9) && !deadline.hasPassed, "\(waited)")
        fixture.stop()
    }

    @Test("A server that is ready without its log says in its checks what does not answer")
    func readiness() throws {
        let log = DistantLog()
        let fixture = try InProcessService(log: log, readyWithoutLog: true)
        let client = try fixture.client()
        log.set(LogContact(silence: .seconds(16), lag: .seconds(6)))
        #expect(try client.get("/readyz").status == 200)
        let verbose = try client.get("/readyz?verbose")
        #expect(try verbose.status == 200 && verbose.json["status"] == "ready", "\(verbose)")
        let checks = try verbose.json["checks"]?.array ?? []
        #expect(checks.map { $0["passes"] } == [true, false, false])
        #expect(
            checks[1]["reason"] == "The log that servers share has not answered for 16 s.")
        #expect(try client.get("/metrics").text.contains("traitd_ready 1"))
        fixture.service.drain()
        #expect(try client.get("/readyz").status == 503)
        fixture.stop()
    }

    @Test("A refusal of the wire shows the acknowledged revision, and waits for no other")
    func wireRefusals() throws {
        let pair = try SharingPair()
        #expect(try pair.ask("GET", "").status == 200)
        pair.delaying.hold()
        let writer = try pair.fixtures[1].client()
        let target = "/v1/sessions/s" + Self.theme
        let write = StartedRequest { try writer.send("PUT", target, json: ["value": 1]) }
        #expect(pair.delaying.waitForHeld(1))
        let long: JSON = ["value": .string(String(repeating: "x", count: 20_000_000))]
        let body = try pair.ask("PUT", Self.theme, long)
        #expect(body.status == 413 && body[header: "Traitd-Revision"] == "1", "\(body.head)")
        let store = pair.fixtures[1].service.store
        #expect(try #require(store.find("s")).withState { $0.head == 2 && $0.acknowledged == 1 })
        pair.delaying.release()
        #expect(try write.response().status == 200)
    }
}
