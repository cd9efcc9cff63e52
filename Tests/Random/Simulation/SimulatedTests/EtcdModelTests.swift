// The model of etcd, by itself. `CompareEtcd` shows that its answers are etcd's; these tests show what simulations rely
// on and what no comparison reaches: time, room, elections.

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

    func get(_ key: String, _ further: String = "") -> (Int, String) {
        post("kv/range", #"{"key":"\#(code(key))"\#(further)}"#)
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

    @Test("Base64 comes back, and what is none says where")
    func base64() throws {
        for text in ["", "a", "ab", "abc", "\u{0}\u{7F}é"] {
            let bytes = Array(text.utf8)
            let coded = EtcdModelBase64.encode(bytes)
            let decoded = try coded.withUnsafeBytes { try EtcdModelBase64.decode($0).get() }
            #expect(decoded == bytes)
        }
        #expect(code("ab") == "YWI=" && code("abc") == "YWJj")
        let (status, body) = model.post("kv/range", #"{"key":"YW*j"}"#)
        #expect(status == 400 && body.contains("illegal base64 data at input byte 2"))
    }

    @Test("A key keeps the revision that made it until it is deleted")
    func versions() {
        model.put("a", "1")
        model.put("a", "2")
        #expect(
            model.get("a").1.contains(
                #""create_revision":"2","mod_revision":"3","version":"2","value":"Mg==""#))
        #expect(model.post("kv/deleterange", #"{"key":"YQ=="}"#).1.contains(#""deleted":"1""#))
        #expect(!model.get("a").1.contains("kvs"))
        model.put("a", "3")
        #expect(model.get("a").1.contains(#""create_revision":"5","mod_revision":"5""#))
        // What was.
        #expect(model.get("a", #","revision":"3""#).1.contains(#""value":"Mg==""#))
        #expect(!model.get("a", #","revision":"4""#).1.contains("kvs"))
    }

    @Test("A read at a compacted revision is refused, and so is one of the future")
    func compaction() {
        for value in 1...5 { model.put("a", "\(value)") }
        #expect(model.compact(to: 4).0 == 200)
        #expect(model.get("a", #","revision":4"#).0 == 200)
        let (status, body) = model.get("a", #","revision":3"#)
        #expect(status == 400 && body.contains("compacted") && body.contains(#""code":11"#))
        #expect(model.get("a", #","revision":7"#).1.contains("future"))
        #expect(model.compact(to: 4).1.contains("compacted"))
        #expect(model.compact(to: 7).1.contains("future"))
        #expect(model.get("a").1.contains(#""version":"5""#))
    }

    // MARK: - Transactions

    private func transaction(_ compare: String) -> (Int, String) {
        model.post(
            "kv/txn",
            #"{"compare":[\#(compare)],"success":[{"request_put":{"key":"Yg==","value":"MQ=="}}],"#
                + #""failure":[{"request_range":{"key":"YQ=="}}]}"#)
    }

    @Test(
        "A transaction whose comparison fails changes nothing and reads instead",
        arguments: [
            #""target":"VALUE","key":"YQ==","value":"Mg==""#,
            #""target":"CREATE","key":"YQ==","create_revision":0"#,
            #""target":"MOD","key":"YQ==","mod_revision":1"#,
            #""target":"VERSION","key":"YQ==","version":2"#,
            #""target":"VALUE","key":"eg==","value":"""#,
            #""target":"MOD","result":"LESS","key":"YQ==","range_end":"Yg==","mod_revision":2"#,
        ])
    func failing(comparison: String) {
        model.put("a", "1")
        let (status, body) = transaction("{\(comparison)}")
        #expect(status == 200 && !body.contains("succeeded") && body.contains(#""value":"MQ==""#))
        #expect(model.revision == 2)
    }

    @Test(
        "A transaction whose comparison holds is carried out as one revision",
        arguments: [
            #""target":"VALUE","key":"YQ==","value":"MQ==""#,
            #""target":"CREATE","key":"eg==","create_revision":0"#,
            #""target":"MOD","key":"YQ==","mod_revision":2"#,
            #""target":"MOD","result":"LESS","key":"YQ==","range_end":"Yg==","mod_revision":3"#,
            #""target":"MOD","result":"LESS","key":"cA==","range_end":"cQ==","mod_revision":1"#,
        ])
    func holding(comparison: String) {
        model.put("a", "1")
        let (status, body) = transaction("{\(comparison)}")
        #expect(status == 200 && body.contains(#""succeeded":true"#))
        #expect(model.revision == 3)
    }

    @Test("A key cannot be put twice in one transaction, and 129 operations are too many")
    func refused() {
        let put = #"{"request_put":{"key":"YQ=="}}"#
        #expect(model.post("kv/txn", #"{"success":[\#(put),\#(put)]}"#).1.contains("duplicate"))
        let range = #"{"request_range":{"key":"YQ=="}}"#
        func ranges(_ count: Int) -> (Int, String) {
            let list = Array(repeating: range, count: count).joined(separator: ",")
            return model.post("kv/txn", #"{"success":[\#(list)]}"#)
        }
        #expect(ranges(128).0 == 200 && ranges(129).1.contains("too many operations"))
        #expect(model.revision == 1)
    }

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

    @Test("Without room puts are refused and deletions are not, until the alarm is ended")
    func room() {
        model.space.quota = 100_000
        model.put("a", "1")
        model.space.fill(to: 99_900)
        let (status, body) = model.put("b", "1")
        #expect(status == 429 && body.contains("space exceeded") && body.contains(#""code":8"#))
        #expect(!model.get("b").1.contains("kvs") && model.space.hasAlarm)
        let both = #"{"success":[{"request_delete_range":{"key":"YQ=="}}],"failure":[]}"#
        #expect(model.post("lease/grant", #"{"TTL":5}"#).0 == 429)
        #expect(model.post("kv/txn", both).0 == 200)
        #expect(model.post("maintenance/status", "{}").1.contains("alarm:NOSPACE"))
        _ = model.post("maintenance/defragment", "{}")
        #expect(model.put("b", "1").0 == 429)
        let alarm =
            #"{"action":"DEACTIVATE","alarm":"NOSPACE","memberID":"\#(model.memberIDs[0])"}"#
        #expect(model.post("maintenance/alarm", alarm).0 == 200)
        #expect(model.put("b", "1").0 == 200)
    }

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
