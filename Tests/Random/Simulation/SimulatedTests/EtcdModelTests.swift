// The model of etcd, by itself: what simulations rely on and what `CompareEtcd` does not reach: time, elections, room that is
// overdrawn, tokens that expire.

import Testing

@testable import Simulated

extension EtcdModel {
    /// The status and the body of an answer.
    func post(_ path: String, _ body: String, _ headers: [String] = []) -> (Int, String) {
        let answer = answer("POST", "/v3/\(path)", headers, Array(body.utf8))
        return (answer.status, String(decoding: answer.body, as: UTF8.self))
    }

    @discardableResult
    func put(_ key: String, _ value: String, _ further: String = "") -> (Int, String) {
        post("kv/put", #"{"key":"\#(code(key))","value":"\#(code(value))"\#(further)}"#)
    }

    func get(_ key: String) -> (Int, String) {
        post("kv/range", #"{"key":"\#(code(key))"}"#)
    }

    func compact(to revision: Int64) -> (Int, String) {
        post("kv/compaction", #"{"revision":"\#(revision)"}"#)
    }
}

/// A text in base64.
func code(_ text: String) -> String {
    String(decoding: EtcdModelBase64.encode(Array(text.utf8)), as: UTF8.self)
}

@Suite("The model of etcd")
struct EtcdModelTests {
    private let model = EtcdModel(seed: 1)

    // MARK: - Leases

    @Test("A lease ends at its time, with all of its keys in one revision")
    func leases() throws {
        let (status, body) = model.post("lease/grant", #"{"TTL":15}"#)
        #expect(status == 200 && body.contains(#""TTL":"15""#))
        let rest = try #require(body.firstRange(of: #""ID":""#))
        let id = body[rest.upperBound...].prefix { $0 != "\"" }
        model.put("b", "1", #","lease":"\#(id)""#)
        model.put("a", "1", #","lease":"\#(id)""#)
        model.put("c", "1", #","lease":"\#(id)""#)
        // A put without the lease takes the key out of it.
        model.put("c", "2")
        model.advance(to: 10_000_000_000)
        #expect(
            model.post("lease/keepalive", #"{"ID":"\#(id)"}"#).1.contains(#""TTL":"15""#))
        #expect(model.nextLeaseEnd == 25_000_000_000)
        model.advance(to: 24_999_999_999)
        #expect(model.get("a").1.contains("kvs"))
        let before = model.revision
        model.advance(to: 25_000_000_000)
        #expect(!model.get("a").1.contains("kvs") && !model.get("b").1.contains("kvs"))
        #expect(model.get("c").1.contains("kvs") && model.revision == before + 1)
        #expect(!model.post("lease/keepalive", #"{"ID":"\#(id)"}"#).1.contains("TTL"))
        let (lost, reason) = model.put("a", "1", #","lease":"\#(id)""#)
        #expect(lost == 404 && reason.contains("requested lease not found"))
    }

    @Test("No lease ends without a leader, and a new leader gives each its whole time")
    func election() {
        _ = model.post("lease/grant", #"{"TTL":5,"ID":7}"#)
        model.advance(to: 4_000_000_000)
        model.loseLeader()
        model.advance(to: 6_000_000_000)
        #expect(model.post("maintenance/status", "{}").1.contains("no leader"))
        model.elect(0)
        #expect(model.nextLeaseEnd == 11_000_000_000)
        model.advance(to: 11_000_000_000)
        #expect(model.post("lease/revoke", #"{"ID":7}"#).0 == 404)
    }

    @Test("Members answer with their own numbers, and one of them leads")
    func members() {
        let model = EtcdModel(seed: 1, members: 3)
        let list = model.post("cluster/member/list", "{}").1
        #expect(model.memberIDs.allSatisfy { list.contains(#""ID":"\#($0)""#) })
        let answer = model.answer("POST", "/v3/maintenance/status", [], [], member: 2)
        let status = String(decoding: answer.body, as: UTF8.self)
        #expect(status.contains(#""member_id":"\#(model.memberIDs[2])""#))
        #expect(status.contains(#""leader":"\#(model.memberIDs[0])""#))
        model.elect(1)
        let later = model.post("maintenance/status", "{}").1
        #expect(later.contains(#""leader":"\#(model.memberIDs[1])""#))
        #expect(later.contains(#""raft_term":"3""#))
    }

    // MARK: - Room

    @Test("A put that takes the last room can be carried out and refused all the same")
    func overdrawn() {
        model.space.quota = 100_000
        model.space.carriedOutPerMille = 1_000
        model.put("a", "1")
        model.space.fill(to: 99_900)
        #expect(model.put("b", "1").0 == 429)
        #expect(model.get("b").1.contains(#""value":"MQ==""#) && model.space.hasAlarm)
        // With the alarm nothing is carried out any more.
        #expect(model.put("c", "1").0 == 429 && !model.get("c").1.contains("kvs"))
        let transaction = #"{"success":[{"request_put":{"key":"ZA=="}}]}"#
        #expect(model.post("kv/txn", transaction).0 == 429 && !model.get("d").1.contains("kvs"))
    }

    @Test("Room that a compaction sets free counts after the next change")
    func used() {
        for _ in 0..<10 { model.put("a", String(repeating: "x", count: 1_000)) }
        let full = model.space.usedBytes
        #expect(model.compact(to: model.revision).0 == 200)
        #expect(model.space.usedBytes == full)
        model.put("b", "")
        #expect(model.space.usedBytes < full - 8_000 && model.space.fileBytes >= full)
    }

    @Test("The quota is a number as Go writes it")
    func metrics() {
        for (quota, text) in [
            (2_147_483_648, "2.147483648e+09"), (8_000_000, "8e+06"), (999_999, "999999"),
        ] as [(Int64, String)] {
            model.space.quota = quota
            let page = String(
                decoding: model.answer("GET", "/metrics", [], []).body, as: UTF8.self)
            #expect(page.hasSuffix("etcd_server_quota_backend_bytes \(text)\n"))
        }
    }

    // MARK: - Tokens

    @Test("With users a request needs a token that is valid and a permission for its keys")
    func access() throws {
        model.addUser("log", password: "p", keys: (Array("a".utf8), Array("c".utf8)))
        model.enableAccess()
        #expect(model.put("a", "1").1.contains("user name is empty"))
        let wrong = model.post("auth/authenticate", #"{"name":"log","password":"q"}"#)
        #expect(wrong.0 == 400 && wrong.1.contains("authentication failed"))
        let login = model.post("auth/authenticate", #"{"name":"log","password":"p"}"#).1
        let start = try #require(login.firstRange(of: #""token":""#))
        let header = ["Authorization: \(login[start.upperBound...].prefix { $0 != "\"" })"]
        #expect(model.post("kv/put", #"{"key":"YQ=="}"#, header).0 == 200)
        #expect(model.post("kv/put", #"{"key":"ZA=="}"#, header).0 == 403)
        #expect(
            model.post("kv/range", #"{"key":"YQ==","range_end":"ZA=="}"#, header).0 == 403)
        model.forgetTokens(at: 0)
        #expect(model.post("kv/put", #"{"key":"YQ=="}"#, header).0 == 401)
    }
}
