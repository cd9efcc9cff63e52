// Detached trees keep what they inherited last, or what was predicted, at their root and below their own
// inputs; and keep a trait in use.

import Testing
import TraitEngine

@Suite struct DetachedTests {
    @Test("A detached subtree keeps what it inherited, and its own overrides still show")
    func keeping() throws {
        let tree = try Fixture()
        try tree.makeWorkedTree()
        try tree.commit {
            try tree.set("w", 4)
            try tree.register("r", "leaf")
        }
        let detached = try tree.commit { try tree.move("m", nil) }
        #expect(detached.notifications.isEmpty)
        #expect(tree.value("leaf") == 4)
        #expect(tree.hierarchy.state(of: tree["leaf"]) == .detached)
        let source = tree.hierarchy.resolve(tree.theme, at: tree["leaf"]).source
        #expect(source == Source(kind: .kept, node: tree["m"], revision: detached.revision))
        try tree.commit { try tree.set("w", 5) }
        #expect(tree.value("leaf") == 4)
        let own = try tree.commit { try tree.set("m", 6) }
        #expect(tree.told(own) == ["r:4>6"])
        let away = try tree.commit { tree.remove("m") }
        #expect(tree.told(away) == ["r:6>4"])
        let attached = try tree.commit { try tree.move("m", "a") }
        #expect(tree.told(attached) == ["r:4>5"])
        #expect(tree.hierarchy.kept(of: tree["m"]).isEmpty)
    }

    @Test("Environments and window scenes without a parent are roots and keep nothing")
    func roots() throws {
        let tree = try Fixture()
        try tree.commit {
            try tree.create("e", .environment)
            try tree.create("s", .windowScene, "e")
            try tree.create("f", .environment, "e")
            try tree.set("e", 2)
        }
        try tree.commit {
            try tree.move("s", nil)
            try tree.move("f", nil)
        }
        #expect(tree.value("s") == 0 && tree.value("f") == 0)
        #expect(tree.hierarchy.state(of: tree["s"]) == .current)
        #expect(tree.hierarchy.state(of: tree["f"]) == .current)
    }

    @Test("A trait is in use as long as a detached node keeps a value of it")
    func deletedTraits() throws {
        let tree = try Fixture()
        try tree.makeWorkedTree()
        try tree.commit { try tree.set("w", 4) }
        #expect(throws: OperationError.traitInUse("theme")) {
            try tree.commit { try tree.hierarchy.deleteTrait(tree.theme) }
        }
        try tree.commit {
            try tree.move("m", nil)
            tree.remove("w")
        }
        #expect(tree.hierarchy.kept(of: tree["m"]).count == 1)
        #expect(throws: OperationError.traitInUse("theme")) {
            try tree.commit { try tree.hierarchy.deleteTrait(tree.theme) }
        }
        // Attached and deleted at once, and taken back.
        try tree.pending {
            try tree.move("m", "a")
            try tree.hierarchy.deleteTrait(tree.theme)
        }
        #expect(tree.hierarchy.kept(of: tree["m"]).isEmpty)
        tree.hierarchy.undo()
        try tree.hierarchy.checkInvariants()
        #expect(tree.value("m") == 4)
        try tree.commit { try tree.move("m", "a") }
        try tree.commit { try tree.hierarchy.deleteTrait(tree.theme) }
        try tree.commit {
            let again = try tree.hierarchy.defineTrait(
                TraitDefinition(key: "theme", type: .string, defaultValue: .string("new")))
            #expect(again == tree.theme, "the index is free again")
        }
        #expect(tree.hierarchy.value(of: tree.theme, at: tree["m"]) == .string("new"))
    }

    @Test("A trait is in use when the transaction detached a node that will keep a value of it")
    func detachedAtOnce() throws {
        let tree = try Fixture()
        try tree.makeWorkedTree()
        try tree.commit { try tree.set("w", 4) }
        #expect(throws: OperationError.traitInUse("theme")) {
            try tree.commit {
                try tree.move("m", nil)
                tree.remove("w")
                try tree.hierarchy.deleteTrait(tree.theme)
            }
        }
    }

    @Test(
        "Attached and detached again in one commit a new object keeps its prediction, attached not",
        arguments: UpdateMode.allCases)
    func predictionOfNew(_ updates: UpdateMode) throws {
        let tree = try Fixture(.unified, updates: updates)
        let hierarchy = tree.hierarchy
        let dark = try TraitCollection(definitions: hierarchy.definitions, tree.style, .int(2))
        try tree.makeWorkedTree()
        try tree.commit {
            for name in ["back", "stays"] {
                try tree.create(name, .view)
                try hierarchy.predict(tree[name], dark)
                try tree.move(name, "a")
            }
            try tree.move("back", nil)
        }
        #expect(hierarchy.kept(of: tree["back"]).map(\.1) == [.int(2)])
        #expect(hierarchy.kept(of: tree["stays"]).isEmpty)
        #expect(hierarchy.value(of: tree.style, at: tree["back"]) == .int(2))
        try hierarchy.checkInvariants()
        try tree.commit { try tree.move("back", "a") }
        #expect(hierarchy.kept(of: tree["back"]).isEmpty)
        try hierarchy.checkInvariants()
    }
}
