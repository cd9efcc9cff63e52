// Restoring refuses what no hierarchy can be. That what was restored is its origin, random scripts of
// sessions show (`Stage.compareLoaded`); that a frozen hierarchy answers as its origin did, `SnapshotRun`.

import Testing
import TraitEngine

@Suite struct RestoringTests {
    private static func fact(
        _ trait: TraitIndex, _ value: TraitValue, _ layer: Layer = .override, at revision: Int64 = 1
    ) -> StoredFact {
        StoredFact(trait: trait, layer: layer, value: value, revision: revision)
    }

    private static let theme = TraitDefinition(key: "theme", type: .int, defaultValue: .int(0))

    private struct Case: Sendable {
        typealias Attempt = @Sendable (consuming HierarchyRestorer) throws(OperationError) -> Void

        let name: String
        let attempt: Attempt

        init(_ name: String, _ attempt: @escaping Attempt) {
            (self.name, self.attempt) = (name, attempt)
        }
    }

    /// Each contradicts itself or what went before.
    private static let contradictions = [
        Case("a name twice") {
            (restorer: consuming HierarchyRestorer) throws(OperationError) in
            _ = try restorer.addNode("a", kind: .view)
            _ = try restorer.addNode("a", kind: .view)
        },
        Case("a malformed name") {
            (restorer: consuming HierarchyRestorer) throws(OperationError) in
            _ = try restorer.addNode("a/b", kind: .view)
        },
        Case("a parent that is not there") {
            (restorer: consuming HierarchyRestorer) throws(OperationError) in
            _ = try restorer.addNode(
                "a", kind: .view, traitParent: NodeIndex(rawValue: 9))
        },
        Case("a parent below 0") {
            (restorer: consuming HierarchyRestorer) throws(OperationError) in
            _ = try restorer.addNode(
                "a", kind: .view, traitParent: NodeIndex(rawValue: -1))
        },
        Case("too deep") {
            (restorer: consuming HierarchyRestorer) throws(OperationError) in
            var node: NodeIndex?
            for number in 0..<9 {
                node = try restorer.addNode("n\(number)", kind: .view, traitParent: node)
            }
        },
        Case("a kind that may not stand there") {
            (restorer: consuming HierarchyRestorer) throws(OperationError) in
            let view = try restorer.addNode("a", kind: .view)
            _ = try restorer.addNode("b", kind: .window, traitParent: view)
            _ = try restorer.finish(revision: 1)
        },
        Case("a trait parent that does not follow") {
            (restorer: consuming HierarchyRestorer) throws(OperationError) in
            let window = try restorer.addNode("w", kind: .window)
            let view = try restorer.addNode("v", kind: .view)
            try restorer.setStructuralParent(view, window)
            _ = try restorer.finish(revision: 1)
        },
        Case("a structural cycle") {
            (restorer: consuming HierarchyRestorer) throws(OperationError) in
            let one = try restorer.addNode("1", kind: .viewController)
            let other = try restorer.addNode("2", kind: .viewController)
            try restorer.setStructuralParent(one, other)
            try restorer.setStructuralParent(other, one)
            _ = try restorer.finish(revision: 1)
        },
        Case("a controller that is none") {
            (restorer: consuming HierarchyRestorer) throws(OperationError) in
            let view = try restorer.addNode("a", kind: .view)
            let other = try restorer.addNode("b", kind: .view)
            try restorer.setController(view, other)
        },
        Case("two views of one controller") {
            (restorer: consuming HierarchyRestorer) throws(OperationError) in
            let controller = try restorer.addNode("c", kind: .viewController)
            let one = try restorer.addNode("1", kind: .view, traitParent: controller)
            let other = try restorer.addNode("2", kind: .view, traitParent: controller)
            try restorer.setController(one, controller)
            try restorer.setController(other, controller)
        },
        Case("a definition twice") {
            (restorer: consuming HierarchyRestorer) throws(OperationError) in
            _ = try restorer.define(theme)
        },
        Case("a value of an unknown trait") {
            (restorer: consuming HierarchyRestorer) throws(OperationError) in
            let node = try restorer.addNode("a", kind: .view)
            try restorer.setValue(node, fact(TraitIndex(rawValue: 999), .int(1)))
        },
        Case("a value of another type") {
            (restorer: consuming HierarchyRestorer) throws(OperationError) in
            let node = try restorer.addNode("a", kind: .view)
            try restorer.setValue(node, fact(restorer.theme, .bool(true)))
        },
        Case("a value twice") {
            (restorer: consuming HierarchyRestorer) throws(OperationError) in
            let node = try restorer.addNode("a", kind: .view)
            try restorer.setValue(node, fact(restorer.theme, .int(1)))
            try restorer.setValue(node, fact(restorer.theme, .int(2)))
        },
        Case("a default") {
            (restorer: consuming HierarchyRestorer) throws(OperationError) in
            let node = try restorer.addNode("a", kind: .view)
            try restorer.setValue(node, fact(restorer.theme, .int(1), .default))
        },
        Case("a kept value of a node that inherits") {
            (restorer: consuming HierarchyRestorer) throws(OperationError) in
            let node = try restorer.addNode("a", kind: .view)
            let below = try restorer.addNode("b", kind: .view, traitParent: node)
            try restorer.setValue(below, fact(restorer.theme, .int(1), .kept))
        },
        Case("a value newer than the state") {
            (restorer: consuming HierarchyRestorer) throws(OperationError) in
            let node = try restorer.addNode("a", kind: .view)
            try restorer.setValue(node, fact(restorer.theme, .int(1), at: 7))
            _ = try restorer.finish(revision: 6)
        },
        Case("a value of a node that is not there") {
            (restorer: consuming HierarchyRestorer) throws(OperationError) in
            try restorer.setValue(NodeIndex(rawValue: 12), fact(restorer.theme, .int(1)))
        },
        Case("a registration for nothing") {
            (restorer: consuming HierarchyRestorer) throws(OperationError) in
            let node = try restorer.addNode("a", kind: .view)
            try restorer.addRegistration("r", node: node, traits: [], createdRevision: 1)
        },
        Case("a registration for an unknown trait") {
            (restorer: consuming HierarchyRestorer) throws(OperationError) in
            let node = try restorer.addNode("a", kind: .view)
            try restorer.addRegistration(
                "r", node: node, traits: [TraitIndex(rawValue: 500)], createdRevision: 1)
        },
        Case("a registration for an unknown colour") {
            (restorer: consuming HierarchyRestorer) throws(OperationError) in
            let node = try restorer.addNode("a", kind: .view)
            try restorer.addRegistration(
                "r", node: node, traits: [], colors: ["none"], createdRevision: 1)
        },
        Case("a scope that the kind has not") {
            (restorer: consuming HierarchyRestorer) throws(OperationError) in
            let node = try restorer.addNode("a", kind: .view)
            try restorer.addScope(
                node, "viewWillLayoutSubviews", reads: [], isStale: false, revision: 1)
        },
        Case("a scope twice") {
            (restorer: consuming HierarchyRestorer) throws(OperationError) in
            let node = try restorer.addNode("a", kind: .view)
            for _ in 0..<2 {
                try restorer.addScope(node, "draw", reads: [], isStale: false, revision: 1)
            }
        },
        Case("a frame on one that is to come") {
            (restorer: consuming HierarchyRestorer) throws(OperationError) in
            let node = try restorer.addNode("a", kind: .view)
            _ = try restorer.addFrame(
                ShownFrame(above: 1, node: node, values: [fact(restorer.theme, .int(1))]))
        },
        Case("an empty frame") {
            (restorer: consuming HierarchyRestorer) throws(OperationError) in
            _ = try restorer.addFrame(ShownFrame(above: 0, node: nil, values: []))
        },
        Case("a frame that was not added") {
            (restorer: consuming HierarchyRestorer) throws(OperationError) in
            let node = try restorer.addNode("a", kind: .view)
            try restorer.setShown(node, ShownState(frame: 3, marks: []))
        },
        Case("a node that shows something else and does not wait") {
            (restorer: consuming HierarchyRestorer) throws(OperationError) in
            let node = try restorer.addNode("a", kind: .windowScene)
            let number = try restorer.addFrame(
                ShownFrame(above: 0, node: node, values: [fact(restorer.theme, .int(1))]))
            try restorer.setShown(node, ShownState(frame: number, marks: []))
            _ = try restorer.finish(revision: 1)
        },
    ]

    @Test("Facts that contradict each other are refused")
    func contradictions() throws {
        for contradiction in Self.contradictions {
            var limits = HierarchyLimits()
            limits.depthMax = 8
            let restorer = HierarchyRestorer(updates: .layout, limits: limits, hashSeed: 1)
            _ = try restorer.define(Self.theme)
            do throws(OperationError) {
                try contradiction.attempt(restorer)
                Issue.record("\(contradiction.name) was taken")
            } catch {
                // Refused, as it should be.
            }
        }
    }

    @Test("Without enforcing limits a larger state is taken, and they hold afterwards")
    func limits() throws {
        var limits = HierarchyLimits()
        limits.nodesMax = 2
        limits.depthMax = 2
        limits.labelBytesMax = 1
        var restorer = HierarchyRestorer(
            limits: limits, hashSeed: 1, enforcesLimits: false)
        var node: NodeIndex?
        for name in ["a", "b", "c"] {
            node = try restorer.addNode(name, kind: .view, label: "long", traitParent: node)
        }
        let hierarchy = try restorer.finish(revision: 5)
        #expect(hierarchy.revision == 5 && hierarchy.nodeCount == 3)
        #expect(hierarchy.limits.nodesMax == 2 && hierarchy.unacknowledgedCount == 0)
        try hierarchy.checkInvariants()
        hierarchy.begin()
        #expect(throws: OperationError.limit(name: "nodesMax", value: 2)) {
            _ = try hierarchy.createNode("d", kind: .view)
        }
        hierarchy.rollback()
    }

    @Test("A frozen hierarchy has its scopes by name, its structure, and a digest of its own")
    func frozen() throws {
        let tree = try Fixture()
        try tree.commit {
            try tree.create("w", .windowScene)
            try tree.create("a", .window, "w")
            try tree.register("r", "a")
            try tree.hierarchy.setScope(tree["a"], "draw", reads: [tree.theme])
        }
        let frozen = try tree.hierarchy.snapshot().materialize()
        try tree.commit { tree.delete("w") }
        let (w, a) = (try #require(frozen.node("w")), try #require(frozen.node("a")))
        #expect(frozen.scope(a, "draw")?.reads == [tree.theme] && frozen.scope(a, "x") == nil)
        #expect(frozen.scope(a, "draw") == frozen.scopesInOrder().first)
        #expect(frozen.registrations(of: a).count == 1)
        #expect(frozen.traitRoot(of: a) == w && frozen.structuralChildren(of: w) == [a])
        #expect(frozen.digest == frozen.recomputedDigest())
        #expect(frozen.digest != tree.hierarchy.digest)
        try frozen.checkInvariants()
    }
}

extension HierarchyRestorer {
    fileprivate var theme: TraitIndex {
        definitions.index(of: "theme") ?? TraitIndex(rawValue: 0)
    }
}
