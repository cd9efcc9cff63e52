// Answers to common slips: the path with a slash too many, a type by another name, a number out of range. Each
// says what was probably meant.

import Foundation
import HTTPServer
import TestSupport
import Testing

@testable import TraitService

@Suite("Hints")
struct HintTests {
    @Test(
        "A path with a slash at its end or an empty part gets the path that was meant, for every method"
    )
    func slashes() throws {
        let client = try InProcessService().client()
        for method in ["GET", "PUT", "POST", "PATCH", "DELETE"] {
            for (path, meant) in [
                ("/v1/sessions/", "/v1/sessions"), ("//v1//sessions//", "/v1/sessions"),
                ("/v1/sessions/a%2Fb/", "/v1/sessions/a%2Fb"), ("/docs/", "/docs"),
                ("/v1/sessions/s/nodes/n/traits/t/", "/v1/sessions/s/nodes/n/traits/t"),
            ] {
                let answer = try client.send(HTTPRequest(method, path))
                let problem = try expectProblem(answer, 404, "unknown-route")
                #expect(problem["didYouMean"]?.string == meant, "\(method) \(path)")
            }
        }
        for path in ["/nothing/", "/v1/nothing", "/v1/sessions/s/nothing/"] {
            let problem = try expectProblem(try client.get(path), 404, "unknown-route")
            #expect(problem["didYouMean"] == nil, "\(path)")
        }
    }

    @Test(
        "A misspelled kind or member of a node gets the same error in a body, a document and an apply"
    )
    func nodesEverywhere() throws {
        let client = try InProcessService().client()
        _ = try client.send(HTTPRequest("PUT", "/v1/sessions/s", text: "{}")).expecting(201)
        for (node, status, code, meant) in [
            (#"{"id": "a", "kind": "widow"}"#, 422, "kind-mismatch", "window"),
            (#"{"id": "a", "kind": "view", "parant": null}"#, 400, "unknown-member", "parent"),
        ] {
            for (method, path, text) in [
                ("POST", "/v1/sessions/s/nodes", node),
                ("PUT", "/v1/sessions/t/import", #"{"format": 1, "nodes": [\#(node)]}"#),
                ("PUT", "/v1/sessions/s/apply", #"{"format": 1, "nodes": [\#(node)]}"#),
            ] {
                let answer = try client.send(HTTPRequest(method, path, text: text))
                let problem = try expectProblem(answer, status, code)
                #expect(problem["didYouMean"]?.string == meant, "\(method) \(path)")
            }
        }
    }

    @Test(
        "A type by the name that it has elsewhere gets the name that it has here",
        arguments: [
            ("float", "double"), ("Number", "double"), ("integer", "int"), ("boolean", "bool"),
            ("object", "json"), ("record", "struct"), ("text", "string"), ("enumeration", "enum"),
            ("bol", "bool"),
        ])
    func types(given: String, meant: String) throws {
        let fixture = try InProcessService()
        let text = #"{"traits": {"a": {"type": "\#(given)", "default": 1}}}"#
        let answer = try fixture.client().send(HTTPRequest("PUT", "/v1/sessions/s", text: text))
        let problem = try expectProblem(answer, 422, "invalid-definition")
        #expect(problem["didYouMean"]?.string == meant)
    }

    @Test(
        "A number out of range gets the range, and another wrong number does not",
        arguments: [
            ("int", "9223372036854775808", "from -9223372036854775808 to 9223372036854775807"),
            ("int", "-9223372036854775809", "from -9223372036854775808"),
            ("int", "1e19", "to 9223372036854775807"),
            ("double", "1e400", "1.7976931348623157e+308"),
            ("double", "-1e400", "-1.7976931348623157e+308"), ("int", "1.5", nil),
            ("int", "\"1\"", nil),
        ] as [(String, String, String?)])
    func ranges(type: String, value: String, range: String?) throws {
        let fixture = try InProcessService()
        let text = #"{"traits": {"a": {"type": "\#(type)", "default": \#(value)}}}"#
        let answer = try fixture.client().send(HTTPRequest("PUT", "/v1/sessions/s", text: text))
        let detail = try expectProblem(answer, 422, "type-mismatch")["detail"]?.string ?? ""
        #expect(detail.contains(range ?? value) && detail.contains(" go from ") == (range != nil))
    }

    @Test("The index shows the host and port that the request came to")
    func index() throws {
        let fixture = try InProcessService()
        let text = try fixture.client().get("/").text
        #expect(text.contains("curl -X PUT 127.0.0.1:"), "\(text)")
        #expect(!text.contains("localhost:8080"), "\(text)")
        // Only an address beyond loopback answers to any host.
        let open = try InProcessService(serving: fixture.service, shards: 2) {
            $0.addresses = [.tcp(host: "0.0.0.0", port: 0)]
        }
        // A sub-delimiter is legal in a host, and means something to a shell and in a page.
        for (host, shown) in [
            ("traits.example:81", "curl -X PUT traits.example:81/v1"),
            ("[::1]:7", "PUT [::1]:7/v1"),
            ("a;b&c'(d)", "curl -X PUT 0.0.0.0:\(open.port)/v1"),
        ] {
            for media in ["text/plain", "text/html"] {
                let connection = try RawConnection(port: open.port)
                try connection.send(
                    "GET / HTTP/1.1\r\nHost: \(host)\r\nAccept: \(media)\r\nConnection: close\r\n\r\n"
                )
                let answer = String(decoding: try connection.readToEnd(), as: UTF8.self)
                #expect(answer.contains(shown), "\(answer)")
                #expect(!answer.contains("a;b"), "\(answer)")
            }
        }
    }

    @Test(
        "A page's policy allows its own script and style by their hashes, and nothing inline besides"
    )
    func policies() throws {
        #expect(PagePolicy.base64(Array("light w".utf8)) == "bGlnaHQgdw==")
        #expect(PagePolicy.base64(Array("light wo".utf8)) == "bGlnaHQgd28=")
        #expect(PagePolicy.base64(Array("light wor".utf8)) == "bGlnaHQgd29y")
        let made = Array("<style>a</style><script>b</script>".utf8).withUnsafeBytes {
            PagePolicy.policy(of: $0)
        }
        #expect(made.contains("style-src 'sha256-ypeBEsobvcr6wjGzmiPcTaeG7/gUfE5yuYB3ha/uSLs='"))
        #expect(made.contains("script-src 'sha256-PiPoFgA5WUoziU9lZOGxNIu9egCI1CxKy3PurtWcAJ0='"))
        let none = Array("<style>a".utf8).withUnsafeBytes { PagePolicy.policy(of: $0) }
        #expect(none.contains("script-src 'none'; style-src 'none'"))
        let fixture = try InProcessService()
        for path in ["/", "/docs"] {
            let answer = try fixture.client().send(
                HTTPRequest("GET", path, fields: [HTTPField("Accept", "text/html")]))
            let policy = answer[header: "Content-Security-Policy"] ?? ""
            #expect(
                policy.contains("style-src 'sha256-") && !policy.contains("unsafe"), "\(policy)")
        }
    }

    @Test("The fault of a document has its line, its column and its node")
    func places() throws {
        let nodes = (0..<12_101).map { number in
            let value = number == 6_123 ? "Paid" : "paid"
            return
                #"{"id": "n\#(number)", "kind": "environment", "label": "é", "overrides": {"plan": "\#(value)"}}"#
        }
        let text = """
            {"format": 1, "name": "s", "propagation": "unified", "updates": "immediate", "limits": {},
            "traits": {"plan": {"type": "enum", "cases": {"free": 0, "paid": 1}, "default": "free"}},
            "environmentKeys": {}, "colors": {}, "images": {}, "nodes": [
            \(nodes.joined(separator: ",\n"))]}
            """
        let client = try InProcessService().client()
        let refused = try client.send(HTTPRequest("PUT", "/v1/sessions/s/import", text: text))
        let problem = try expectProblem(refused, 422, "type-mismatch")
        #expect(problem["pointer"]?.string == "/nodes/6123/overrides/plan")
        #expect(problem["id"]?.string == "n6123")
        #expect(problem["line"] == 6_127)
        #expect(problem["column"] == 76)
        let double = text.replacingOccurrences(of: "Paid", with: "paid")
            .replacingOccurrences(of: "\"n7\"", with: "\"n6\"")
        let twice = try client.send(HTTPRequest("PUT", "/v1/sessions/s/import", text: double))
        let detail = try expectProblem(twice, 409, "exists")["detail"]?.string ?? ""
        #expect(detail.contains("'n6'") && !detail.contains("PATCH"), "\(detail)")
    }

    @Test("The refusal of a body that makes a session names no request that needs the session")
    func creation() throws {
        let client = try InProcessService().client()
        for (body, word) in [
            (#"{"nodes": [{"id": "a", "kind": "view"}, {"id": "a", "kind": "view"}]}"#, "'a'"),
            (#"{"nodes": [{"id": "a", "kind": "view", "overrides": {"no": 1}}]}"#, "'no'"),
        ] {
            for request in [
                HTTPRequest("PUT", "/v1/sessions/made", text: body),
                HTTPRequest("POST", "/v1/sessions", text: body),
            ] {
                let text = try client.send(request).text
                #expect(text.contains(word) && !text.contains("PATCH"), "\(text)")
                #expect(!text.contains("/v1/sessions/"), "\(text)")
            }
        }
    }
}
