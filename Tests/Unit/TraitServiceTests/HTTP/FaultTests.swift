// Several faults of one body, in one problem.

import SessionViews
import TestSupport
import Testing
import TraitJSON
import TraitSessions

@Suite("Faults of a body")
struct FaultTests {
    private static func session() throws -> SessionClient {
        let session = try InProcessService().session(
            "faults",
            ["traits": ["t": ["type": "int", "default": 0]], "nodes": [.node("a")]])
        return session
    }

    @Test("`errors` has all faults, the problem is the first one, and nothing is changed")
    func all() throws {
        let session = try Self.session()
        let before = try session.state()
        for (method, rest, body, status, faults) in [
            (
                "PATCH", "nodes/a/overrides",
                ["t": "x", "none": 1, "displayScale": 2, "userInterfaceStyle": 77.5],
                422,
                [
                    ("unknown-trait", "/none"), ("type-mismatch", "/t"),
                    ("type-mismatch", "/userInterfaceStyle"),
                ]
            ),
            (
                "PUT", "nodes/b", ["kind": "environment", "lable": "x", "parnet": "a"], 400,
                [("unknown-member", "/lable"), ("unknown-member", "/parnet")]
            ),
            (
                "PUT", "nodes/b",
                [
                    "kind": "vieww", "parent": "c", "label": 3, "overrides": ["t": "x", "u": 1],
                    "supplied": ["t": []],
                ],
                422,
                [
                    ("kind-mismatch", "/kind"), ("unknown-parent", "/parent"),
                    ("malformed-body", "/label"),
                    ("type-mismatch", "/overrides/t"), ("unknown-trait", "/overrides/u"),
                    ("type-mismatch", "/supplied/t"),
                ]
            ),
            (
                "POST", "transactions",
                [
                    "operations": [
                        .createNode("b", "view"),
                        .deleteNode("c"),
                        ["op": "setOverride", "node": "b", "trait": "t"], ["op": "jump"],
                        .setOverride("t", at: "b", 1),
                        ["op": "deleteNode", "node": "b", "now": true, "then": 1],
                    ]
                ], 422,
                [
                    ("unknown-node", "/operations/1/node"), ("missing-member", "/operations/2"),
                    ("malformed-body", "/operations/3/op"), ("unknown-member", "/operations/5/now"),
                    ("unknown-member", "/operations/5/then"),
                ]
            ),
        ] as [(String, String, JSON, Int, [(String, String)])] {
            let answer = try session.send(method, rest, body)
            let problem = try expectProblem(answer, status, faults[0].0)
            #expect(problem["pointer"] == .string(faults[0].1))
            let errors = try #require(problem["errors"]?.array)
            // The encoder of the test may write the members of a body in any order.
            let found = Set(
                errors.map { "\($0["code"]?.string ?? "") \($0["pointer"]?.string ?? "")" })
            #expect(found == Set(faults.map { "\($0.0) \($0.1)" }))
            #expect(errors.count == faults.count)
            #expect(errors.allSatisfy { $0["detail"]?.string?.isEmpty == false })
        }
        #expect(try session.state() == before)
    }

    @Test("A single fault has no `errors`")
    func one() throws {
        let session = try Self.session()
        let answer = try session.send("PATCH", "nodes/a/overrides", ["t": "x", "displayScale": 2])
        let problem = try expectProblem(answer, 422, "type-mismatch")
        #expect(problem["errors"] == nil)
    }

    @Test("`errors` has at most twenty faults; the nodes of a new session are checked, too")
    func bounded() throws {
        let session = try Self.session()
        for count in [19, 20, 21, 1_000] {
            let operations = JSON.array((0..<count).map { _ in ["op": "jump"] })
            let answer = try session.send("POST", "transactions", ["operations": operations])
            let problem = try expectProblem(answer, 400, "malformed-body")
            #expect(problem["errors"]?.array?.count == min(20, count))
        }
        let nodes: [JSON] = [
            .node("a"),
            .node("b", in: "none"),
            .node("c", in: "b"), ["id": "d", "kin": "view"],
            ["kind": "view"], ["id": "e"], ["label": 1],
        ]
        let made = try session.client.send(
            "PUT", "/v1/sessions/new", json: ["nodes": .array(nodes)])
        let problem = try expectProblem(made, 422, "unknown-parent")
        let pointers = problem["errors"]?.array?.map { $0["pointer"] }
        #expect(
            pointers == [
                "/nodes/1/parent", "/nodes/3/kin", "/nodes/4", "/nodes/5", "/nodes/6", "/nodes/6",
                "/nodes/6/label",
            ])
    }
}
