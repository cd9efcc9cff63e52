// All or nothing, one revision, and the way back.

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

    @Test("An override that equals the inherited value is a commit without a notification")
    func equalOverride() throws {
        let tree = try sample()
        let commit = try tree.commit { try tree.set("leaf", 3) }
        #expect(!commit.isUnchanged)
        #expect(commit.notifications.isEmpty)
        try tree.commit { try tree.set("m", 9) }
        #expect(tree.value("leaf") == 3 && tree.value("b") == 9)
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

    @Test("Rolling back leaves everything as it was")
    func rollingBack() throws {
        let tree = try sample()
        let order = tree.order
        tree.hierarchy.begin()
        try scramble(tree)
        tree.hierarchy.rollback()
        try tree.hierarchy.checkInvariants()
        #expect(tree.order == order)
        #expect(tree.value("leaf") == 3)
        #expect(tree.hierarchy.registrations().count == 1)
        #expect(tree.hierarchy.definitions.index(of: "other") == nil)
    }

    private func scramble(_ tree: Fixture) throws {
        let hierarchy = tree.hierarchy
        _ = try hierarchy.defineTrait(
            TraitDefinition(key: "other", type: .string, defaultValue: .string("x")))
        try tree.move("m", "w")
        try tree.create("n", .view, "m")
        try tree.set("n", 7)
        try tree.set("m", 7)
        try hierarchy.updateNode(tree["b"], controller: .clear, label: .set("label"))
        tree.delete("b")
        try tree.create("b", .window, "s")
        if let registration = hierarchy.registration(named: "r") {
            hierarchy.unregister(registration)
        }
        tree.delete("A")
        try tree.register("r", "b")
    }

    @Test("Commits pile up, and are taken back newest first until acknowledged")
    func undoing() throws {
        let tree = try sample()
        var states = [(tree.hierarchy.revision, tree.order, tree.value("leaf"))]
        let steps: [() throws -> Void] = [
            { try tree.set("m", 10) }, { try tree.move("m", "w") }, { tree.delete("m2") },
            { try tree.create("m2", .view, "m") }, { try tree.set("w", 2) },
            { tree.remove("m") }, { try self.scramble(tree) },
        ]
        for step in steps {
            try tree.pending(step)
            let leaf = tree.hierarchy.node("leaf") == nil ? nil : tree.value("leaf")
            states.append((tree.hierarchy.revision, tree.order, leaf))
        }
        #expect(tree.hierarchy.unacknowledgedCount == steps.count)
        while states.count > 3 {
            tree.hierarchy.undo()
            try tree.hierarchy.checkInvariants()
            states.removeLast()
            let (revision, order, leaf) = try #require(states.last)
            #expect(tree.hierarchy.revision == revision)
            #expect(tree.order == order)
            #expect(tree.value("leaf") == leaf)
        }
        tree.hierarchy.acknowledge(through: tree.hierarchy.revision - 1)
        #expect(tree.hierarchy.unacknowledgedCount == 1)
        tree.hierarchy.undo()
        try tree.hierarchy.checkInvariants()
        #expect(tree.order == states[1].1)
    }

    @Test("A dry run is a commit taken back: it tells the same and changes nothing")
    func dryRun() throws {
        let tree = try sample()
        let operations = {
            try tree.set("w", 5)
            tree.remove("m")
        }
        let dry = try tree.pending(operations)
        tree.hierarchy.undo()
        try tree.hierarchy.checkInvariants()
        let real = try tree.pending(operations)
        #expect(tree.told(dry) == tree.told(real))
        #expect(tree.told(real) == ["r:3>5"])
        #expect(dry.revision == real.revision)
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
