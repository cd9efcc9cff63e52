// The cost of an unknown caller's body: it is not decompressed, nor its coding read, before all access checks have
// passed. A body that is no gzip shows that: decompressing it is refused with 400.

import Foundation
import HTTPServer
import HTTPWire
import SessionViews
import TestSupport
import Testing
import TraitSessions

@testable import TraitService

@Suite("Bodies with codings")
struct BodyAccessTests {
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
        for name in ["team-a", "secret"] {
            try client.send(
                "PUT", "/v1/sessions/\(name)",
                json: ["nodes": [.node("n")]], fields: [.bearer(admin)]
            ).expecting(201)
        }
    }

    private func ask(
        _ method: String, _ target: String, _ token: String?, _ fields: [HTTPField] = [],
        coding: String = "gzip", type: String = "application/json", bytes: Int = 9
    ) throws -> HTTPResponse {
        let given =
            (token.map { [.bearer($0)] } ?? []) + fields
            + [HTTPField("Content-Type", type), HTTPField("Content-Encoding", coding)]
        return try fixture.client().send(
            HTTPRequest(
                method, target, fields: given,
                body: Array(repeating: UInt8(ascii: "x"), count: bytes)))
    }

    @Test("No access check that refuses a coded body lets it be read", arguments: [9, 200_000])
    func checks(bytes: Int) throws {
        let resolve = "/v1/sessions/team-a/resolve"
        let foreign = HTTPField("Host", "evil.example")
        let page = [
            HTTPField("Origin", "https://evil.example"), HTTPField("Sec-Fetch-Site", "cross-site"),
        ]
        for coding in ["gzip", "br"] {
            func status(
                _ method: String, _ target: String, _ token: String?, _ fields: [HTTPField] = [],
                type: String = "application/json"
            ) throws -> Int {
                let answer = try ask(
                    method, target, token, fields, coding: coding, type: type, bytes: bytes)
                #expect(answer[header: "Traitd-Revision"] == nil, "\(method) \(target) \(coding)")
                return answer.status
            }
            #expect(try status("POST", resolve, nil) == 401)
            #expect(try status("POST", resolve, reader, [foreign]) == 421)
            #expect(try status("POST", resolve, reader, page) == 403)
            #expect(try status("PUT", "/v1/sessions/team-a/nodes/m", reader) == 403)
            #expect(try status("POST", "/v1/sessions/secret/resolve", reader) == 404)
            #expect(try status("POST", "/v1/sessions/absent/resolve", reader) == 404)
            #expect(try status("PATCH", resolve, reader) == 405)
            #expect(try status("POST", resolve, reader, type: "text/plain") == 415)
            #expect(try status("POST", "/livez", nil) == 405)
            #expect(try status("POST", "/nowhere", nil) == 404)
            #expect(try status("POST", "/v1/nowhere", nil) == 401)
            // An operation without a body leaves it alone.
            #expect(try status("GET", "/livez", nil) == 200)
            #expect(try status("GET", "/openapi.yaml", nil) == 200)
        }
        #expect(try ask("POST", resolve, reader, coding: "gzip").status == 400)
        let other = try ask("POST", resolve, reader, coding: "br").expecting(415)
        #expect(other[header: "Accept-Encoding"] == "gzip, identity")
    }

    @Test("Under /v1 a stranger does not learn which paths there are")
    func unknownPaths() throws {
        for path in ["/v1", "/v1/", "/v1/nowhere", "/v1/sessions/a/nowhere", "/v1/sessions/%zz"] {
            #expect(try fixture.client().get(path).status == 401, "\(path)")
        }
        #expect(try fixture.client().get("/v1/nowhere", fields: [.bearer(reader)]).status == 404)
        #expect(try fixture.client().get("/v1x").status == 404)
    }

    @Test("Hidden sessions decide nothing about a suggestion, however many and however near")
    func suggestions() throws {
        let client = try fixture.client()
        func suggestion() throws -> JSON? {
            let answer = try client.get("/v1/sessions/team-0", fields: [.bearer(reader)])
            #expect(answer.status == 404)
            return try answer.json["didYouMean"]
        }
        #expect(try suggestion() == "team-a")
        // Between the two names in the order of bytes.
        for number in 0..<70 {
            for name in ["team.\(number)", "tean-\(number)", "sean-\(number)"] {
                try client.send(
                    "PUT", "/v1/sessions/\(name)", json: [:], fields: [.bearer(admin)]
                ).expecting(201)
            }
        }
        #expect(try suggestion() == "team-a")
        let narrow = try folder.add("narrow", .read, ["t*a"])
        let two = try folder.add("two", .read, ["sean-1", "team-a"])
        try keeper.reload()
        let near = try client.get("/v1/sessions/team-b", fields: [.bearer(narrow)])
        #expect(try near.json["didYouMean"] == nil)
        let list = try client.get("/v1/sessions", fields: [.bearer(two)]).json["sessions"]?.array
        #expect(list?.map { $0["name"] } == ["sean-1", "team-a"])
    }

    @Test("A token that expired by a clock that was ahead is good again when the clock is right")
    func clockAhead() throws {
        let now = folder.clock.withLock { $0 }
        let brief = try folder.add("brief", .read, ["*"], expires: now + 60_000)
        try keeper.reload()
        let client = try fixture.client()
        func status() throws -> Int {
            try client.get("/v1/sessions/team-a", fields: [.bearer(brief)]).status
        }
        #expect(try status() == 200)
        for _ in 0..<2 {
            folder.clock.withLock { $0 += 7_200_000 }
            keeper.expire()
            #expect(try status() == 401)
            keeper.expire()
            folder.clock.withLock { $0 -= 7_200_000 }
            #expect(try status() == 200)
        }
    }

    @Test("A change through a symbolic link changes the file that the link leads to")
    func symbolicLink() throws {
        let link = folder.path + ".link"
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "tokens")
        try TokenFile(path: link).rewrite { $0.filter { $0.name != "reader" } }
        #expect(try folder.file.read().map(\.name) == ["writer", "admin"])
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == "tokens")
        let lost = folder.path + ".lost"
        try FileManager.default.createSymbolicLink(atPath: lost, withDestinationPath: "nothing")
        #expect(throws: TokenFileError.self) { try TokenFile(path: lost).rewrite { $0 } }
        let (_, hash) = TokenText.make(accessor: "aaaaaaaa")
        #expect(throws: TokenFileError.self) {
            try TokenFile(path: lost).append(
                TokenEntry(
                    accessor: "aaaaaaaa", name: "a", allow: .read, sessions: ["*"], hash: hash,
                    created: 0, expires: nil))
        }
    }

    @Test("A server takes no tokens from a file of another user", .enabled(if: geteuid() == 0))
    func owner() throws {
        #expect(chown(folder.path, 12_345, 12_345) == 0)
        #expect(throws: TokenFileError.self) { try keeper.reload() }
        #expect(try folder.file.read(byCommand: true).count == 3)
        #expect(chown(folder.path, 0, 12_345) == 0)
        try keeper.reload()
    }
}
