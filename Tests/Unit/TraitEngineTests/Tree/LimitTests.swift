// Every limit at its edge: the last that fits, the first that does not.

import Testing

@testable import TraitEngine

@Suite struct LimitTests {
    private func limited(_ change: (inout HierarchyLimits) -> Void) throws -> Fixture {
        var limits = HierarchyLimits()
        change(&limits)
        return try Fixture(limits: limits)
    }

    private func chain(_ tree: Fixture, _ prefix: String, _ count: Int) throws {
        try tree.commit {
            for level in 1...count {
                let parent = level == 1 ? nil : "\(prefix)\(level - 1)"
                try tree.create("\(prefix)\(level)", .environment, parent)
            }
        }
    }

    @Test("Moving a large low subtree in a deep tree goes through none of it")
    func measuring() throws {
        let tree = try limited { $0.depthMax = 100 }
        try chain(tree, "x", 98)
        try tree.commit {
            try tree.create("big", .environment)
            for child in 0..<200 { try tree.create("c\(child)", .environment, "big") }
        }
        for _ in 0..<300 {
            try tree.commit { try tree.move("big", "x98") }
            #expect(throws: OperationError.limit(name: "depthMax", value: 100)) {
                try tree.commit {
                    try tree.create("d", .environment, "c0")
                    try tree.create("e", .environment, "d")
                }
            }
            try tree.commit { try tree.move("big", "x1") }
        }
        #expect(tree.hierarchy.parts.nodes.levels.measuredNodes == 0)
        #expect(tree.hierarchy.depth(of: tree["c199"]) == 2)
    }

    @Test("Moving up and down again and again never uses the depth up")
    func depthAfterManyMoves() throws {
        let tree = try limited { $0.depthMax = 12 }
        try chain(tree, "x", 6)
        try tree.commit {
            // More nodes than are measured each time.
            try tree.create("big", .environment)
            for child in 0..<100 { try tree.create("c\(child)", .environment, "big") }
        }
        for round in 0..<2_500 {
            tree.hierarchy.begin()
            try tree.move("big", round.isMultiple(of: 2) ? "x5" : "x1")
            _ = tree.hierarchy.commit()
            tree.hierarchy.acknowledge(through: tree.hierarchy.revision)
        }
        try tree.hierarchy.checkInvariants()
    }

    @Test("Nodes are counted without the deleted ones")
    func nodes() throws {
        let tree = try limited { $0.nodesMax = 3 }
        try tree.commit {
            for name in ["a", "b", "c"] { try tree.create(name, .environment) }
        }
        #expect(throws: OperationError.limit(name: "nodesMax", value: 3)) {
            try tree.commit { try tree.create("d", .environment) }
        }
        try tree.pending {
            tree.delete("a")
            try tree.create("d", .environment)
        }
        #expect(tree.hierarchy.nodeCount == 3)
    }

    @Test("A deleted node takes its place until it is reclaimed")
    func places() throws {
        var sizes = StructureSizes()
        sizes.nodeSlotsMax = 4
        let hierarchy = Hierarchy(hashSeed: 1, sizes: sizes)
        hierarchy.begin()
        for name in ["a", "b", "c"] { _ = try hierarchy.createNode(name, kind: .environment) }
        let refusal = OperationError.limit(name: "nodesMax", value: hierarchy.limits.nodesMax)
        #expect(throws: refusal) { try hierarchy.createNode("d", kind: .environment) }
        _ = hierarchy.commit()
        hierarchy.acknowledge(through: 1)
        hierarchy.begin()
        try hierarchy.deleteNode(try #require(hierarchy.node("b")))
        #expect(throws: refusal) { try hierarchy.createNode("d", kind: .environment) }
        _ = hierarchy.commit()
        hierarchy.acknowledge(through: 2)
        hierarchy.begin()
        while hierarchy.reclaimSlice() {}
        _ = try hierarchy.createNode("d", kind: .environment)
        #expect(throws: refusal) { try hierarchy.createNode("e", kind: .environment) }
        _ = hierarchy.commit()
        try hierarchy.checkInvariants()
    }

    @Test("No limit promises more nodes than a parent's bits can tell apart")
    func bounds() {
        var limits = HierarchyLimits()
        limits.nodesMax = .max
        let hierarchy = Hierarchy(limits: limits, hashSeed: 1)
        #expect(hierarchy.limits.nodesMax == 16_777_214)
    }

    @Test("Names and labels are as long as their limits, names well formed")
    func names() throws {
        let tree = try limited { $0.labelBytesMax = 5 }
        for length in [1, 2, 3, 4, 7, 8, 9, 10, 11, 12, 13, 24, 127, 128] {
            let name = String(repeating: "n", count: length - 1) + "~"
            try tree.commit { try tree.create(name, .environment) }
            #expect(tree.hierarchy.identifier(of: tree[name]) == name)
        }
        for name in ["", ".", "..", "a/b", "a b", "é", String(repeating: "n", count: 129)] {
            #expect(throws: OperationError.malformedIdentifier(name)) {
                try tree.commit { try tree.create(name, .environment) }
            }
        }
        #expect(throws: OperationError.nodeExists("n~")) {
            try tree.commit { try tree.create("n~", .view) }
        }
        #expect(throws: OperationError.limit(name: "labelBytesMax", value: 5)) {
            try tree.commit {
                try tree.hierarchy.updateNode(tree["n~"], label: .set("six!!!"))
            }
        }
    }

    @Test("Registrations have a limit, which watches do not count towards")
    func registrations() throws {
        let tree = try limited { $0.registrationsMax = 1 }
        try tree.commit { try tree.create("e", .environment) }
        _ = try tree.hierarchy.addWatch(node: tree["e"], traits: [tree.theme])
        _ = try tree.hierarchy.addWatch(node: tree["e"], traits: [tree.style])
        try tree.commit { try tree.register("r1", "e") }
        #expect(throws: OperationError.limit(name: "registrationsMax", value: 1)) {
            try tree.commit { try tree.register("r2", "e") }
        }
    }
}
