// Detached trees keep what they inherited last, at their root and below their own inputs.

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

    @Test("What counts is the state before the transaction")
    func before() throws {
        let tree = try Fixture()
        try tree.makeWorkedTree()
        try tree.commit { try tree.set("w", 4) }
        try tree.commit {
            try tree.set("w", 5)
            try tree.move("m", "w")
            try tree.move("m", nil)
        }
        #expect(tree.value("m") == 4)
        try tree.commit {
            try tree.move("m", "a")
            try tree.move("m", nil)
            try tree.set("leaf", 1)
        }
        #expect(tree.value("m") == 4, "detached before and after: nothing was inherited")
    }

    @Test("New nodes keep nothing")
    func newNodes() throws {
        let tree = try Fixture()
        try tree.makeWorkedTree()
        try tree.commit { try tree.set("w", 4) }
        try tree.commit {
            try tree.create("x", .view, "m")
            try tree.move("x", nil)
        }
        #expect(tree.value("x") == 0)
    }

    @Test("A view joins a detached tree and inherits from it, then keeps that")
    func detachedTrees() throws {
        let tree = try Fixture()
        try tree.commit {
            try tree.create("v1", .view)
            try tree.create("v2", .view)
            try tree.set("v1", 3)
        }
        try tree.commit { try tree.move("v2", "v1") }
        #expect(tree.value("v2") == 3)
        try tree.commit { try tree.move("v2", nil) }
        try tree.commit { try tree.set("v1", 8) }
        #expect(tree.value("v2") == 3)
    }

    @Test("A controller without its view keeps what it inherited from the superview")
    func controllers() throws {
        let tree = try Fixture()
        try tree.makeWorkedTree()
        try tree.commit { try tree.set("m", 7) }
        try tree.commit { tree.delete("b") }
        #expect(tree.hierarchy.state(of: tree["B"]) == .detached)
        #expect(tree.value("B") == 7)
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

    @Test("Undoing a detachment restores the place among siblings")
    func undoing() throws {
        let tree = try Fixture()
        try tree.makeWorkedTree()
        try tree.commit {
            try tree.create("m2", .view, "a")
            try tree.set("w", 4)
        }
        let order = tree.order
        try tree.pending { try tree.move("m", nil) }
        tree.hierarchy.undo()
        try tree.hierarchy.checkInvariants()
        #expect(tree.order == order)
        #expect(tree.hierarchy.kept(of: tree["m"]).isEmpty)
    }
}
