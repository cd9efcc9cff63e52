// All or nothing: what is no commit, what is refused, and what is left behind.

import Testing

@testable import TraitEngine

@Suite struct TransactionTests {
    @Test("The creating commit counts even when it does nothing")
    func creating() throws {
        let hierarchy = Hierarchy(hashSeed: 1)
        #expect(hierarchy.revision == 0)
        hierarchy.begin()
        let first = hierarchy.commit()
        #expect(first.revision == 1 && !first.isUnchanged)
        hierarchy.begin()
        let second = hierarchy.commit()
        #expect(second.revision == 1 && second.isUnchanged)
        try hierarchy.checkInvariants()
    }

    private func sample() throws -> Fixture {
        let tree = try Fixture()
        try tree.makeWorkedTree()
        try tree.commit {
            try tree.set("m", 3)
            try tree.create("m2", .view, "a")
            try tree.create("m3", .view, "a")
            try tree.register("r", "leaf")
        }
        return tree
    }

    enum NetNothing: String, CaseIterable {
        case sameValue, anotherValueAndBack, removedAndSet, removedTwice, movedAndBack
        case madeAndDeleted, registeredAndNot, definedAndDeleted, controllerAndBack

        func run(_ tree: Fixture) throws {
            let hierarchy = tree.hierarchy
            switch self {
            case .sameValue: try tree.set("m", 3)
            case .anotherValueAndBack:
                try tree.set("m", 4)
                try tree.set("m", 3)
            case .removedAndSet:
                tree.remove("m")
                try tree.set("m", 3)
            case .removedTwice: tree.remove("b")
            case .movedAndBack:
                try tree.move("m", "w")
                try tree.move("m", "a")
            case .madeAndDeleted:
                try tree.create("x", .view, "m")
                tree.delete("x")
            case .registeredAndNot:
                hierarchy.unregister(
                    try hierarchy.register("r2", node: tree["m"], traits: [tree.theme]))
            case .definedAndDeleted:
                let flag = TraitDefinition(key: "flag", type: .bool, defaultValue: .bool(true))
                try hierarchy.deleteTrait(try hierarchy.defineTrait(flag))
            case .controllerAndBack:
                try hierarchy.updateNode(tree["b"], controller: .clear)
                try hierarchy.updateNode(tree["b"], controller: .set(tree["B"]))
            }
        }
    }

    @Test(
        "A transaction without net effect is no commit, and leaves the order of siblings",
        arguments: NetNothing.allCases)
    func nothing(_ operations: NetNothing) throws {
        let tree = try sample()
        let (order, revision) = (tree.order, tree.hierarchy.revision)
        let commit = try tree.commit { try operations.run(tree) }
        #expect(commit.isUnchanged)
        #expect(commit.notifications.isEmpty && commit.endedRegistrations.isEmpty)
        #expect(tree.hierarchy.revision == revision)
        #expect(tree.order == order)
    }

    @Test("A value that ends as it was keeps the revision that set it")
    func revisions() throws {
        let tree = try sample()
        let set = try #require(tree.hierarchy.resolve(tree.theme, at: tree["m"]).source.revision)
        try tree.commit {
            try tree.set("m", 8)
            try tree.set("m", 3)
            try tree.set("w", 1)
        }
        #expect(tree.hierarchy.resolve(tree.theme, at: tree["m"]).source.revision == set)
        #expect(tree.hierarchy.resolve(tree.theme, at: tree["w"]).source.revision == set + 1)
    }

    @Test("An operation that is refused has changed nothing, and the transaction goes on")
    func refusals() throws {
        let tree = try sample()
        tree.hierarchy.begin()
        #expect(throws: OperationError.self) { try tree.move("w", "leaf") }
        #expect(throws: OperationError.self) { try tree.create("m", .view) }
        #expect(throws: OperationError.self) {
            try tree.hierarchy.setOverride(tree["m"], tree.theme, .double(1))
        }
        #expect(throws: OperationError.self) {
            try tree.hierarchy.replaceOverrides(
                tree["m"], [(tree.theme, .int(1)), (tree.style, .string("dark"))])
        }
        let commit = tree.hierarchy.commit()
        #expect(commit.isUnchanged)
        try tree.hierarchy.checkInvariants()
    }

    @Test("Ever new strings leave nothing behind")
    func strings() throws {
        let tree = try sample()
        try tree.commit {
            _ = try tree.hierarchy.defineTrait(
                TraitDefinition(key: "text", type: .string, defaultValue: .string("")))
        }
        let text = try #require(tree.hierarchy.definitions.index(of: "text"))
        let held = tree.hierarchy.parts.pool.count
        for round in 0..<1_000 {
            try tree.pending {
                try tree.hierarchy.setOverride(tree["m"], text, .string("a \(round)"))
                try tree.hierarchy.setOverride(tree["m"], text, .string("b \(round)"))
            }
            if round.isMultiple(of: 3) { tree.hierarchy.undo() }
            if round.isMultiple(of: 7) {
                tree.hierarchy.acknowledge(through: tree.hierarchy.revision)
            }
        }
        tree.hierarchy.acknowledge(through: tree.hierarchy.revision)
        #expect(tree.hierarchy.parts.pool.count <= held + 1)
        try tree.commit { tree.hierarchy.removeOverride(tree["m"], text) }
        #expect(tree.hierarchy.parts.pool.count == held)
    }
}
