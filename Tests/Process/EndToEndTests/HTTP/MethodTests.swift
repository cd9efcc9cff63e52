// HEAD wherever GET, OPTIONS everywhere, and the fields that every answer has.

import TestSupport
import Testing

@Suite("Methods")
struct MethodTests {
    private static let paths = [
        "", "nodes", "nodes/cell0", "nodes/cell0/traits", "nodes/cell0/traits/theme",
        "nodes/cell0/overrides", "nodes/scene/overrides/theme", "nodes/cell0/supplied", "traits",
        "traits/theme", "registrations", "registrations/r",
    ]

    private func session() throws -> SessionClient {
        let session = try sampleSession("methods")
        try session.transaction([
            .register("r", at: "cell0", ["theme"]), .setOverride("theme", at: "scene", "bold"),
        ])
        return session
    }

    @Test("HEAD answers like GET, without the body")
    func head() throws {
        let session = try session()
        let volatile: Set<String> = ["Date", "Traitd-Request-Id"]
        for path in Self.paths {
            let get = try session.get(path).expecting(200)
            let head = try session.send("HEAD", path)
            #expect(head.body.isEmpty)
            #expect(head.status == 200)
            #expect(
                head.fields.filter { !volatile.contains($0.name) }
                    == get.fields.filter { !volatile.contains($0.name) }, "\(path)")
            #expect(head[header: "Content-Length"] == "\(get.body.count)")
        }
        for path in [
            "/livez", "/readyz", "/version", "/openapi.yaml", "/v1/traits", "/v1/sessions",
        ] {
            #expect(try session.client.send("HEAD", path).status == 200, "\(path)")
        }
    }

    @Test("HEAD of a stream has its head, and no length")
    func headOfStream() throws {
        let session = try session()
        for accept in ["application/x-ndjson", "text/event-stream"] {
            let fields = [HTTPField("Accept", accept)]
            let head = try session.send("HEAD", "events", fields: fields)
            #expect(head.status == 200)
            #expect(head.body.isEmpty)
            #expect(head[header: "Content-Type"] == accept)
            #expect(head[header: "Content-Length"] == nil)
            #expect(head[header: "Transfer-Encoding"] == "chunked")
        }
        #expect(try session.get("stats").json["streams"]?.int == 0)
    }

    @Test(
        "OPTIONS says what is allowed",
        arguments: [
            ("", "GET, HEAD, PUT, DELETE, OPTIONS"), ("nodes", "GET, HEAD, POST, OPTIONS"),
            ("nodes/cell0", "GET, HEAD, PUT, PATCH, DELETE, OPTIONS"),
            ("nodes/cell0/overrides", "GET, HEAD, PATCH, OPTIONS"),
            ("nodes/cell0/overrides/theme", "GET, HEAD, PUT, DELETE, OPTIONS"),
            ("nodes/cell0/traits", "GET, HEAD, OPTIONS"), ("transactions", "POST, OPTIONS"),
            ("registrations/r", "GET, HEAD, PUT, DELETE, OPTIONS"),
        ])
    func options(path: String, allow: String) throws {
        let session = try session()
        let answer = try session.send("OPTIONS", path)
        #expect(answer.isSuccess)
        #expect(answer[header: "Allow"] == allow)
        #expect(answer.body.isEmpty)
    }

    @Test(
        "OPTIONS of the server, and of a path in absolute form",
        arguments: [
            ("*", "GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS"),
            ("http://elsewhere/livez", "GET, HEAD, OPTIONS"),
            ("/v1/sessions?x=y", "GET, HEAD, POST, OPTIONS"),
        ])
    func optionsOfServer(target: String, allow: String) throws {
        let answer = try exchange("OPTIONS \(target) HTTP/1.1\r\nHost: localhost\r\n\r\n")
        #expect(answer.hasPrefix("HTTP/1.1 204 "))
        #expect(answer.contains("\r\nAllow: \(allow)\r\n"))
        #expect(answer.hasSuffix("\r\n\r\n"))
    }

    @Test(
        "A method that is known nowhere is not implemented, whatever the path",
        arguments: ["TRACE /livez", "CONNECT localhost:80", "BREW /pot", "get /livez", "OPTION *x"])
    func unknownMethods(line: String) throws {
        let answer = try exchange("\(line) HTTP/1.1\r\nHost: localhost\r\n\r\n")
        let isTarget = line != "OPTION *x"
        #expect(answer.hasPrefix(isTarget ? "HTTP/1.1 501 " : "HTTP/1.1 400 "), "\(line)")
        if isTarget {
            #expect(answer.contains("\"code\":\"not-implemented\""))
            #expect(answer.contains("Allow: GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS\r\n"))
        }
    }

    @Test("The connection goes on after a method that is not implemented")
    func afterUnknownMethod() throws {
        let raw = try RawConnection(port: try sharedServer().port)
        try raw.send(
            "BREW /pot HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\n\r\n{}"
                + "GET /livez HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
        #expect(statusCodes(in: try raw.readToEnd()) == [501, 200])
    }

    /// All that comes until the server has nothing more to say.
    private func exchange(_ request: String) throws -> String {
        let raw = try RawConnection(port: try sharedServer().port)
        try raw.send(request)
        raw.finishSending()
        return String(decoding: try raw.readToEnd(), as: UTF8.self)
    }

    @Test(
        "A request that is refused for what its head says still gets its id and the revision",
        arguments: [
            ("Content-Length: 99999999999", 413), ("Expect: tea", 417),
            ("Content-Length: 1\r\nTransfer-Encoding: chunked", 400),
        ])
    func refusedByHead(fields: String, status: Int) throws {
        let session = try session()
        for method in ["PUT", "HEAD"] {
            let answer = try exchange(
                "\(method) \(session.target("nodes/cell0")) HTTP/1.1\r\nHost: localhost\r\n"
                    + "Traitd-Request-Id: mine-7\r\n\(fields)\r\n\r\n")
            #expect(answer.hasPrefix("HTTP/1.1 \(status) "), "\(fields)")
            #expect(answer.contains("\r\nTraitd-Request-Id: mine-7\r\n"), "\(fields)")
            #expect(
                answer.contains("\r\nTraitd-Revision: \(try session.revision())\r\n"),
                "\(fields)")
            #expect(answer.contains("\r\nConnection: close\r\n"))
            #expect(answer.hasSuffix("\r\n\r\n") == (method == "HEAD"), "\(fields)")
        }
    }

    @Test("A request id is made, or the caller's is given back")
    func requestID() throws {
        let session = try session()
        let made = try (0..<3).map { _ in try session.get("")[header: "Traitd-Request-Id"] }
        #expect(Set(made).count == 3 && !made.contains(nil))
        let given = [HTTPField("Traitd-Request-Id", "abc-123")]
        for path in ["", "nodes/lost"] {
            let answer = try session.send("GET", path, fields: given)
            #expect(answer[header: "Traitd-Request-Id"] == "abc-123")
        }
    }

    @Test("Every answer about a session says its revision")
    func revision() throws {
        let session = try session()
        let revision = try session.revision()
        for path in Self.paths + ["nodes/lost", "nodes/list/overrides/theme"] {
            #expect(try session.get(path).revision == revision, "\(path)")
        }
    }
}
