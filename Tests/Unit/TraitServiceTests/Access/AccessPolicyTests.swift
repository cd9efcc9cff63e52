// The access checks for browsers, one rule at a time; AccessMatrixTests goes through all combinations.

import HTTPServer
import TestSupport
import Testing

@testable import TraitService

@Suite("The access checks for browsers")
struct AccessPolicyTests {
    private static let page = "https://app.example"

    private static func fields(_ pairs: KeyValuePairs<String, String>) -> [HTTPField] {
        pairs.map { HTTPField($0.key, $0.value) }
    }

    @Test("A loopback address answers to its own hosts, with any port, and to allowed ones")
    func hosts() throws {
        let client = try InProcessService(access: AccessPolicy(hosts: ["Traitd.Example"])).client()
        let cases: [(String, Int)] = [
            ("127.0.0.1", 200), ("127.0.0.1:1", 200), ("localhost", 200), ("LOCALHOST:80", 200),
            ("traitd.example", 200), ("TRAITD.example:8443", 200), ("evil.example", 421),
            ("127.0.0.1.evil.example", 421), ("evil.example:80", 421), ("[::1]", 421),
            ("localhost.", 421), ("a.localhost", 421), ("127.0.0.2", 421), ("0", 421),
        ]
        for (host, status) in cases {
            for method in ["GET", "HEAD", "OPTIONS", "POST", "PUT", "DELETE"] {
                let answer = try client.send(
                    method, "/v1/sessions/none", fields: Self.fields(["Host": host]))
                #expect((answer.status == 421) == (status == 421), "\(method) \(host)")
            }
            let nowhere = try client.get("/nowhere", fields: Self.fields(["Host": host]))
            #expect(nowhere.status == (status == 421 ? 421 : 404), "\(host)")
            let health = try client.get("/livez", fields: Self.fields(["Host": host]))
            #expect(health.status == 200, "\(host)")
        }
        let refused = try client.get("/v1/sessions", fields: Self.fields(["Host": "evil.example"]))
        #expect(try refused.json["code"] == "unknown-host")
        #expect(try refused.json["detail"]?.string?.contains("--allow-host evil.example") == true)
        let empty = try client.get("/v1/sessions", fields: Self.fields(["Host": ""]))
        #expect(try empty.json["code"] == "unknown-host")
        #expect(try empty.json["detail"]?.string?.contains("--allow-host") == false)
    }

    @Test("An address of IPv6 is allowed with brackets and without", arguments: ["::1", "[::1]"])
    func addresses(host: String) throws {
        #expect(try AccessPolicy(hosts: [host]).hosts == ["[::1]"])
    }

    @Test("Hosts that no name is are refused at the start")
    func malformedHosts() {
        for host in [
            "", "a:80", "http://a", "a/b", "a b", "*", "[a]", "[]", "[::1", "::g", "[::1]:80",
        ] {
            #expect(throws: AccessPolicyError.self) { try AccessPolicy(hosts: [host]) }
        }
        for origin in [
            "", "null", "app.example", "https://", "https://a/", "https://A", "https://*.a",
        ] {
            #expect(throws: AccessPolicyError.self) { try AccessPolicy(origins: [origin]) }
        }
        #expect(throws: AccessPolicyError.self) { try AccessPolicy(origins: ["*", "https://a"]) }
    }

    @Test("Writes pass in the order of what the browser says about itself")
    func origins() throws {
        let fixture = try InProcessService(access: AccessPolicy(origins: [Self.page]))
        let client = try fixture.client()
        let own = fixture.url
        let cases: [(String?, String?, Bool)] = [
            (nil, nil, true), ("same-origin", "https://evil.example", true), ("none", nil, true),
            ("cross-site", nil, false), ("same-site", nil, false), ("cross-site", own, false),
            ("cross-site", Self.page, true), ("cross-site", "https://evil.example", false),
            ("Same-Origin", nil, false), ("", "https://evil.example", false), ("", nil, true),
            (nil, own, true), (nil, Self.page, true), (nil, "https://evil.example", false),
            (nil, "null", false), (nil, own + ".evil.example", false), (nil, own + "/", false),
            (nil, Self.page + ":8443", false), (nil, "http://app.example", false), (nil, "", true),
        ]
        for (number, (site, origin, passes)) in cases.enumerated() {
            var fields: [HTTPField] = []
            if let site { fields.append(HTTPField("Sec-Fetch-Site", site)) }
            if let origin { fields.append(HTTPField("Origin", origin)) }
            let answer = try client.send(
                "PUT", "/v1/sessions/s\(number)", json: [:], fields: fields)
            #expect(answer.status == (passes ? 201 : 403), "\(site ?? "-") \(origin ?? "-")")
            if !passes { #expect(try answer.json["code"] == "cross-origin") }
            let made = try client.get("/v1/sessions/s\(number)", fields: fields)
            #expect(made.status == (passes ? 200 : 404), "\(site ?? "-") \(origin ?? "-")")
        }
    }

    @Test("What a browser says twice is not believed")
    func repeated() throws {
        let fixture = try InProcessService()
        for lines in [
            "Sec-Fetch-Site: same-origin\r\nSec-Fetch-Site: cross-site\r\n",
            "Origin: \(fixture.url)\r\nOrigin: https://evil.example\r\n",
        ] {
            let connection = try RawConnection(port: fixture.port)
            try connection.send(
                "PUT /v1/sessions/s HTTP/1.1\r\nHost: localhost\r\n\(lines)"
                    + "Content-Type: application/json\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}"
            )
            #expect(statusCodes(in: try connection.readToEnd()) == [403])
        }
    }

    @Test("The refusal names the option that would let the page in")
    func detail() throws {
        let answer = try InProcessService().client().send(
            "DELETE", "/v1/sessions/s", fields: Self.fields(["Origin": "https://a.example"]))
        #expect(
            try answer.json["detail"]?.string?.contains("--allow-origin https://a.example") == true)
        #expect(answer[header: "Access-Control-Allow-Origin"] == nil)
        #expect(answer[header: "Vary"] == nil)
    }

    @Test("A POST without a body needs no content type, and pages of other origins cannot send it")
    func bodyless() throws {
        let client = try InProcessService().client()
        _ = try client.send("PUT", "/v1/sessions/s", json: ["updates": "layout"]).success()
        for target in ["/v1/sessions", "/v1/sessions/s/layout", "/v1/collections"] {
            for type in [nil, "text/plain", "application/x-www-form-urlencoded"] as [String?] {
                let fields = type.map { [HTTPField("Content-Type", $0)] } ?? []
                let answer = try client.send(HTTPRequest("POST", target, fields: fields))
                #expect(answer.isSuccess, "\(target) \(type ?? "-")")
                for page in [
                    ["Origin": "https://a.example"], ["Origin": "null"],
                    ["Sec-Fetch-Site": "cross-site"], ["Sec-Fetch-Site": "same-site"],
                ] as [KeyValuePairs<String, String>] {
                    let asked = HTTPRequest("POST", target, fields: fields + Self.fields(page))
                    try expectProblem(try client.send(asked), 403, "cross-origin")
                }
            }
        }
    }

    @Test("A preflight of an allowed origin says what its pages may send")
    func preflight() throws {
        let client = try InProcessService(access: AccessPolicy(origins: [Self.page])).client()
        let asking = Self.fields([
            "Origin": Self.page, "Access-Control-Request-Method": "PUT",
            "Access-Control-Request-Headers": "content-type",
            "Access-Control-Request-Private-Network": "true",
        ])
        let answer = try client.send("OPTIONS", "/v1/sessions/none/nodes/n", fields: asking)
        #expect(answer.status == 204)
        #expect(answer[header: "Access-Control-Allow-Origin"] == Self.page)
        #expect(
            answer[header: "Access-Control-Allow-Methods"]
                == "GET, HEAD, PUT, PATCH, DELETE, OPTIONS")
        #expect(answer[header: "Access-Control-Allow-Headers"]?.contains("Authorization") == true)
        #expect(answer[header: "Access-Control-Max-Age"] == "7200")
        #expect(answer[header: "Access-Control-Allow-Private-Network"] == nil)
        #expect(answer[header: "Traitd-Revision"] == nil)
        let foreign = try client.send(
            "OPTIONS", "/v1/sessions/none/nodes/n",
            fields: Self.fields([
                "Origin": "https://evil.example", "Access-Control-Request-Method": "PUT",
            ]))
        #expect(foreign.status == 403)
        #expect(foreign[header: "Access-Control-Allow-Origin"] == nil)
        let plain = try client.send("OPTIONS", "/v1/sessions/none/nodes/n")
        #expect(plain.status == 204)
        #expect(plain[header: "Access-Control-Allow-Methods"] == nil)
    }

    @Test("A preflight is granted the fields that it asks for, if they are names and not too long")
    func askedFields() throws {
        let client = try InProcessService(access: AccessPolicy(origins: [Self.page])).client()
        func granted(_ asked: String) throws -> [String] {
            let answer = try client.send(
                "OPTIONS", "/v1/sessions/none/nodes/n",
                fields: Self.fields([
                    "Origin": Self.page, "Access-Control-Request-Method": "PUT",
                    "Access-Control-Request-Headers": asked,
                ]))
            return try #require(answer[header: "Access-Control-Allow-Headers"])
                .split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
        }
        let always = try granted("content-type").dropLast()
        #expect(always.contains("Authorization") && always.contains("traceparent"))
        let asked = ["baggage", "cache-control", "sentry-trace", "x-requested-with"]
        #expect(try granted(asked.joined(separator: ",")) == always + asked)
        #expect(try granted(asked.joined(separator: ", ")) == always + asked)
        let long = String(repeating: "x", count: 2_048)
        #expect(try granted(long) == always + [long])
        for refused in [long + "x", "a b:c", "\"a\"", "a;b", "a\tb", "\u{e9}"] {
            #expect(try granted(refused) == Array(always), "\(refused)")
        }
    }

    @Test("Answers name the allowed origin that asks, and always vary with it")
    func sharing() throws {
        let fixture = try InProcessService(
            access: AccessPolicy(origins: ["https://b.example", Self.page]))
        let client = try fixture.client()
        for (origin, shared) in [
            (Self.page, Self.page), ("https://b.example", "https://b.example"),
            ("https://evil.example", nil), (nil, nil),
        ] as [(String?, String?)] {
            let fields = origin.map { [HTTPField("Origin", $0)] } ?? []
            for target in ["/v1/sessions", "/v1/sessions/none", "/nowhere", "/livez"] {
                let answer = try client.get(target, fields: fields)
                #expect(answer[header: "Access-Control-Allow-Origin"] == shared, "\(target)")
                #expect(answer[header: "Vary"]?.contains("Origin") == true, "\(target)")
                let exposed = answer[header: "Access-Control-Expose-Headers"]
                #expect((exposed?.contains("Traitd-Revision") == true) == (shared != nil))
            }
        }
        let open = try InProcessService(access: AccessPolicy(origins: ["*"]))
        let answer = try open.client().send(
            "PUT", "/v1/sessions/s", json: [:],
            fields: Self.fields(["Origin": "https://any.example", "Sec-Fetch-Site": "cross-site"]))
        #expect(answer.status == 201)
        #expect(answer[header: "Access-Control-Allow-Origin"] == "*")
    }
}
