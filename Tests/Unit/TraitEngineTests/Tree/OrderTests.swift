// Going through the tree, and going on where one stopped.

import Testing
import TraitEngine

@Suite struct OrderTests {
    private func visit(
        _ tree: Fixture, under: String? = nil, after: String? = nil,
        _ decide: (String) -> NodeVisit = { _ in .descend }
    ) -> [String] {
        var visited: [String] = []
        tree.hierarchy.forEachNode(
            under: under.map { tree[$0] }, after: after.map { tree[$0] }
        ) { node, level in
            let name = tree.hierarchy.identifier(of: node)
            visited.append("\(name)\(level)")
            return decide(name)
        }
        return visited
    }

    @Test("Nodes come in preorder with their levels, all or below one")
    func preorder() throws {
        let tree = try Fixture()
        try tree.makeWorkedTree()
        try tree.commit {
            try tree.create("x", .view, "a")
            try tree.create("e", .environment)
        }
        #expect(
            visit(tree) == ["s0", "w1", "A2", "a3", "m4", "B5", "b6", "leaf7", "x4", "e0"])
        #expect(visit(tree, under: "m") == ["m0", "B1", "b2", "leaf3"])
        #expect(visit(tree, under: "e") == ["e0"])
        #expect(visit(tree) { $0 == "m" ? .skipChildren : .descend }.contains("x4"))
        #expect(visit(tree) { $0 == "a" ? .stop : .descend } == ["s0", "w1", "A2", "a3"])
        #expect(visit(tree, under: "m") { _ in .skipChildren } == ["m0"])
    }

    @Test("Every node is a place to go on from")
    func resuming() throws {
        let tree = try Fixture()
        try tree.makeWorkedTree()
        try tree.commit {
            try tree.create("x", .view, "a")
            try tree.create("e", .environment)
        }
        for under in [nil, "s", "a"] {
            let all = visit(tree, under: under)
            for (position, name) in all.enumerated() {
                let after = String(name.dropLast())
                #expect(visit(tree, under: under, after: after) == Array(all[(position + 1)...]))
            }
        }
    }

    @Test("An empty hierarchy has nothing to visit")
    func empty() throws {
        #expect(visit(try Fixture()).isEmpty)
    }
}
