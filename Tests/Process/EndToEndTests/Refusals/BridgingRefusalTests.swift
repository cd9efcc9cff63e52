// What cannot be tracked, bridged or drawn, and that refusing it changes nothing.

import TestSupport
import Testing

@Suite("What cannot be tracked or bridged")
struct BridgingRefusalTests {
    static let scopeCases: [Refusal] = [
        Refusal(
            "a controller's method at a view", "PUT", "nodes/list/scopes/viewWillLayoutSubviews",
            #"{"reads": ["theme"]}"#, is: 422, "kind-mismatch"),
        Refusal(
            "a scope of a scene", "PUT", "nodes/scene/scopes/draw", #"{"reads": ["theme"]}"#,
            is: 422, "kind-mismatch"),
        Refusal(
            "a private trait that was read", "PUT", "nodes/list/scopes/draw",
            #"{"reads": ["vibrancy"]}"#, is: 422, "private-trait", ["pointer": "/reads/0"]),
        Refusal(
            "reads that are no list", "PUT", "nodes/list/scopes/draw", #"{"reads": "theme"}"#,
            is: 400, "malformed-body", ["pointer": "/reads"]),
        Refusal(
            "no reads", "PUT", "nodes/list/scopes/draw", "{}", is: 400, "missing-member"),
        Refusal(
            "an unknown node's scope", "PUT", "nodes/lost/scopes/draw", #"{"reads": []}"#,
            is: 404, "unknown-node"),
        Refusal(
            "a method in a transaction that no view has", "POST", "transactions",
            #"{"operations":[{"op":"setScope","node":"list","scope":"drew","reads":[]}]}"#,
            is: 422, "kind-mismatch", ["pointer": "/operations/0/scope", "didYouMean": "draw"]),
        Refusal(
            "a trait in use by a scope of the same transaction", "POST", "transactions",
            #"{"operations":[{"op":"defineTrait","trait":"t","definition":"#
                + #"{"type":"int","default":0}},"#
                + #"{"op":"setScope","node":"list","scope":"draw","reads":["t"]},"#
                + #"{"op":"deleteTrait","trait":"t"}]}"#, is: 409, "in-use"),
    ]

    static let keyCases: [Refusal] = [
        Refusal(
            "a key without a default", "PUT", "environmentKeys/k", #"{"type": "int"}"#, is: 400,
            "missing-member"),
        Refusal(
            "a key bridged to no trait", "PUT", "environmentKeys/k",
            #"{"type": "int", "default": 0, "bridgedTrait": "theem"}"#, is: 422, "unknown-trait",
            ["pointer": "/bridgedTrait", "didYouMean": "theme"]),
        Refusal(
            "a key of another type than its trait", "PUT", "environmentKeys/k",
            #"{"type": "bool", "default": true, "bridgedTrait": "theme"}"#, is: 422,
            "invalid-definition"),
        Refusal(
            "a map without a trait", "PUT", "environmentKeys/k",
            #"{"type": "bool", "default": true, "map": {"true": 1}}"#, is: 422,
            "invalid-definition", ["pointer": "/map"]),
        Refusal(
            "a map with a value that the key has not", "PUT", "environmentKeys/k",
            #"{"type": "bool", "default": true, "bridgedTrait": "theme", "map": {"yes": 1}}"#,
            is: 422, "type-mismatch", ["pointer": "/map/yes"]),
        Refusal(
            "a map with a value that the trait has not", "PUT", "environmentKeys/k",
            #"{"type": "bool", "default": true, "bridgedTrait": "theme", "map": {"true": 9}}"#,
            is: 422, "type-mismatch", ["pointer": "/map/true"]),
        Refusal(
            "an unknown key in a transaction", "POST", "transactions",
            #"{"operations":[{"op":"setEnvironment","node":"list","key":"k","value":1}]}"#,
            is: 422, "unknown-environment-key", ["pointer": "/operations/0/key"]),
        Refusal(
            "a value of another type", "POST", "transactions",
            #"{"operations":[{"op":"defineEnvironmentKey","key":"k","definition":"#
                + #"{"type":"int","default":0}},"#
                + #"{"op":"setEnvironment","node":"list","key":"k","value":"one"}]}"#,
            is: 422, "type-mismatch", ["pointer": "/operations/1/value"]),
        Refusal(
            "a bridged trait, deleted", "POST", "transactions",
            #"{"operations":[{"op":"defineTrait","trait":"t","definition":"#
                + #"{"type":"int","default":0}},"#
                + #"{"op":"defineEnvironmentKey","key":"k","definition":"#
                + #"{"type":"int","default":0,"bridgedTrait":"t"}},"#
                + #"{"op":"deleteTrait","trait":"t"}]}"#, is: 409, "in-use"),
    ]

    static let dynamicCases: [Refusal] = [
        Refusal(
            "a variant without a value", "PUT", "colors/c", #"{"variants": [{"when": {}}]}"#,
            is: 400, "missing-member", ["pointer": "/variants/0"]),
        Refusal(
            "a condition of another type", "PUT", "images/i",
            #"{"variants": [{"when": {"displayScale": "two"}, "value": 1}]}"#, is: 422,
            "type-mismatch", ["pointer": "/variants/0/when/displayScale"]),
        Refusal(
            "a trait that a color depends on, deleted", "POST", "transactions",
            #"{"operations":[{"op":"defineTrait","trait":"t","definition":"#
                + #"{"type":"int","default":0}},"#
                + #"{"op":"defineColor","color":"c","definition":"#
                + #"{"variants":[{"when":{"t":1},"value":1}]}},"#
                + #"{"op":"deleteTrait","trait":"t"}]}"#, is: 409, "in-use"),
        Refusal(
            "a comparison with nothing", "POST", "/v1/collections/compare", #"{"a": {}}"#,
            is: 400, "missing-member", mentions: ["'b'"]),
    ]

    @Test("Scopes that cannot be, and the state stays", arguments: scopeCases)
    func scopes(_ refusal: Refusal) throws { try refusal.verify() }

    @Test("Environment keys that cannot be, and the state stays", arguments: keyCases)
    func keys(_ refusal: Refusal) throws { try refusal.verify() }

    @Test("Colours and images that cannot be, and the state stays", arguments: dynamicCases)
    func dynamics(_ refusal: Refusal) throws { try refusal.verify() }
}
