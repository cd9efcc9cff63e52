// When collections are updated: a write marks, and an update shows it. Windows and controllers show
// a write at once.

import Testing
import TraitEngine

@Suite struct UpdateRuleTests {
    @Test("From the top down, each node takes its collection before the ones below it")
    func order() throws {
        let tree = try Fixture.layout()
        try tree.write("s", 1)
        var order: [String] = []
        let update = tree.hierarchy.startUpdate()
        while let step = try update.next() {
            #expect(step.reason == .environment && step.changed == [tree.theme])
            order.append(tree.hierarchy.identifier(of: step.node))
            #expect(tree.value("leaf") == (order.last == "leaf" ? 1 : 0))
        }
        #expect(
            order == ["w", "A", "a", "m", "B", "b", "leaf"], "the scene shows its write at once")
    }

    @Test("A child that waits is still updated after its siblings were ordered anew")
    func orderedSiblings() throws {
        let tree = try Fixture.layout()
        try tree.commit {
            for name in ["x", "y", "z"] { try tree.create(name, .view, "w") }
        }
        try tree.update()
        try tree.write("w", 1)
        try tree.update("z")
        try tree.commit { try tree.hierarchy.orderNode(tree["x"], behind: tree["y"]) }
        try tree.update("x")
        #expect(["x", "y", "z"].map { tree.value($0) } == [1, 0, 1])
        #expect(tree.hierarchy.needsUpdate)
        try tree.update()
        #expect(tree.value("y") == 1)
        try tree.hierarchy.checkInvariants()
    }

    @Test("What a detached tree still shows of where it was is kept by its root, updated or not")
    func keptSource() throws {
        let tree = try Fixture.layout()
        let hierarchy = tree.hierarchy
        try tree.commit {
            try tree.create("x", .view, "leaf")
            try tree.create("y", .view, "x")
            try tree.create("z", .view, "y")
            for (node, value) in [("w", 1), ("m", 2), ("y", 3)] { try tree.set(node, Int64(value)) }
            try hierarchy.setOverride(tree["m"], tree.style, .int(2))
            try hierarchy.setSupplied(tree["y"], tree.style, .int(1))
        }
        try tree.update()
        try tree.commit {
            try tree.move("x", nil)
            tree.remove("y")
        }
        let detached = hierarchy.revision
        try tree.commit { for node in ["w", "m"] { try tree.set(node, 9) } }
        try tree.update()
        func expectKept(shadowed: Int) {
            let kept = Source(kind: .kept, node: tree["x"], revision: detached)
            #expect(hierarchy.resolve(tree.theme, at: tree["x"]).source == kept)
            let chain = hierarchy.chain(of: tree.theme, at: tree["x"])
            #expect(chain.map(\.layer) == [.kept, .default] && chain[0].node == tree["x"])
            #expect(chain.map(\.value) == [.int(2), .int(0)] && chain[0].revision == detached)
            #expect(hierarchy.chain(of: tree.theme, at: tree["x"], includeAbsent: true) == chain)
            let style = hierarchy.chain(of: tree.style, at: tree["z"], includeAbsent: true)
            #expect(style.map(\.layer) == [.override, .supplied, .kept, .default])
            #expect(style.map(\.status) == [.absent, .winner, .shadowed, .shadowed])
            #expect(style.map(\.node) == [tree["z"], tree["y"], tree["x"], nil])
            // What a node of the tree itself set is named, though it is removed by now.
            let own = hierarchy.chain(of: tree.theme, at: tree["z"])
            #expect(own.count { $0.layer == .override } == shadowed)
        }
        expectKept(shadowed: 1)
        #expect(hierarchy.resolve(tree.theme, at: tree["z"]).source.node == tree["y"])
        try tree.update("x")
        expectKept(shadowed: 0)
        #expect(hierarchy.resolve(tree.theme, at: tree["z"]).source.node == tree["x"])
    }

    @Test("An update that climbs first updates, in order, what its node inherits from")
    func climbing() throws {
        let tree = try Fixture.layout()
        try tree.commit {
            try tree.create("other", .view, "a")
            for node in ["leaf", "b", "B", "s", "other"] { try tree.register("r-\(node)", node) }
        }
        try tree.update()
        #expect(try tree.write("s", 1) == ["r-s:0>1"])
        let calls = try tree.update("b", climbs: true)
        #expect(calls == ["r-B:0>1", "r-b:0>1", "r-leaf:0>1"])
        #expect(tree.value("other") == 0)
        #expect(try tree.update() == ["r-other:0>1"])
    }

    @Test(
        "Updating a controller or its root view reaches the controllers of the views in that view",
        arguments: Propagation.allCases, ["B", "b"])
    func controllersInsideController(_ propagation: Propagation, _ name: String) throws {
        let tree = try Fixture.layout(propagation)
        try tree.commit {
            try tree.create("C", .viewController, "A")
            try tree.create("c", .view, "leaf", controller: "C")
            try tree.create("note", .environment, "B")
            for node in ["C", "c", "note"] { try tree.register("r-\(node)", node) }
        }
        try tree.update()
        // Before iOS 17 `C` inherits from `A`.
        try tree.commit { for node in ["A", "B"] { try tree.set(node, 1) } }
        #expect(Set(try tree.update(name)) == ["r-C:0>1", "r-c:0>1", "r-note:0>1"])
        #expect(try tree.update().isEmpty)
    }

    @Test("Before iOS 17 a controller's subtree goes on through its child controllers' views")
    func subtreeOfChildControllers() throws {
        for name in ["B", "b"] {
            let tree = try Fixture.layout(.legacy)
            try tree.commit {
                try tree.create("D", .viewController, "B")
                try tree.create("d", .view, "a", controller: "D")
                try tree.create("C", .viewController, "A")
                try tree.create("c", .view, "d", controller: "C")
                try tree.register("r", "c")
            }
            try tree.update()
            try tree.write("A", 1)
            #expect(try tree.update(name) == ["r:0>1"])
        }
    }

    @Test("What a deleted node set has its name as long as it is shown")
    func deletedSource() throws {
        let tree = try Fixture.layout()
        let hierarchy = tree.hierarchy
        func source(_ name: String) -> (node: String, isDeleted: Bool, chain: [String?]) {
            let source = hierarchy.resolve(tree.theme, at: tree[name]).source
            let chain = hierarchy.chain(of: tree.theme, at: tree[name])
            return (
                source.node.map(hierarchy.identifier) ?? source.deletedNode.map(
                    hierarchy.identifier) ?? "", source.deletedNode != nil,
                chain.map { entry in entry.deletedNode.map { hierarchy.identifier(of: $0) } }
            )
        }
        try tree.write("m", 1)
        try tree.update()
        #expect(source("leaf") == ("m", false, [nil, nil]))
        // A controller and its view stay where they are, below nothing.
        try tree.commit {
            try tree.create("x", .environment, "leaf")
            try tree.set("b", 2)
            try tree.register("r", "x")
        }
        try tree.update()
        try tree.pending {
            try tree.move("x", "s")
            tree.delete("m")
        }
        #expect(source("x") == ("b", true, ["b", "m", nil]))
        hierarchy.acknowledge(through: hierarchy.revision)
        while hierarchy.reclaimSlice() {}
        try hierarchy.checkInvariants()
        #expect(source("x") == ("b", true, ["b", "m", nil]))
        // Another node of that name or in that place is another one.
        try tree.commit { for name in ["b", "m", "n"] { try tree.create(name, .view, "a") } }
        #expect(source("x") == ("b", true, ["b", "m", nil]))
        #expect(try tree.update() == ["r:2>0"])
        #expect(source("x") == ("", false, [nil]))
    }

    @Test("What changes in a commit names its source, deleted there after the update or not")
    func sourceDeletedAfterUpdate() throws {
        let tree = try Fixture.layout()
        let hierarchy = tree.hierarchy
        try tree.commit {
            try tree.create("x", .environment, "leaf")
            try tree.register("r", "x")
        }
        try tree.update()
        let commit = try tree.commit {
            try tree.set("b", 2)
            hierarchy.updateTraits()
            try tree.move("x", "s")
            tree.delete("m")
        }
        let note = try #require(commit.notifications.first)
        let change = try #require(commit.changes(of: note).first)
        #expect(change.source.node == nil && change.current == .int(2))
        #expect(change.source.deletedNode.map(hierarchy.identifier) == "b")
    }

    @Test("What a transaction makes hears of the updates after it, and of what it showed then")
    func madeBeforeUpdate() throws {
        let tree = try Fixture.layout()
        let hierarchy = tree.hierarchy
        try tree.commit { try tree.register("old", "leaf") }
        let commit = try tree.commit {
            try tree.set("w", 1)
            hierarchy.updateTraits()
            try tree.register("new", "leaf")
            try hierarchy.setScope(tree["leaf"], "draw", reads: [tree.theme])
            try tree.set("w", 2)
            hierarchy.updateTraits()
            try tree.register("late", "leaf")
            try hierarchy.setScope(tree["leaf"], "updateConstraints", reads: [tree.theme])
        }
        #expect(tree.told(commit) == ["old:0>2", "new:1>2"])
        #expect(commit.invalidations.map(\.scope) == ["draw"])
        // Set again, it has not heard of what was before.
        let again = try tree.commit {
            try tree.set("w", 3)
            hierarchy.updateTraits()
            try hierarchy.setScope(tree["leaf"], "draw", reads: [tree.theme])
            try hierarchy.setScope(tree["leaf"], "updateConstraints", reads: [tree.theme])
            try tree.create("child", .view, "leaf")
            try tree.register("child", "child")
            hierarchy.updateTraits()
        }
        #expect(tree.told(again) == ["old:2>3", "new:2>3", "late:2>3", "child:0>3"])
        #expect(again.invalidations.isEmpty)
        #expect(hierarchy.scopes(of: tree["leaf"]).map(\.isStale) == [false, false])
    }

    @Test("A scope that is set again between updates is compared with what its node showed then")
    func setAgainBetweenUpdates() throws {
        let tree = try Fixture.layout()
        let hierarchy = tree.hierarchy
        try tree.write("m", 6)
        try tree.update()
        try tree.commit { try hierarchy.setScope(tree["m"], "draw", reads: [tree.theme]) }
        func thereAndBack(settingAgain name: String?, _ reads: TraitSet) throws -> Commit {
            try tree.pending {
                try tree.set("m", 7)
                hierarchy.updateTraits()
                if let name { try hierarchy.setScope(tree["m"], name, reads: reads) }
                try tree.set("m", 6)
                hierarchy.updateTraits()
            }
        }
        let before = hierarchy.scope(tree["m"], "draw")
        let commit = try thereAndBack(settingAgain: "draw", [tree.theme])
        #expect(!commit.isUnchanged && commit.notifications.isEmpty)
        #expect(commit.invalidations.map(\.scope) == ["draw"])
        #expect(commit.invalidations.map(\.changed) == [[tree.theme]])
        #expect(hierarchy.scope(tree["m"], "draw")?.isStale == true)
        hierarchy.undo()
        try hierarchy.checkInvariants()
        #expect(hierarchy.scope(tree["m"], "draw") == before)
        // A scope that is not set again saw nothing change, and one that reads another trait neither.
        #expect(try thereAndBack(settingAgain: nil, []).isUnchanged)
        try tree.commit {
            try hierarchy.setScope(tree["m"], "updateProperties", reads: [tree.style])
        }
        #expect(try thereAndBack(settingAgain: "updateProperties", [tree.style]).isUnchanged)
    }

    @Test("Set and reverted around updates in one transaction is no commit")
    func revertedAroundUpdates() throws {
        let tree = try Fixture.layout()
        let hierarchy = tree.hierarchy
        try tree.write("m", 1)
        try tree.update()
        let revision = hierarchy.revision
        func there(_ body: () throws -> Void) throws -> Commit {
            try tree.commit {
                for name in ["w", "m"] { try tree.set(name, 5) }
                hierarchy.updateTraits(of: tree["w"])
                try body()
            }
        }
        let back = try there {
            tree.remove("w")
            try tree.set("m", 1)
            hierarchy.updateTraits()
        }
        #expect(back.isUnchanged && hierarchy.revision == revision && !hierarchy.needsUpdate)
        #expect(tree.value("leaf") == 1 && tree.value("a") == 0)
        // Without the second update what is shown is another value.
        let other = try there {
            tree.remove("w")
            try tree.set("m", 1)
        }
        #expect(!other.isUnchanged && hierarchy.needsUpdate && tree.value("leaf") == 5)
        #expect(try !tree.commit { hierarchy.updateTraits() }.isUnchanged)
        #expect(try tree.commit { hierarchy.updateTraits() }.isUnchanged)
        // Nor when something that waited does so no more.
        try tree.write("a", 0)
        let waited = try tree.commit {
            try tree.set("w", 5)
            hierarchy.updateTraits()
            tree.remove("w")
            hierarchy.updateTraits()
        }
        #expect(!waited.isUnchanged)
    }
}
