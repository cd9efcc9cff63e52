// Requests that are well formed and still cannot be: names that lead nowhere, values of the wrong
// type, hierarchies that cannot stand.

import TestSupport
import Testing

@Suite("What the state forbids")
struct StateRefusalTests {
    static let namesCases: [Refusal] = [
        Refusal(
            "an unknown session", "GET", "/v1/sessions/nowhere/nodes", is: 404, "unknown-session"),
        Refusal(
            "an override on an unknown node", "PUT", "nodes/lost/overrides/theme",
            #"{"value": 1}"#, is: 404, "unknown-node"),
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
            "an unknown registration", "GET", "registrations/lost", is: 404,
            "unknown-registration"),
        Refusal(
            "an unknown registration's events", "GET", "registrations/lost/events", is: 404,
            "unknown-registration"),
        Refusal(
            "an identifier of 129 characters", "PUT",
            "nodes/" + String(repeating: "n", count: 129), #"{"kind": "view"}"#, is: 400,
            "malformed-identifier"),
        Refusal(
            "a malformed escape", "GET", "nodes/%zz", is: 400, "malformed-identifier"),
        Refusal("two dots for an identifier", "GET", "nodes/..", is: 400, "malformed-identifier"),
    ]

    static let valuesCases: [Refusal] = [
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
            "a raw value outside a custom trait's cases", "PUT", "nodes/list/overrides/theme",
            #"{"value": 9}"#, is: 422, "type-mismatch", ["pointer": "/value"]),
        Refusal(
            "null for a trait that is not nullable", "PUT", "nodes/list/overrides/theme",
            #"{"value": null}"#, is: 422, "type-mismatch", ["pointer": "/value"]),
        Refusal(
            "unspecified for a custom trait", "PUT", "nodes/list/overrides/theme",
            #"{"value": "unspecified"}"#, is: 422, "type-mismatch", ["pointer": "/value"]),
        Refusal(
            "one wrong value in a patch of two", "PATCH", "nodes/list/overrides",
            #"{"theme": "pastel", "containedInSettings": 7}"#, is: 422, "type-mismatch",
            ["pointer": "/containedInSettings"]),
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
            "a parent that is missing", "PUT", "nodes/new", #"{"kind": "view", "parent": "lost"}"#,
            is: 422, "unknown-parent", ["pointer": "/parent"]),
        Refusal(
            "a controller that is missing", "PUT", "nodes/new",
            #"{"kind": "view", "parent": "list", "controller": "lost"}"#, is: 422,
            "unknown-controller", ["pointer": "/controller"]),
        Refusal(
            "a cycle of views", "PATCH", "nodes/middle", #"{"parent": "list"}"#, is: 409, "cycle",
            ["pointer": "/parent"]),
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
            "a set's name for a trait", "PUT", "traits/all", #"{"type": "int", "default": 0}"#,
            is: 409, "duplicate-identifier"),
        Refusal("deleting a trait in use", "DELETE", "traits/theme", is: 409, "in-use"),
    ]

    @Test("Names that lead nowhere, and the state stays", arguments: namesCases)
    func names(_ refusal: Refusal) throws { try refusal.verify() }

    @Test("Values that do not fit, and the state stays", arguments: valuesCases)
    func values(_ refusal: Refusal) throws { try refusal.verify() }

    @Test("Hierarchies that cannot stand, and the state stays", arguments: hierarchyCases)
    func hierarchy(_ refusal: Refusal) throws { try refusal.verify() }

    @Test("A cycle by inheritance alone is refused")
    func inheritedCycle() throws {
        let session = try sampleSession("cycle")
        try session.transaction([
            .createNode("outer", "viewController", in: "window"),
            .createNode("inner", "view", in: "list"),
        ])
        // A controller owns a view inside the view that would have to hang below it.
        try session.send("PATCH", "nodes/inner", ["controller": "outer"]).success()
        let before = try session.state()
        let refused = try session.send("PATCH", "nodes/list", ["parent": "inner"])
        try expectProblem(refused, 409, "cycle")
        #expect(try session.state() == before)
    }
}
