// Requests that cannot be: names that lead nowhere, bodies and values of the wrong type, hierarchies that
// cannot stand. FaultTests have several faults at once, and the golden files the words.

import TestSupport
import Testing

@Suite("What the state forbids")
struct StateRefusalTests {
    private static let override = "nodes/list/overrides/theme"

    static let namesCases: [Refusal] = [
        Refusal("deleting an unknown node", "DELETE", "nodes/lost", is: 404, "unknown-node"),
        Refusal(
            "a misspelt system trait", "GET", "nodes/list/traits/userInterfaceStile", is: 404,
            "unknown-trait", ["didYouMean": "userInterfaceStyle"]),
        Refusal(
            "a misspelt trait in a patch", "PATCH", "nodes/list/overrides", #"{"theem": 1}"#,
            is: 422, "unknown-trait", ["didYouMean": "theme", "pointer": "/theem"]),
        Refusal(
            "a misspelt trait in a registration", "PUT", "registrations/q",
            #"{"node": "list", "traits": ["theme", "theem"]}"#, is: 422, "unknown-trait",
            ["didYouMean": "theme", "pointer": "/traits/1"]),
        Refusal(
            "an unknown registration's events", "GET", "registrations/lost/events", is: 404,
            "unknown-registration"),
        Refusal(
            "a malformed escape", "GET", "nodes/%zz", is: 400, "malformed-identifier"),
    ]

    static let valuesCases: [Refusal] = [
        Refusal("a scalar for a body", "PUT", override, "2", is: 400, "malformed-body"),
        Refusal("an array for a body", "PUT", override, "[2]", is: 400, "malformed-body"),
        Refusal("no value", "PUT", override, "{}", is: 400, "missing-member", mentions: ["value"]),
        Refusal(
            "a string for a boolean", "PUT", "nodes/list/overrides/containedInSettings",
            #"{"value": "true"}"#, is: 422, "type-mismatch", ["pointer": "/value"]),
        Refusal(
            "a number for a boolean", "PUT", "nodes/list/overrides/containedInSettings",
            #"{"value": 1}"#, is: 422, "type-mismatch", ["pointer": "/value"]),
        Refusal(
            "a boolean for a number", "PUT", "nodes/list/overrides/displayScale",
            #"{"value": true}"#, is: 422, "type-mismatch", ["pointer": "/value"]),
        Refusal(
            "a number too large for a double", "PUT", "nodes/list/overrides/displayScale",
            #"{"value": 1e999}"#, is: 422, "type-mismatch", ["pointer": "/value"]),
        Refusal(
            "a raw value outside a custom trait's cases", "PUT", override,
            #"{"value": 9}"#, is: 422, "type-mismatch", ["pointer": "/value"]),
        Refusal(
            "null for a trait that is not nullable", "PUT", override,
            #"{"value": null}"#, is: 422, "type-mismatch", ["pointer": "/value"]),
        Refusal(
            "unspecified for a custom trait", "PUT", override,
            #"{"value": "unspecified"}"#, is: 422, "type-mismatch", ["pointer": "/value"]),
        Refusal(
            "an enum without cases", "PUT", "traits/empty",
            #"{"type": "enum", "cases": {}, "default": 0}"#, is: 422, "invalid-definition"),
        Refusal(
            "a definition without a default", "PUT", "traits/none", #"{"type": "bool"}"#, is: 400,
            "missing-member", mentions: ["default"]),
    ]

    static let hierarchyCases: [Refusal] = [
        Refusal(
            "a node that is there already", "POST", "nodes",
            #"{"id": "list", "kind": "view", "parent": "middle"}"#, is: 409, "exists"),
        Refusal(
            "another kind", "PUT", "nodes/list", #"{"kind": "window", "parent": "scene"}"#,
            is: 409, "kind-immutable"),
        Refusal(
            "a controller that is missing", "PUT", "nodes/new",
            #"{"kind": "view", "parent": "list", "controller": "lost"}"#, is: 422,
            "unknown-controller", ["pointer": "/controller"]),
        Refusal(
            "a cycle that only the traits would walk", "PATCH", "nodes/list",
            #"{"controller": "parent"}"#, is: 409, "second-root-view"),
        Refusal(
            "a second root view", "PUT", "nodes/new",
            #"{"kind": "view", "parent": "list", "controller": "child"}"#, is: 409,
            "second-root-view", ["pointer": "/controller"]),
        Refusal(
            "a controller of a window", "PUT", "nodes/new",
            #"{"kind": "window", "parent": "scene", "controller": "spare"}"#, is: 422,
            "kind-mismatch", ["pointer": "/controller"]),
        Refusal(
            "a hierarchy for a session that is there", "PUT", "",
            #"{"nodes": [{"id": "a", "kind": "view", "parent": null}]}"#, is: 409, "exists"),
        Refusal(
            "an identifier that is taken", "PUT", "traits/other",
            #"{"type": "int", "default": 0, "identifier": "com.myapp.theme"}"#, is: 409,
            "duplicate-identifier"),
        Refusal(
            "a deleted node in a transaction", "POST", "transactions",
            #"{"operations":[{"op":"deleteNode","node":"list"},"#
                + #"{"op":"setOverride","node":"cell0","trait":"theme","value":1}]}"#, is: 422,
            "unknown-node", ["pointer": "/operations/1/node"]),
        Refusal(
            "no operations at all", "POST", "transactions", "{}", is: 400, "missing-member",
            mentions: ["operations"]),
        Refusal(
            "a set's name for a trait", "PUT", "traits/all", #"{"type": "int", "default": 0}"#,
            is: 409, "duplicate-identifier"),
    ]

    @Test("Names that lead nowhere, and the state stays", arguments: namesCases)
    func names(_ refusal: Refusal) throws { try refusal.verify() }

    @Test("Values that do not fit, and the state stays", arguments: valuesCases)
    func values(_ refusal: Refusal) throws { try refusal.verify() }

    @Test("Hierarchies that cannot stand, and the state stays", arguments: hierarchyCases)
    func hierarchy(_ refusal: Refusal) throws { try refusal.verify() }
}
