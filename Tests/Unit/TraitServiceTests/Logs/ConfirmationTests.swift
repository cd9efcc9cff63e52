// Two servers over one log: what one has answered, the other shows at once, although it has not been notified yet.

import Foundation
import SessionLog
import SessionLogTestSupport
import Synchronization
import TestSupport
import Testing

@testable import SessionViews
@testable import TraitService
@testable import TraitSessions

@Suite
struct ConfirmationTests {
    private static let theme = "/nodes/root/overrides/theme"

    @Test("Every read shows what another server has answered before")
    func reads() throws {
        let pair = try SharingPair()
        for value in 1...20 {
            try pair.write("PUT", Self.theme, ["value": .int(Int64(value))])
            let read = try pair.ask("GET", "/nodes/root/traits/theme")
            #expect(try read.json["value"] == .int(Int64(value)), "\(read)")
            #expect(read[header: "Traitd-Revision"] == "\(value + 1)")
            let list = try pair.other.get("/v1/sessions")
            #expect(try list.json["sessions"]?[0]?["revision"] == .int(Int64(value + 1)))
            let head = try pair.ask("HEAD", "/nodes/root/traits/theme")
            #expect(head[header: "Traitd-Revision"] == "\(value + 1)")
        }
        #expect(try pair.ask("GET", "/nodes/late").status == 404)
        try pair.write("PUT", "/nodes/late", ["kind": "environment"], status: 201)
        #expect(try pair.ask("GET", "/nodes/late").status == 200)
        try pair.write("DELETE", "/nodes/late")
        #expect(try pair.ask("POST", "/resolve", ["nodes": ["late"]]).status == 422)
        let history = try pair.ask("GET", "/history")
        #expect(try history.json["commits"]?.array?.count == 23, "\(history)")
        #expect(try pair.ask("GET", "/export")[header: "Traitd-Revision"] == "23")
        let poll = try pair.ask("GET", "/events?from=22&wait=1s")
        #expect(try poll.json["records"]?.array?.isEmpty == false, "\(poll)")
        let backup = try pair.other.get("/v1/backup")
        #expect(backup.text.contains("\"revision\":23"), "\(backup)")
    }

    @Test("Sessions that another server makes and ends are in lists and answers at once")
    func lifetimes() throws {
        let pair = try SharingPair()
        func listed() throws -> [String] {
            try pair.other.get("/v1/sessions").json["sessions"]?.array?.compactMap {
                $0["name"]?.string
            } ?? []
        }
        #expect(try listed() == ["s"])
        for round in 0..<5 {
            #expect(try pair.one.send("PUT", "/v1/sessions/t", json: [:]).status == 201)
            if round.isMultiple(of: 2) { #expect(try listed() == ["s", "t"]) }
            #expect(try pair.other.get("/v1/sessions/t").status == 200)
            #expect(try pair.other.get("/v1/sessions/s/compare?with=t").status == 200)
            #expect(try pair.one.send("DELETE", "/v1/sessions/t").status == 200)
            if round.isMultiple(of: 2) { #expect(try listed() == ["s"]) }
            #expect(try pair.other.get("/v1/sessions/t").status == 404)
            #expect(try pair.other.get("/v1/sessions/s/compare?with=t").status == 404)
        }
    }

    @Test(
        "A write that an old state would leave unchanged, refuse or plan is decided on the newest")
    func unappended() throws {
        let pair = try SharingPair()
        #expect(try pair.ask("PUT", Self.theme, ["value": 1]).status == 200)
        try pair.write("PUT", Self.theme, ["value": 2])
        // Unchanged, had the second server not asked.
        let put = try pair.ask("PUT", Self.theme, ["value": 1])
        #expect(try put.json["revision"] == 4 && put.json["unchanged"] == nil, "\(put)")
        // Neither unknown nor present.
        try pair.write("PUT", "/nodes/a", ["kind": "environment"], status: 201)
        #expect(try pair.ask("PUT", "/nodes/a/overrides/theme", ["value": 1]).status == 200)
        try pair.write("DELETE", "/nodes/a")
        let again = try pair.ask("POST", "/nodes", .node("a"))
        #expect(again.status == 201, "\(again)")
        // Conditions.
        let tag = try #require(try pair.write("GET", "")[header: "ETag"])
        let matched = [HTTPField("If-Match", tag)]
        #expect(try pair.ask("PUT", Self.theme, ["value": 5], matched).status == 200)
        try pair.write("PUT", Self.theme, ["value": 6])
        let newest = try #require(try pair.write("GET", "")[header: "ETag"])
        #expect(try pair.ask("PUT", Self.theme, ["value": 7], matched).status == 412)
        let planned = try pair.ask(
            "PUT", Self.theme + "?dryRun=true", ["value": 7], [HTTPField("If-Match", newest)])
        #expect(planned.status == 200 && planned[header: "Traitd-Revision"] == "10", "\(planned)")
        // A session that exists.
        #expect(try pair.one.send("PUT", "/v1/sessions/t", json: [:]).status == 201)
        #expect(try pair.other.send("POST", "/v1/sessions", json: ["name": "t"]).status == 409)
        let deleted = try pair.one.send("DELETE", "/v1/sessions/t")
        #expect(deleted.status == 200, "\(deleted)")
        #expect(
            try pair.other.send("POST", "/v1/sessions?dryRun=true", json: ["name": "t"]).status
                == 201)
    }

    @Test("A key that another server has used gets the recorded answer")
    func keys() throws {
        let pair = try SharingPair()
        let key = [HTTPField("Idempotency-Key", "k1")]
        let body: JSON = ["value": 3]
        let target = "/v1/sessions/s" + Self.theme
        let first = try pair.one.send("PUT", target, json: body, fields: key)
        #expect(first.status == 200)
        try pair.write("PUT", Self.theme, ["value": 4])
        let replayed = try pair.other.send("PUT", target, json: body, fields: key)
        #expect(replayed[header: "Idempotency-Replayed"] == "true", "\(replayed)")
        #expect(try replayed.json["revision"] == 2)
        #expect(try pair.ask("GET", "/nodes/root/traits/theme").json["value"] == 4)
    }

    @Test("A server that its log has not answered for long, or that lags behind, is not ready")
    func readiness() throws {
        let log = DistantLog()
        let fixture = try InProcessService(log: log)
        let client = try fixture.client()
        func checks() throws -> [String: JSON] {
            let checks = try client.get("/readyz?verbose").json["checks"]?.array ?? []
            return Dictionary(
                uniqueKeysWithValues: checks.map {
                    ($0["name"]?.string ?? "", $0["reason"] ?? .null)
                })
        }
        #expect(try client.get("/readyz").status == 200)
        #expect(try checks() == ["serving": .null, "storage": .null, "level": .null])
        log.set(LogContact(silence: .seconds(16), lag: .zero))
        #expect(try client.get("/readyz").json["code"] == "log-unavailable")
        #expect(
            try checks()["storage"]
                == "The log that servers share has not answered for 16 s.")
        log.set(LogContact(silence: .seconds(14), lag: .seconds(6)))
        #expect(try client.get("/readyz").status == 503)
        #expect(try checks()["storage"] == .null)
        #expect(
            try checks()["level"]
                == "The server has been reading what others have written for 6 s.")
        log.set(LogContact(silence: .seconds(14), lag: .seconds(4)))
        #expect(try client.get("/readyz").status == 200)
        #expect(try client.get("/livez").status == 200)
        fixture.stop()
    }

    @Test("While a thread owns one session, reads of others are confirmed")
    func ownedSession() throws {
        let pair = try SharingPair()
        #expect(try pair.one.send("PUT", "/v1/sessions/t", json: [:]).status == 201)
        #expect(try pair.ask("GET", "").status == 200)
        #expect(try pair.other.get("/v1/sessions").status == 200)
        let session = try #require(pair.fixtures[1].service.store.find("s"))
        let (owned, over) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        Thread.detachNewThread {
            var wakes = WakeList()
            session.own(showsBefore: true, wakes: &wakes) { _, _ in
                owned.signal()
                over.wait()
            }
            wakes.wake()
        }
        defer { over.signal() }
        #expect(owned.wait(within: .seconds(30)))
        // Both sessions are at the heads of the log.
        #expect(try pair.other.get("/v1/sessions").status == 200)
        #expect(try pair.other.get("/v1/sessions/t").status == 200)
    }

    @Test(
        "A read that takes local state gets an answer without the log, which says how old it may be"
    )
    func local() throws {
        let pair = try SharingPair()
        #expect(try pair.ask("GET", "/nodes/root/traits/theme").json["value"] == 0)
        try pair.write("PUT", Self.theme, ["value": 1])
        let asked = pair.hostile.confirmations
        let local = try pair.ask("GET", "/nodes/root/traits/theme?consistency=local")
        #expect(try local.json["value"] == 0, "\(local)")
        #expect(local[header: "Traitd-Consistency"] == "local")
        #expect(try pair.ask("GET", "/nodes/none?consistency=local").status == 404)
        let none = try pair.ask("GET", "/nodes/none?consistency=local")
        #expect(none[header: "Traitd-Consistency"] == "local")
        #expect(pair.hostile.confirmations == asked)
        pair.failing.failReads(with: LogFailure(.unavailable, "the network is gone"))
        #expect(try pair.ask("GET", "?consistency=strong").status == 503)
        #expect(try pair.ask("GET", "?consistency=local").status == 200)
        #expect(try pair.other.get("/v1/sessions?consistency=local").status == 200)
        #expect(try pair.ask("GET", "?consistency=weak").status == 400)
        #expect(try pair.ask("PUT", Self.theme + "?consistency=local", ["value": 1]).status == 400)
        // A server that shares no log takes the parameter, too.
        let alone = try InProcessService()
        #expect(try alone.client().get("/v1/sessions?consistency=local").status == 200)
        alone.stop()
    }

    @Test(
        "A write that the log does not answer in time stays pending, and its key finds the outcome")
    func deadline() throws {
        let pair = try SharingPair(waitMax: .milliseconds(50))
        #expect(try pair.ask("GET", "").status == 200)
        pair.delaying.hold()
        let key = [HTTPField("Idempotency-Key", "k1")]
        let late = try pair.ask("PUT", Self.theme, ["value": 3], key)
        #expect(late.status == 503, "\(late)")
        #expect(
            try late.json["code"] == "outcome-unknown" && late[header: "Retry-After"] == "1")
        // The state that the pending commit has made is not shown.
        let read = try pair.ask("GET", "/nodes/root/traits/theme")
        #expect(try read.status == 503 && read.json["code"] == "log-unavailable", "\(read)")
        #expect(try pair.one.get("/v1/sessions/s").json["revision"] == 1)
        pair.delaying.release()
        let replayed = try pair.ask("PUT", Self.theme, ["value": 3], key)
        #expect(try replayed.status == 200 && replayed.json["revision"] == 2, "\(replayed)")
        #expect(replayed[header: "Idempotency-Replayed"] == "true")
        #expect(try pair.write("GET", "/nodes/root/traits/theme").json["value"] == 3)
    }

    @Test("While the log does not answer, what needs it gets 503, and nothing else does")
    func unavailable() throws {
        let pair = try SharingPair()
        #expect(try pair.ask("GET", "").status == 200)
        pair.failing.failReads(with: LogFailure(.unavailable, "the network is gone"))
        let read = try pair.ask("GET", "")
        #expect(read.status == 503, "\(read)")
        #expect(try read.json["code"] == "log-unavailable" && read[header: "Retry-After"] == "1")
        #expect(try pair.other.get("/v1/sessions").status == 503)
        #expect(try pair.ask("DELETE", "/nodes/none").status == 503)
        #expect(try pair.ask("GET", "?depth=1").status == 400)
        #expect(try pair.other.get("/livez").status == 200)
        #expect(try pair.other.get("/v1/traits").status == 200)
        // The commit proves where the log is.
        #expect(try pair.ask("PUT", Self.theme, ["value": 1]).status == 200)
        pair.failing.failReads(with: nil)
        #expect(try pair.ask("GET", "").status == 200)
    }

    @Test("While the log has no room a renewal is refused, as another server may end the lease")
    func untoldRenewal() throws {
        let pair = try SharingPair()
        let registration: JSON = ["node": "root", "traits": ["theme"], "ttl": 60]
        try pair.write("PUT", "/registrations/r", registration, status: 201)
        let renewal = { try pair.ask("PUT", "/registrations/r", registration) }
        #expect(try renewal().status == 200)
        pair.failing.refuseNotes("etcd's database is full")
        let refused = try renewal()
        #expect(refused.status == 507, "\(refused)")
        #expect(try refused.json["code"] == "storage-full")
        #expect(try pair.ask("GET", "/registrations/r").status == 200)
        pair.failing.refuseNotes(nil)
        #expect(try renewal().status == 200)
    }

    @Test(
        "A read of a name that this server still wants for itself waits, and finds the log's session"
    )
    func wantedName() throws {
        let pair = try SharingPair()
        pair.delaying.hold()
        let client = try pair.fixtures[1].client()
        let made = StartedRequest { try client.send("PUT", "/v1/sessions/t", json: [:]) }
        #expect(pair.delaying.waitForHeld(1))
        let nodes: JSON = ["nodes": [.node("its")]]
        #expect(try pair.one.send("PUT", "/v1/sessions/t", json: nodes).status == 201)
        let reader = try pair.fixtures[1].client()
        let asked = pair.hostile.confirmations
        let read = StartedRequest { try reader.get("/v1/sessions/t/nodes/its") }
        // The read has asked, and waits for the name.
        pair.fixtures[1].turns.wait { pair.hostile.confirmations > asked }
        pair.fixtures[1].service.store.finishFollowing()
        pair.delaying.release()
        #expect(try read.response().status == 200)
        #expect(try made.response().status == 200)
    }
}
