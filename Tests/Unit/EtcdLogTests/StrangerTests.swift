// Values in etcd that no server has written. A server starts over each of them, and serves the sessions that they do
// not concern.

import Foundation
import TestSupport
import Testing

@testable import EtcdLog

@Suite(
    "What a stranger writes below the prefix", .serialized,
    .enabled(if: EtcdMember.isInstalled))
struct StrangerTests {
    /// A key below the prefix and its value. `UID` is that of the session `s`, `OTHER` that of `t`, `HEAD` the head of
    /// `s` without its name.
    private static let values = [
        ("head/UID", "HEAD other"), ("head/UID", "HEAD t"), ("head/UID", "HEAD a/b\u{0}\n"),
        ("head/UID", "none"), ("head/UID", "9223372036854775806 0 live s"),
        ("head/stranger", "7 0 live u"), ("head/stranger", "none"), ("head/", "1 0 live s"),
        ("snapmeta/UID", "9223372036854775806 0"),
        ("snapmeta/UID", "0 0\n1 0 9223372036854775807 1 0 0\n1 0 9223372036854775807 1 0 0"),
        ("log/UID/0000000000000003", "none"), ("log/UID/-000000000000003", "none"),
        ("log/UID/0000000000000001", ""), ("log/", ""), ("name/s", "OTHER"), ("name/u", "UID"),
        ("note/UID/r/0000000000000001/p", "none"),
        ("replica/stranger", "format=99999999999999999999 semantics=-1 id=\u{1}"),
    ]

    private static let body: JSON = [
        "traits": ["theme": ["type": "int", "default": 0]],
        "nodes": [["id": "root", "kind": "environment"]],
    ]

    private func write(_ session: String, _ client: HTTPClient) throws -> HTTPResponse {
        try client.send(
            "PUT", "/v1/sessions/\(session)/nodes/root/overrides/theme",
            json: ["value": .int(.random(in: 1...1_000_000))])
    }

    @Test("A server starts and serves the other sessions", arguments: values)
    func foreign(key: String, value: String) throws {
        let place = OperatingTests.Place(member: try EtcdMember.shared.get())
        let before = try place.server()
        let client = try HTTPClient(before.url)
        var uids: [String: String] = [:]
        for name in ["s", "t"] {
            let made = try client.send("PUT", "/v1/sessions/\(name)", json: Self.body)
            uids[name] = try #require(try made.expecting(201).json["uid"]?.string)
            try write(name, client).expecting(200)
        }
        var options = place.options
        options.isMember = false
        let log = try EtcdLog(options)
        let uid = try #require(uids["s"])
        let heads = try log.values(log.keys.heads)
        let own = try #require(heads.first { $0.key == log.keys.head(uid) })
        let head = String(decoding: own.value, as: UTF8.self)
        func filled(_ text: String) -> String {
            text.replacing("UID", with: uid).replacing("OTHER", with: uids["t"] ?? "")
                .replacing("HEAD", with: head.dropLast(2))
        }
        try log.put("\(place.prefix)/\(filled(key))", Array(filled(value).utf8))
        // The server that runs has the other session as before.
        try write("t", client).expecting(200)
        try client.get("/v1/sessions/t?consistency=strong").expecting(200)
        let after = try place.server()
        let later = try HTTPClient(after.url)
        try later.get("/v1/sessions/t").expecting(200)
        try write("t", later).expecting(200)
        let answer = try later.get("/v1/sessions/s")
        #expect([200, 404, 503].contains(answer.status), "\(answer)")
        try later.get("/v1/sessions/t").expecting(200)
        for server in [before, after] { server.child.stop() }
    }
}
