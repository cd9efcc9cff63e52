// Tracked scopes: that each goes stale once, what is no change, and what is refused.

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
