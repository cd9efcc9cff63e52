// Tokens over HTTP: what a token allows and hides, and how a token ends.

import Foundation
import HTTPServer
import SessionViews
import TestSupport
import Testing
import TraitSessions

@testable import TraitService

@Suite("Tokens")
struct TokenTests {
    private let folder: TokenFolder
    private let keeper: TokenKeeper
    private let fixture: InProcessService
    private let reader: String
    private let writer: String
    private let admin: String

    init() throws {
        folder = try TokenFolder()
        reader = try folder.add("reader", .read, ["team-*"])
        writer = try folder.add("writer", .write, ["team-*"])
        admin = try folder.add("admin", .admin, ["*"])
        keeper = try folder.keeper()
        fixture = try InProcessService(tokens: keeper)
        let client = try fixture.client()
        for name in ["team-a", "team-b", "secret", "team"] {
            try client.send(
                "PUT", "/v1/sessions/\(name)",
                json: ["nodes": [.node("n")]], fields: [.bearer(admin)]
            ).expecting(201)
        }
    }

    private func ask(
        _ method: String, _ target: String, _ token: String?, _ json: JSON? = nil
    ) throws -> HTTPResponse {
        try fixture.client().send(
            method, target, json: json, fields: token.map { [.bearer($0)] } ?? [])
    }

    @Test(
        "With tokens every answer varies by them, and none is immutable; without tokens none varies"
    )
    func variesByToken() throws {
        let targets = [
            "/v1/sessions", "/v1/sessions/team-a", "/v1/sessions/team-a/export",
            "/v1/sessions/team-a/nodes/n/traits?revision=1", "/v1/sessions/team-a/history",
            "/v1/sessions/team-a/nodes/n/tokens", "/v1/sessions/none", "/v1/server", "/v1/whoami",
            "/openapi.json", "/client.js", "/ui",
        ]
        let open = try InProcessService()
        for target in targets {
            for token in [admin, reader, nil] {
                let answer = try ask("GET", target, token)
                let fields = answer.head.values("Vary").joined(separator: ", ")
                #expect(fields.contains("Authorization, X-API-Key"), "\(target): \(fields)")
                #expect(answer[header: "Cache-Control"]?.contains("immutable") != true, "\(target)")
                #expect(answer[header: "X-Content-Type-Options"] == "nosniff", "\(target)")
            }
            let answer = try open.client().get(target)
            let fields = answer.head.values("Vary").joined(separator: ", ")
            #expect(!fields.contains("Authorization"), "\(target): \(fields)")
        }
    }

    @Test("A request without a good token is 401, and says how to send one")
    func unauthenticated() throws {
        let stranger = TokenText.make(accessor: "aaaaaaaa").token
        let known = TokenFolder.accessor(of: admin)
        let guessed = TokenText.make(accessor: known).token
        let last = admin.last == "0" ? "1" : "0"
        let cases: [(String?, String)] = [
            (nil, "traitd token new"), ("Bearer", "Bearer"), ("Basic YTpi", "Bearer"),
            ("Bearer x", "traitd_"), ("Bearer \(stranger)", "SIGHUP"),
            ("Bearer \(guessed)", "SIGHUP"), ("Bearer \(admin.dropLast() + last)", "mistyped"),
            ("Bearer \(admin)x", "characters"), ("Bearer \(admin.uppercased())", "traitd_"),
        ]
        for (value, hint) in cases {
            let fields = value.map { [HTTPField("Authorization", $0)] } ?? []
            for (method, target) in [
                ("GET", "/v1/sessions"), ("PUT", "/v1/sessions/new"),
                ("PATCH", "/v1/sessions/team-a"),
                ("DELETE", "/v1/sessions/team-a"), ("GET", "/v1/whoami"),
                ("OPTIONS", "/v1/sessions/team-a"), ("GET", "/v1/sessions/team-a/events"),
            ] {
                let answer = try fixture.client().send(method, target, fields: fields)
                #expect(answer.status == 401, "\(value ?? "-") \(method) \(target)")
                #expect(
                    answer[header: "WWW-Authenticate"]?.hasPrefix("Bearer realm=\"traitd\"") == true
                )
                #expect(answer[header: "Traitd-Revision"] == nil)
                #expect(try answer.json["detail"]?.string?.contains(hint) == true)
                #expect(!answer.text.contains(admin.dropFirst(16).prefix(32)))
            }
        }
        let lower = HTTPField("Authorization", "bearer \(admin)")
        #expect(try fixture.client().get("/v1/sessions", fields: [lower]).status == 200)
        for target in [
            "/livez", "/readyz", "/version", "/openapi.yaml", "/client.js", "/ui",
            "/ui/app.js", "/problems/forbidden",
        ] {
            #expect(try ask("GET", target, nil).status == 200, "\(target)")
        }
        #expect(try ask("GET", "/v1/sessions?access_token=\(admin)", nil).status == 401)
    }

    @Test("A refusal says what the token lacks; AccessMatrixTests have all requests")
    func words() throws {
        let partial = try folder.add("partial", .admin, ["team-*"])
        try keeper.reload()
        for (method, target, token, words) in [
            ("PUT", "/v1/sessions/team-a/nodes/m", reader, "lacks the verb write"),
            ("GET", "/v1/memory", partial, "whole server"),
            ("PUT", "/v1/sessions/team", writer, "team"),
        ] {
            let answer = try ask(method, target, token, method == "PUT" ? [:] : nil)
            let problem = try expectProblem(answer, 403, "forbidden")
            #expect(problem["detail"]?.string?.contains(words) == true, "\(problem)")
            let isOfVerb = token == reader
            let scope = answer[header: "WWW-Authenticate"]?.contains("insufficient_scope")
            #expect(scope == (isOfVerb ? true : nil))
        }
        // A name that the server gives is one that the token may use.
        let made = try ask("POST", "/v1/sessions", writer, [:]).expecting(201)
        #expect(try made.json["name"]?.string?.hasPrefix("team-") == true)
    }

    @Test("What the token may not see is in no list, suggestion or refusal")
    func hidden() throws {
        // 405 reveals the session where it may be known, and not elsewhere.
        #expect(try ask("PATCH", "/v1/sessions/team-a", reader)[header: "Traitd-Revision"] == "1")
        #expect(try ask("PATCH", "/v1/sessions/secret", reader)[header: "Traitd-Revision"] == nil)
        // Names are suggested among those that may be known.
        #expect(try ask("GET", "/v1/sessions/team-x", reader).json["didYouMean"] != nil)
        #expect(try ask("GET", "/v1/sessions/secre", admin).json["didYouMean"] == "secret")
        #expect(try ask("GET", "/v1/sessions/secre", reader).json["didYouMean"] == nil)
        #expect(try ask("GET", "/v1/sessions/team_", reader).json["didYouMean"] != "team")
        let list = try ask("GET", "/v1/sessions", reader).json["sessions"]?.array ?? []
        #expect(list.map { $0["name"] } == ["team-a", "team-b"])
        let page = try ask("GET", "/v1/sessions?pageSize=1&pageToken=after.team-a", reader)
        #expect(try page.json["sessions"]?.array?.count == 1)
        #expect(try page.json["nextPageToken"] == nil)
    }

    @Test("Accessor and name go into cause and history, the secret nowhere")
    func cause() throws {
        try ask("PUT", "/v1/sessions/team-a/nodes/m", writer, ["kind": "environment"]).expecting(
            201)
        let history = try ask("GET", "/v1/sessions/team-a/history", reader)
        let accessor = TokenFolder.accessor(of: writer)
        #expect(
            try history.json["commits"]?.array?.first?["cause"]?["caller"]
                == ["id": .string(accessor), "name": "writer"])
        #expect(!history.text.contains(writer.dropFirst(16).prefix(32)))
        let page = try ask("GET", "/v1/sessions/team-a/events?from=1&wait=0", reader)
        #expect(page.text.contains("\"caller\":{\"id\":\"\(accessor)\",\"name\":\"writer\"}"))
    }

    @Test("The body of a request that is refused anyway is not read")
    func unreadBody() throws {
        for (token, host, status) in [
            (nil, "localhost", 401), (reader, "localhost", 403), (admin, "evil.example", 421),
        ] as [(String?, String, Int)] {
            let connection = try RawConnection(port: fixture.port)
            let field = token.map { "Authorization: Bearer \($0)\r\n" } ?? ""
            try connection.send(
                "PUT /v1/sessions/team-new HTTP/1.1\r\nHost: \(host)\r\n\(field)"
                    + "Content-Type: application/json\r\nExpect: 100-continue\r\n"
                    + "Content-Length: 1000000\r\n\r\n")
            let answer = try connection.read { !statusCodes(in: $0).isEmpty }
            #expect(statusCodes(in: answer) == [status])
        }
    }

    @Test("whoami says what the token may do")
    func whoAmI() throws {
        let answer = try ask("GET", "/v1/whoami?can=write&session=team-a", writer).expecting(200)
            .json
        #expect(answer["caller"] == .string(TokenFolder.accessor(of: writer)))
        #expect(answer["name"] == "writer")
        #expect(answer["allow"] == "write")
        #expect(answer["sessions"] == ["team-*"])
        #expect(answer["can"] == true)
        for (question, may) in [
            ("write&session=secret", false), ("admin&session=team-a", false), ("read", true),
            ("write&session=absent", false), ("write&session=team-absent", true),
        ] {
            let answer = try ask("GET", "/v1/whoami?can=\(question)", writer).json
            #expect(answer["can"] == .bool(may), "\(question)")
        }
        for query in ["can=fly", "session=team-a", "can=read&can=read"] {
            #expect(try ask("GET", "/v1/whoami?\(query)", writer).status == 400, "\(query)")
        }
        let open = try InProcessService()
        let anybody = try open.client().get("/v1/whoami?can=admin").expecting(200).json
        #expect(anybody["caller"] == .null)
        #expect(anybody["can"] == true)
    }

    @Test("A removed token ends its streams with `revoked`; another token resumes there")
    func revoked() throws {
        let target = fixture.url + "/v1/sessions/team-a/events"
        let stream = try EventStream(target, fields: [.bearer(writer)])
        let other = try EventStream(target, fields: [.bearer(reader)])
        defer { other.close() }
        _ = try stream.next()
        _ = try other.next()
        try ask("PUT", "/v1/sessions/team-a/nodes/m", writer, ["kind": "environment"]).expecting(
            201)
        let seen = try stream.next()
        let accessor = TokenFolder.accessor(of: writer)
        try folder.file.rewrite { $0.filter { $0.accessor != accessor } }
        try keeper.reload()
        let end = try stream.next()
        #expect(end.json["type"] == "end")
        #expect(end.json["reason"] == "revoked")
        #expect(end.json["resume"] == true)
        #expect(try ask("GET", "/v1/sessions/team-a", writer).status == 401)
        try ask("PUT", "/v1/sessions/team-a/nodes/k", admin, ["kind": "environment"]).expecting(201)
        #expect(try other.next().json["type"] == "commit")
        let token = try #require(seen.json["token"]?.string)
        let resumed = try EventStream(target + "?from=\(token)", fields: [.bearer(reader)])
        defer { resumed.close() }
        #expect(try resumed.next().json["type"] == "begin")
        #expect(try resumed.next().revision == 3)
    }

    @Test("A long poll that waits ends with its token")
    func revokedPoll() throws {
        let statuses = try concurrently(2) { [self] index in
            if index == 0 {
                return try ask("GET", "/v1/sessions/team-b/events?wait=30s", writer).status
            }
            fixture.turns.wait { fixture.server.statistics.parked > 0 }
            try folder.file.rewrite { $0.filter { $0.allow != .write } }
            try keeper.reload()
            return 0
        }
        #expect(statuses[0] == 401)
    }

    @Test("A token ends when it expires, and its streams with it")
    func expired() throws {
        let now = folder.clock.withLock { $0 }
        let brief = try folder.add("brief", .read, ["*"], expires: now + 60_000)
        try keeper.reload()
        let client = try fixture.client()
        #expect(try client.get("/v1/sessions/team-a", fields: [.bearer(brief)]).status == 200)
        let stream = try EventStream(
            fixture.url + "/v1/sessions/team-a/events", fields: [.bearer(brief)])
        _ = try stream.next()
        folder.clock.withLock { $0 += 60_000 }
        keeper.expire()
        #expect(try stream.next().json["reason"] == "revoked")
        let answer = try client.get("/v1/sessions/team-a", fields: [.bearer(brief)])
        #expect(answer.status == 401)
        #expect(try answer.json["detail"]?.string?.contains("expired") == true)
    }

    @Test("A token with two secrets lets both in, and each goes by itself")
    func rotated() throws {
        let accessor = TokenFolder.accessor(of: writer)
        let second = try folder.add("writer", .write, ["team-*"], accessor: accessor)
        #expect(throws: TokenFileError.self) {
            try folder.add("writer", .write, ["team-*"], accessor: accessor)
        }
        try keeper.reload()
        for token in [writer, second] {
            #expect(try ask("GET", "/v1/sessions/team-a", token).status == 200)
        }
        try folder.file.rewrite { entries in
            let older = entries.firstIndex { $0.accessor == accessor }
            return entries.enumerated().filter { $0.offset != older }.map(\.element)
        }
        try keeper.reload()
        #expect(try ask("GET", "/v1/sessions/team-a", writer).status == 401)
        #expect(try ask("GET", "/v1/sessions/team-a", second).status == 200)
    }

    @Test("A bad file is reported, and the tokens before stay good")
    func badFile() throws {
        let good = try String(contentsOfFile: folder.path, encoding: .utf8)
        let line = good.prefix { $0 != "\n" }
        let bad: [(String, Int, String)] = [
            ("{", 0o600, "line 1"), (good + "\n[]", 0o600, "line 5"), (good, 0o644, "chmod 600"),
            (good, 0o620, "chmod 600"), (line + "\n" + line + "\n" + line, 0o600, "line 3"),
            (line.replacingOccurrences(of: "team-*", with: "team/*"), 0o600, "sessions"),
            (line.replacingOccurrences(of: "\"read\"", with: "\"all\""), 0o600, "allow"),
            (line.replacingOccurrences(of: "sha256\":\"", with: "sha256\":\"x"), 0o600, "sha256"),
            (line.replacingOccurrences(of: "\"name\"", with: "\"nam\""), 0o600, "nam"),
        ]
        for (text, mode, hint) in bad {
            try folder.write(text, mode: mode)
            let error = #expect(throws: TokenFileError.self) { try keeper.reload() }
            #expect(error?.description.contains(hint) == true, "\(error?.description ?? "")")
            #expect(try ask("GET", "/v1/sessions/team-a", reader).status == 200)
        }
        try FileManager.default.removeItem(atPath: folder.path)
        #expect(throws: TokenFileError.self) { try keeper.reload() }
        #expect(throws: TokenFileError.self) { try folder.keeper() }
        #expect(try ask("GET", "/v1/sessions/team-a", reader).status == 200)
        try folder.write(good)
        try keeper.reload()
        #expect(try ask("GET", "/v1/sessions/team-a", reader).status == 200)
    }
}
