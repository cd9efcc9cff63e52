// Requests whose form is refused before the state is looked at: methods, media types, query
// parameters, conditions; and a transaction in which one operation of a hundred is bad.

import TestSupport
import Testing

@Suite("Requests that are refused")
struct RequestRefusalTests {
    private static let override = "nodes/list/overrides/theme"
    private static let bold = #"{"value": "bold"}"#

    static let formCases: [Refusal] = [
        Refusal("a wrong method", "POST", override, bold, is: 405, "method-not-allowed")
            .answering("Allow", "GET, HEAD, PUT, DELETE, OPTIONS"),
        Refusal("a method on a collection", "DELETE", "nodes", is: 405, "method-not-allowed")
            .answering("Allow", "GET, HEAD, POST, OPTIONS"),
        Refusal("an unknown method", "FROB", "nodes", is: 501, "not-implemented")
            .answering("Allow", "GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS"),
        Refusal("a method in small letters", "get", "nodes", is: 501, "not-implemented"),
        Refusal(
            "a form", "PUT", override, bold, is: 415, "unsupported-media-type",
            mentions: ["--json"]
        ).typed("application/x-www-form-urlencoded").answering("Accept", "application/json"),
        Refusal(
            "a coding that is not gzip", "PUT", override, bold, is: 415, "unsupported-media-type"
        ).with("Content-Encoding", "br").answering("Accept-Encoding", "gzip, identity"),
        Refusal(
            "a parameter of another operation", "PUT", override + "?wait=0", bold, is: 400,
            "unknown-parameter", ["parameter": "wait"]),
        Refusal(
            "whole collections on a stream", "GET", "events?collection=true&wait=0", is: 400,
            "unknown-parameter", ["parameter": "collection"]),
        Refusal(
            "a flag that is neither true nor false", "PUT", override + "?dryRun=1", bold, is: 400,
            "malformed-parameter", ["parameter": "dryRun"]),
        Refusal(
            "a flag without a value", "PUT", override + "?dryRun", bold, is: 400,
            "malformed-parameter", ["parameter": "dryRun"]),
        Refusal(
            "a page of nothing", "GET", "nodes?pageSize=0", is: 400, "malformed-parameter",
            ["parameter": "pageSize"]),
        Refusal(
            "a page too large", "GET", "nodes?pageSize=1001", is: 400, "malformed-parameter",
            ["parameter": "pageSize"]),
        Refusal("a page that never was", "GET", "nodes?pageToken=zzz", is: 400, "malformed-token"),
        Refusal("an old revision", "PUT", override, bold, is: 412, "revision-mismatch")
            .with("If-Match", #""zzzzzzzzzzzz.1""#),
        Refusal("create only, and it is there", "PUT", "", "{}", is: 412, "revision-mismatch")
            .with("If-None-Match", "*"),
    ]

    @Test("A form that is refused, and the state stays", arguments: formCases)
    func form(_ refusal: Refusal) throws { try refusal.verify() }

    /// Ninety-nine good operations around a bad one.
    private static func hundred(_ bad: String, at index: Int) -> String {
        let operations = (0..<100).map { number in
            number == index
                ? bad : #"{"op":"createNode","node":"n\#(number)","kind":"view","parent":"list"}"#
        }
        return #"{"operations":[\#(operations.joined(separator: ","))]}"#
    }

    static let transactionsCases: [Refusal] = [
        Refusal(
            "a node that is there already", "POST", "transactions",
            hundred(#"{"op":"createNode","node":"n3","kind":"view","parent":"list"}"#, at: 57),
            is: 409, "exists", ["pointer": "/operations/57/node"]),
        Refusal(
            "a wrong value", "POST", "transactions",
            hundred(#"{"op":"setOverride","node":"n0","trait":"theme","value":[]}"#, at: 99),
            is: 422, "type-mismatch", ["pointer": "/operations/99/value"]),
        Refusal(
            "an unknown node", "POST", "transactions",
            hundred(#"{"op":"setOverride","node":"n99","trait":"theme","value":"bold"}"#, at: 98),
            is: 422, "unknown-node", ["pointer": "/operations/98/node"]),
        Refusal(
            "an unknown trait", "POST", "transactions",
            hundred(#"{"op":"setOverride","node":"n0","trait":"theem","value":1}"#, at: 50),
            is: 422, "unknown-trait",
            ["pointer": "/operations/50/trait", "didYouMean": "theme"]),
        Refusal(
            "an unknown operation", "POST", "transactions",
            hundred(#"{"op":"setOveride","node":"n0","trait":"theme","value":1}"#, at: 1), is: 400,
            "malformed-body", ["pointer": "/operations/1/op", "didYouMean": "setOverride"]),
        Refusal(
            "an unknown member", "POST", "transactions",
            hundred(#"{"op":"deleteNode","node":"n0","deep":true}"#, at: 99), is: 400,
            "unknown-member", ["pointer": "/operations/99/deep"]),
        Refusal(
            "a deleted node", "POST", "transactions",
            #"{"operations":[{"op":"deleteNode","node":"list"},"#
                + #"{"op":"setOverride","node":"cell0","trait":"theme","value":1}]}"#, is: 422,
            "unknown-node", ["pointer": "/operations/1/node"]),
        Refusal(
            "no operations at all", "POST", "transactions", "{}", is: 400, "missing-member",
            mentions: ["operations"]),
    ]

    @Test("One bad operation, and none of the others happened", arguments: transactionsCases)
    func transaction(_ refusal: Refusal) throws { try refusal.verify() }
}
