// Bodies that are not JSON, too large, too deep, or of the wrong shape.

import TestSupport
import Testing

@Suite("Bodies that are refused")
struct BodyRefusalTests {
    private static let override = "nodes/list/overrides/theme"

    static let syntaxCases: [Refusal] = [
        Refusal(
            "an object that never ends", "PUT", override, #"{"value": 2,"#, is: 400,
            "malformed-json", mentions: ["line 1", "column 13"]),
        Refusal(
            "an error on the third line", "PUT", override, "{\n \"value\":\n   tru }", is: 400,
            "malformed-json", mentions: ["line 3"]),
        Refusal("an empty body", "PUT", override, "", is: 400, "malformed-json"),
        Refusal(
            "a repeated member", "PUT", override, #"{"value": 1, "val\u0075e": 2}"#, is: 400,
            "malformed-json", mentions: ["value"]),
        Refusal(
            "ten thousand arrays deep", "PUT", override,
            #"{"value": "# + String(repeating: "[", count: 10_000)
                + String(repeating: "]", count: 10_000) + "}", is: 400, "malformed-json"),
        Refusal(
            "ten thousand objects deep", "POST", "transactions",
            String(repeating: #"{"operations":"#, count: 10_000) + "1"
                + String(repeating: "}", count: 10_000), is: 400, "malformed-json"),
    ]

    static let shapeCases: [Refusal] = [
        Refusal("a scalar for a body", "PUT", override, "2", is: 400, "malformed-body"),
        Refusal("an array for a body", "PUT", override, "[2]", is: 400, "malformed-body"),
        Refusal(
            "no value", "PUT", override, "{}", is: 400, "missing-member", mentions: ["value"]),
        Refusal(
            "an unknown member of a node", "POST", "nodes",
            #"{"kind": "view", "parent": "list", "tag": 3}"#, is: 400, "unknown-member",
            ["pointer": "/tag"]),
        Refusal(
            "an unknown kind", "POST", "nodes", #"{"kind": "vieww", "parent": "list"}"#, is: 422,
            "kind-mismatch", ["pointer": "/kind", "didYouMean": "view"]),
        Refusal(
            "a number for a parent", "POST", "nodes", #"{"kind": "view", "parent": 3}"#, is: 400,
            "malformed-body", ["pointer": "/parent"]),
        Refusal(
            "an unknown propagation", "PUT", "/v1/sessions/refused-propagation",
            #"{"propagation": "modern"}"#, is: 422, "unsupported-mode", ["pointer": "/propagation"]),
    ]

    @Test("No JSON, and the state stays", arguments: syntaxCases)
    func syntax(_ refusal: Refusal) throws { try refusal.verify() }

    @Test("JSON of the wrong shape, and the state stays", arguments: shapeCases)
    func shape(_ refusal: Refusal) throws { try refusal.verify() }

    @Test("A body over the limit is refused with the limit, and the state stays")
    func tooLarge() throws {
        let session = try sampleSession("large")
        let before = try session.state()
        let filler = String(repeating: " ", count: 16 * 1_048_576)
        let response = try session.client.send(
            HTTPRequest("PUT", session.target(Self.override), text: #"{"value": 2}"# + filler))
        let problem = try expectProblem(response, 413, "body-too-large")
        #expect(problem["limit"]?.string?.contains("16777216") == true)
        #expect(try session.another().state() == before)
    }

    @Test("A body over the limit is refused by its announced length alone")
    func announcedTooLarge() throws {
        let server = try sharedServer()
        let raw = try RawConnection(port: server.port)
        try raw.send(
            "PUT /v1/sessions/announced HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                + "Content-Length: 99999999999\r\n\r\n")
        #expect(statusCodes(in: try raw.readToEnd()) == [413])
    }
}
