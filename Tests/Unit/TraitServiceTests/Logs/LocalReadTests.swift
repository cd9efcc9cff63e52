// What a server shows of its own state while writes wait for the log that it shares.

import Background
import Foundation
import HTTPServer
import SessionLog
import SessionLogTestSupport
import TestSupport
import Testing

@testable import SessionViews
@testable import TraitService
@testable import TraitSessions

@Suite
struct LocalReadTests {
    private static let theme = "/nodes/root/overrides/theme"
    private static let value = "/nodes/root/traits/theme"

    /// Two servers, of which the second waits for the log, and has commits that the log does not answer.
    private func outage() throws -> SharingPair {
        let pair = try SharingPair(waitMax: .milliseconds(500), readsLocally: true)
        #expect(try pair.ask("GET", "?consistency=strong").status == 200)
        let key = [HTTPField("Idempotency-Key", "before")]
        #expect(try pair.ask("PUT", Self.theme, ["value": 1], key).status == 200)
        let registration: JSON = ["node": "root", "traits": ["theme"]]
        #expect(try pair.ask("PUT", "/registrations/r", registration).status == 201)
        pair.delaying.hold()
        let late = try pair.ask(
            "PUT", Self.theme, ["value": 3], [HTTPField("Idempotency-Key", "k")])
        #expect(try late.json["code"] == "outcome-unknown", "\(late)")
        let made = try pair.ask("POST", "/nodes", .node("new"))
        #expect(try made.json["code"] == "outcome-unknown", "\(made)")
        return pair
    }

    @Test("While writes wait for the log, local reads show the newest acknowledged state")
    func reads() throws {
        let pair = try outage()
        for _ in 0..<2 {
            let read = try pair.ask("GET", Self.value)
            #expect(try read.status == 200 && read.json["value"] == 1, "\(read)")
            #expect(read[header: "Traitd-Revision"] == "3")
            #expect(read[header: "Traitd-Consistency"] == "local")
        }
        for path in ["/nodes/new", "/nodes/new/traits/theme"] {
            #expect(try pair.ask("GET", path).status == 404, "\(path)")
        }
        let session = try pair.ask("GET", "")
        #expect(try session.json["revision"] == 3 && session.json["nodes"] == 1, "\(session)")
        let list = try pair.other.get("/v1/sessions")
        #expect(try list.json["sessions"]?[0]?["revision"] == 3, "\(list)")
        #expect(try list.json["sessions"]?[0]?["nodes"] == 1, "\(list)")
        let export = try pair.ask("GET", "/export")
        #expect(export.status == 200 && export[header: "Traitd-Revision"] == "3")
        #expect(export.text.contains(#""theme":1"#) && !export.text.contains("new"), "\(export)")
        for path in [
            "/nodes", "/nodes/root", "/nodes/root/traits", "/registrations", "/traits", "/tree",
            "/history", "/nodes/root/traits/theme/history", "/nodes/root/traits/theme?revision=2",
            "/stats",
        ] {
            let answer = try pair.ask("GET", path)
            #expect(answer.status == 200 || answer.status == 404, "\(path): \(answer)")
            #expect(!answer.text.contains("new"), "\(path)")
        }
        let strong = try pair.ask("GET", Self.value + "?consistency=strong")
        #expect(strong.status == 503, "\(strong)")
        // The log answers, and everything happens once.
        pair.delaying.release()
        let replayed = try pair.ask(
            "PUT", Self.theme, ["value": 3], [HTTPField("Idempotency-Key", "k")])
        #expect(try replayed.status == 200 && replayed.json["revision"] == 4, "\(replayed)")
        #expect(replayed[header: "Idempotency-Replayed"] == "true")
        let after = try pair.ask("GET", Self.value + "?consistency=strong")
        #expect(try after.json["value"] == 3 && after[header: "Traitd-Revision"] == "5")
        #expect(try pair.ask("GET", "/nodes/new").status == 200)
        // The first server applies what the log has before it answers.
        #expect(try pair.one.get("/v1/sessions/s?consistency=strong").status == 200)
        let states = try pair.fixtures.map { fixture in
            try #require(fixture.service.store.find("s")).withState { ($0.head, $0.digest.full) }
        }
        #expect(states[0] == states[1])
    }

    @Test("A stream that is open while the acknowledged state is copied gets each change once")
    func streams() throws {
        let pair = try SharingPair(waitMax: .milliseconds(500), readsLocally: true)
        #expect(try pair.ask("GET", "?consistency=strong").status == 200)
        let registration: JSON = ["node": "root", "traits": ["theme"]]
        let made = try pair.ask("PUT", "/registrations/r", registration)
        let revision = try #require(made[header: "Traitd-Revision"])
        pair.delaying.hold()
        for value in 1...3 {
            let late = try pair.ask("PUT", Self.theme, ["value": .int(Int64(value))])
            #expect(late.status == 503)
        }
        #expect(try pair.ask("GET", Self.value).json["value"] == 0)
        pair.delaying.release()
        #expect(try pair.ask("PUT", Self.theme, ["value": 4]).status == 200)
        let events = try pair.ask("GET", "/registrations/r/events?wait=1s&from=\(revision)")
        let records = try events.json["records"]?.array ?? []
        #expect(records.count == 4, "\(events)")
    }

    @Test("An import has the deadline of a write, and holds up nothing")
    func imports() throws {
        let pair = try outage()
        let document = try #require(
            try pair.one.get("/v1/sessions/s/export").text.data(using: .utf8))
        func load(_ name: String) throws -> HTTPResponse {
            try pair.other.send(
                "PUT", "/v1/sessions/s/import?as=\(name)",
                json: try JSON(parsing: Array(document)))
        }
        let deadline = Deadline(within: .seconds(20))
        for name in ["a", "b", "c", "a"] {
            let late = try load(name)
            #expect(try late.json["code"] == "outcome-unknown", "\(late)")
            #expect(late[header: "Retry-After"] == "1")
        }
        #expect(try pair.ask("GET", "/export").status == 200)
        #expect(!deadline.hasPassed)
        pair.delaying.release()
        for name in ["a", "b", "c"] {
            // The log gets imports one after the other, so this one comes behind the first one of its name.
            let again = try load(name)
            #expect(try again.status == 409 && again.json["code"] == "exists", "\(again)")
            #expect(try pair.one.get("/v1/sessions/\(name)").status == 200)
        }
        #expect(try load("d").status == 201)
    }

    @Test("A token of another server is waited for, also by local streams")
    func tokensAhead() throws {
        let pair = try SharingPair(readsLocally: true)
        #expect(try pair.ask("GET", "?consistency=strong").status == 200)
        let uid = try #require(try pair.one.get("/v1/sessions/s").json["uid"]?.string)
        for value in 1...10 {
            let written = try pair.write("PUT", Self.theme, ["value": .int(Int64(value))])
            let revision = try #require(written[header: "Traitd-Revision"])
            let page = try pair.ask("GET", "/events?wait=0&from=\(uid).\(revision)")
            #expect(page.status == 200, "\(page)")
            let reset = try pair.ask(
                "GET", "/events?wait=0&resync=auto&from=\(uid).\(revision)")
            #expect(!reset.text.contains("reset"), "\(reset)")
        }
        let ahead = try pair.ask("GET", "/events?wait=0&from=\(uid).90")
        #expect(try ahead.status == 503 && ahead.json["code"] == "revision-ahead", "\(ahead)")
        #expect(ahead[header: "Retry-After"] == "1")
        let other = try pair.ask("GET", "/events?wait=0&from=aaaaaaaaaaaa.90")
        #expect(other.status == 410, "\(other)")
    }

    @Test("A log that refuses the server is no full disk, and the server is not ready")
    func refused() throws {
        let pair = try SharingPair()
        #expect(try pair.ask("GET", "").status == 200)
        pair.failing.failReads(with: LogFailure(.denied, "etcd answers 403"))
        let read = try pair.ask("GET", "")
        #expect(try read.status == 503 && read.json["code"] == "log-refused", "\(read)")
        #expect(read[header: "Retry-After"] == "1")
        pair.failing.failReads(with: nil)
        let log = DistantLog()
        let fixture = try InProcessService(log: log)
        let client = try fixture.client()
        #expect(try client.get("/readyz").status == 200)
        log.set(LogContact(silence: .zero, lag: .zero, refusal: "etcd answers 403"))
        let unready = try client.get("/readyz")
        #expect(try unready.status == 503 && unready.json["code"] == "log-refused", "\(unready)")
        fixture.stop()
    }

    @Test("The age of local state is that of the log, or of what waits in the server")
    func staleness() throws {
        let base = MemoryLog()
        let delaying = DelayingLog(base, isHolding: false)
        let log = DistantLog(delaying)
        let fixtures = [try InProcessService(log: base), try InProcessService(log: log)]
        for fixture in fixtures { try fixture.service.store.follow() }
        let (one, other) = (try fixtures[0].client(), try fixtures[1].client())
        let store = fixtures[1].service.store
        func age(_ session: String) throws -> Int {
            let answer = try other.get("/v1/sessions\(session)?consistency=local")
            return Int(answer[header: "Traitd-Staleness-Ms"] ?? "") ?? -1
        }
        for name in ["s", "t"] {
            #expect(try one.send("PUT", "/v1/sessions/\(name)", json: [:]).status == 201)
        }
        store.finishFollowing()
        log.set(age: .microseconds(1_233_001))
        for session in ["", "/s", "/t"] { #expect(try age(session) == 1_234) }
        // News wait for a long write.
        let session = try #require(store.find("s"))
        let (isOwned, isOver) = (Signal(), Signal())
        Thread.detachNewThread {
            var wakes = WakeList()
            session.own(showsBefore: true, wakes: &wakes) { _, _ in
                isOwned.signal()
                isOver.wait()
            }
        }
        isOwned.wait()
        let node: JSON = .node("n")
        #expect(try one.send("POST", "/v1/sessions/s/nodes", json: node).status == 201)
        log.set(age: .zero)
        for session in ["", "/s"] { #expect(try age(session) >= 1_234) }
        #expect(try age("/t") == 0)
        isOver.signal()
        store.finishFollowing()
        #expect(try age("/s") == 0)
        // A commit waits for the log's answer.
        delaying.hold()
        let writer = try fixtures[1].client()
        let write = StartedRequest { try writer.send("POST", "/v1/sessions/t/nodes", json: node) }
        #expect(delaying.waitForHeld(1))
        #expect(try age("") > 0)
        delaying.release()
        #expect(try write.response().status == 201)
        for fixture in fixtures { fixture.stop() }
    }
}
