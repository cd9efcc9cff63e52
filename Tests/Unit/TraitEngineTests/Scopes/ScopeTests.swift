// Tracked scopes: what makes one stale, how often, and what comes back.

import Testing

@testable import TraitEngine

@Suite struct ScopeTests {
    private let tree: Fixture
    private var hierarchy: Hierarchy { tree.hierarchy }

    init() throws {
        tree = try Fixture()
        try tree.makeWorkedTree()
    }

    private func track(_ node: String, _ name: String, _ reads: TraitSet? = nil) throws {
        try hierarchy.setScope(tree[node], name, reads: reads ?? [tree.theme])
    }

    /// "node.scope" of every invalidation.
    private func stale(_ commit: Commit) -> [String] {
        commit.invalidations.map { "\(hierarchy.identifier(of: $0.node)).\($0.scope)" }
    }

    @Test("A scope hears once of what it read, and nothing more until it is set again")
    func once() throws {
        try tree.commit { try track("leaf", "layoutSubviews") }
        let first = try tree.commit { try tree.set("s", 1) }
        #expect(
            first.invalidations == [
                Invalidation(
                    node: tree["leaf"], scope: "layoutSubviews", invalidation: "setNeedsLayout",
                    changed: [tree.theme])
            ])
        #expect(first.notifications.isEmpty)
        #expect(hierarchy.scope(tree["leaf"], "layoutSubviews")?.isStale == true)
        #expect(stale(try tree.commit { try tree.set("s", 2) }) == [])
        #expect(!(try tree.commit { try track("leaf", "layoutSubviews") }).isUnchanged)
        #expect(stale(try tree.commit { try tree.set("s", 3) }) == ["leaf.layoutSubviews"])
    }

    @Test("A trait that the last run did not read is not tracked any more")
    func reads() throws {
        try tree.commit { try track("leaf", "layoutSubviews", [tree.theme, tree.style]) }
        let other = try tree.commit {
            try hierarchy.setOverride(tree["s"], tree.style, .int(2))
            try tree.set("leaf", 0)
        }
        #expect(other.invalidations.map(\.changed) == [[tree.style]])
        try tree.commit { try track("leaf", "layoutSubviews", [tree.style]) }
        #expect(stale(try tree.commit { try tree.set("leaf", 5) }) == [])
        try tree.commit { try track("leaf", "layoutSubviews", []) }
        let nothing = try tree.commit {
            try hierarchy.setOverride(tree["s"], tree.style, .int(1))
        }
        #expect(stale(nothing) == [])
        #expect(hierarchy.scope(tree["leaf"], "layoutSubviews")?.reads == [])
    }

    @Test("The commit that sets a scope does not make it stale, new or not")
    func ownCommit() throws {
        let made = try tree.commit {
            try track("leaf", "draw")
            try tree.set("s", 1)
        }
        #expect(stale(made) == [])
        let again = try tree.commit {
            try tree.set("s", 2)
            try track("leaf", "draw")
        }
        #expect(stale(again) == [] && !again.isUnchanged)
        #expect(stale(try tree.commit { try tree.set("s", 3) }) == ["leaf.draw"])
    }

    @Test("The same again makes no commit, nor does what is taken back within one")
    func unchanged() throws {
        try tree.commit { try track("leaf", "draw") }
        let revision = hierarchy.scope(tree["leaf"], "draw")?.revision
        #expect(try tree.commit { try track("leaf", "draw") }.isUnchanged)
        let there = try tree.commit {
            try track("leaf", "draw", [tree.style])
            try track("leaf", "draw")
        }
        #expect(there.isUnchanged)
        let gone = try tree.commit {
            try track("m", "draw")
            hierarchy.removeScope(tree["m"], "draw")
            hierarchy.removeScope(tree["m"], "draw")
        }
        #expect(gone.isUnchanged && hierarchy.scopeCount == 1)
        let both = try tree.commit {
            try track("leaf", "draw", [tree.style])
            try track("leaf", "draw")
            try tree.set("A", 0)
        }
        #expect(!both.isUnchanged)
        #expect(hierarchy.scope(tree["leaf"], "draw")?.revision == revision)
    }

    @Test("Undoing gives armed and stale scopes their state back")
    func undo() throws {
        try tree.commit { try track("leaf", "draw") }
        let commit = try tree.pending { try tree.set("s", 1) }
        #expect(stale(commit) == ["leaf.draw"])
        hierarchy.undo()
        try hierarchy.checkInvariants()
        #expect(hierarchy.scope(tree["leaf"], "draw")?.isStale == false)
        #expect(stale(try tree.commit { try tree.set("s", 2) }) == ["leaf.draw"])
        try tree.pending { try track("leaf", "draw", [tree.style]) }
        try tree.pending { hierarchy.removeScope(tree["leaf"], "draw") }
        #expect(hierarchy.scopes(of: tree["leaf"]).isEmpty)
        hierarchy.undo()
        #expect(hierarchy.scope(tree["leaf"], "draw")?.reads == [tree.style])
        hierarchy.undo()
        let before = hierarchy.scope(tree["leaf"], "draw")
        #expect(before?.isStale == true && before?.reads == [tree.theme])
        try hierarchy.checkInvariants()
        try tree.pending { try track("m", "draw") }
        hierarchy.undo()
        #expect(hierarchy.scope(tree["m"], "draw") == nil && hierarchy.scopeCount == 1)
        try hierarchy.checkInvariants()
    }

    @Test("A refused transaction leaves scopes as they were")
    func rollback() throws {
        try tree.commit { try track("leaf", "draw") }
        struct Refusal: Error {}
        #expect(throws: Refusal.self) {
            try tree.commit {
                try track("leaf", "draw", [tree.style])
                try track("leaf", "layoutSubviews")
                hierarchy.removeScope(tree["leaf"], "draw")
                try track("leaf", "draw", [])
                throw Refusal()
            }
        }
        #expect(hierarchy.scopes(of: tree["leaf"]).map(\.reads) == [[tree.theme]])
        #expect(stale(try tree.commit { try tree.set("s", 2) }) == ["leaf.draw"])
    }

    @Test("A scope goes with its node, and comes back with it")
    func deletion() throws {
        try tree.commit {
            try track("leaf", "draw")
            try track("B", "viewDidLayoutSubviews")
            try track("b", "draw")
        }
        try tree.pending { tree.delete("m") }
        // The controller stands outside of the view that went.
        #expect(hierarchy.scopeCount == 1)
        hierarchy.undo()
        try hierarchy.checkInvariants()
        #expect(hierarchy.scopeCount == 3)
        #expect(
            stale(try tree.commit { try tree.set("b", 2) })
                == ["B.viewDidLayoutSubviews", "b.draw", "leaf.draw"])
        try tree.commit { tree.delete("A") }
        #expect(hierarchy.scopeCount == 2)
        while hierarchy.reclaimSlice() {}
        try hierarchy.checkInvariants()
    }

    @Test("Scopes in a detached tree hear of what changes there")
    func detached() throws {
        try tree.commit { try track("leaf", "draw") }
        try tree.commit { try tree.set("s", 7) }
        try tree.commit {
            try tree.move("m", nil)
            try track("leaf", "draw")
        }
        #expect(stale(try tree.commit { try tree.set("s", 8) }) == [])
        #expect(stale(try tree.commit { try tree.set("m", 9) }) == ["leaf.draw"])
        try tree.commit { try track("leaf", "draw") }
        let back = try tree.commit {
            tree.remove("m")
            try tree.move("m", "a")
        }
        #expect(stale(back) == ["leaf.draw"])
    }

    @Test("Invalidations come by depth, then in the order in which scopes were first set")
    func order() throws {
        try tree.commit {
            try track("leaf", "draw")
            try track("m", "layoutSubviews")
            try track("leaf", "updateConstraints")
            try track("m", "draw")
        }
        try tree.commit { try track("m", "layoutSubviews", [tree.style, tree.theme]) }
        #expect(
            stale(try tree.commit { try tree.set("s", 1) })
                == ["m.layoutSubviews", "m.draw", "leaf.draw", "leaf.updateConstraints"])
    }

    @Test("A node's kind says which methods it has; an environment takes any name")
    func kinds() throws {
        try tree.commit { try tree.create("e", .environment) }
        #expect(throws: OperationError.scopeKind("viewDidLayoutSubviews", .view)) {
            try tree.commit { try track("leaf", "viewDidLayoutSubviews") }
        }
        #expect(throws: OperationError.scopeKind("draw", .viewController)) {
            try tree.commit { try track("A", "draw") }
        }
        #expect(throws: OperationError.scopeKind("draw", .windowScene)) {
            try tree.commit { try track("s", "draw") }
        }
        #expect(throws: OperationError.malformedIdentifier("a b")) {
            try tree.commit { try track("e", "a b") }
        }
        let artwork = try #require(hierarchy.definitions.index(of: "artworkSubtype"))
        #expect(throws: OperationError.privateTrait("artworkSubtype")) {
            try tree.commit { try track("e", "any", [artwork]) }
        }
        try tree.commit {
            try track("e", "any")
            try track("w", "layoutSubviews")
        }
        let commit = try tree.commit { try tree.set("e", 1) }
        #expect(commit.invalidations.map(\.invalidation) == ["invalidate"])
    }

    @Test("Every method of UIKit's table has its invalidation")
    func table() {
        let expected: [(NodeKind, String, String)] = [
            (.view, "layoutSubviews", "setNeedsLayout"),
            (.view, "updateConstraints", "setNeedsUpdateConstraints"),
            (.view, "draw", "setNeedsDisplay"),
            (.view, "updateProperties", "setNeedsUpdateProperties"),
            (.viewController, "viewWillLayoutSubviews", "setNeedsLayout"),
            (.viewController, "viewDidLayoutSubviews", "setNeedsLayout"),
            (.viewController, "updateViewConstraints", "setNeedsUpdateConstraints"),
            (.viewController, "updateProperties", "setNeedsUpdateProperties"),
            (.presentationController, "containerViewWillLayoutSubviews", "setNeedsLayout"),
            (.presentationController, "containerViewDidLayoutSubviews", "setNeedsLayout"),
            (.view, "updateConfiguration", "setNeedsUpdateConfiguration"),
            (.view, "sectionProvider", "invalidateLayout"),
        ]
        for (kind, name, invalidation) in expected {
            #expect(ScopeMethod.invalidation(of: name, on: kind) == invalidation)
        }
    }

    @Test("A trait that a scope read cannot be deleted, stale or not; scopes have a limit")
    func limits() throws {
        try tree.commit { try track("leaf", "draw") }
        try tree.commit { try tree.set("leaf", 1) }
        try tree.commit { tree.remove("leaf") }
        #expect(throws: OperationError.traitInUse("theme")) {
            try tree.commit { try hierarchy.deleteTrait(tree.theme) }
        }
        try tree.commit { hierarchy.removeScope(tree["leaf"], "draw") }
        try tree.commit { try hierarchy.deleteTrait(tree.theme) }
        var limits = HierarchyLimits()
        limits.scopesMax = 1
        let small = try Fixture(limits: limits)
        try small.commit { try small.create("e", .environment) }
        #expect(throws: OperationError.limit(name: "scopesMax", value: 1)) {
            try small.commit {
                try small.hierarchy.setScope(small["e"], "a", reads: [])
                try small.hierarchy.setScope(small["e"], "b", reads: [])
            }
        }
    }

    @Test("Without scopes nothing is listened to, and registrations on the node are alone")
    func cost() throws {
        try tree.commit {
            try track("leaf", "draw")
            try tree.register("r", "leaf")
        }
        #expect(hierarchy.registrations(of: tree["leaf"]).count == 1)
        #expect(hierarchy.registrations().count == 1)
        let commit = try tree.commit { try tree.set("s", 3) }
        #expect(tree.told(commit) == ["r:0>3"] && stale(commit) == ["leaf.draw"])
        try tree.commit { hierarchy.removeScope(tree["leaf"], "draw") }
        try tree.commit { hierarchy.unregister(hierarchy.registrations()[0]) }
        try tree.commit { try tree.set("s", 4) }
        #expect(hierarchy.visitedWatchNodes == 0)
    }
}
