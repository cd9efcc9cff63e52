// Restoring refuses what no hierarchy can be, and a frozen hierarchy answers whatever a service
// asks. That what was restored is its origin, random scripts of sessions show (`Stage.compareLoaded`).

import Testing
import TraitEngine

@Suite struct RestoringTests {
    private static func fact(
        _ trait: TraitIndex, _ value: TraitValue, _ layer: Layer = .override, at revision: Int64 = 1
    ) -> StoredFact {
        StoredFact(trait: trait, layer: layer, value: value, revision: revision)
    }

    private static let theme = TraitDefinition(key: "theme", type: .int, defaultValue: .int(0))

    private typealias Attempt =
        @Sendable (consuming HierarchyRestorer) throws(OperationError) ->
        Void

    /// Each contradicts itself or what went before.
    private static let contradictions: [(String, Attempt)] = [
        (
            "a name twice",
            { (restorer: consuming HierarchyRestorer) throws(OperationError) in
                _ = try restorer.addNode("a", kind: .view)
                _ = try restorer.addNode("a", kind: .view)
            }
        ),
        (
            "a malformed name",
            { (restorer: consuming HierarchyRestorer) throws(OperationError) in
                _ = try restorer.addNode("a/b", kind: .view)
            }
        ),
        (
            "a parent that is not there",
            { (restorer: consuming HierarchyRestorer) throws(OperationError) in
                _ = try restorer.addNode(
                    "a", kind: .view, traitParent: NodeIndex(rawValue: 9))
            }
        ),
        (
            "a parent below 0",
            { (restorer: consuming HierarchyRestorer) throws(OperationError) in
                _ = try restorer.addNode(
                    "a", kind: .view, traitParent: NodeIndex(rawValue: -1))
            }
        ),
        (
            "too deep",
            { (restorer: consuming HierarchyRestorer) throws(OperationError) in
                var node: NodeIndex?
                for number in 0..<9 {
                    node = try restorer.addNode("n\(number)", kind: .view, traitParent: node)
                }
            }
        ),
        (
            "a kind that may not stand there",
            { (restorer: consuming HierarchyRestorer) throws(OperationError) in
                let view = try restorer.addNode("a", kind: .view)
                _ = try restorer.addNode("b", kind: .window, traitParent: view)
                _ = try restorer.finish(revision: 1)
            }
        ),
        (
            "a trait parent that does not follow",
            { (restorer: consuming HierarchyRestorer) throws(OperationError) in
                let window = try restorer.addNode("w", kind: .window)
                let view = try restorer.addNode("v", kind: .view)
                try restorer.setStructuralParent(view, window)
                _ = try restorer.finish(revision: 1)
            }
        ),
        (
            "a structural cycle",
            { (restorer: consuming HierarchyRestorer) throws(OperationError) in
                let one = try restorer.addNode("1", kind: .viewController)
                let other = try restorer.addNode("2", kind: .viewController)
                try restorer.setStructuralParent(one, other)
                try restorer.setStructuralParent(other, one)
                _ = try restorer.finish(revision: 1)
            }
        ),
        (
            "a controller that is none",
            { (restorer: consuming HierarchyRestorer) throws(OperationError) in
                let view = try restorer.addNode("a", kind: .view)
                let other = try restorer.addNode("b", kind: .view)
                try restorer.setController(view, other)
            }
        ),
        (
            "two views of one controller",
            { (restorer: consuming HierarchyRestorer) throws(OperationError) in
                let controller = try restorer.addNode("c", kind: .viewController)
                let one = try restorer.addNode("1", kind: .view, traitParent: controller)
                let other = try restorer.addNode("2", kind: .view, traitParent: controller)
                try restorer.setController(one, controller)
                try restorer.setController(other, controller)
            }
        ),
        (
            "a definition twice",
            { (restorer: consuming HierarchyRestorer) throws(OperationError) in
                _ = try restorer.define(theme)
            }
        ),
        (
            "a value of an unknown trait",
            { (restorer: consuming HierarchyRestorer) throws(OperationError) in
                let node = try restorer.addNode("a", kind: .view)
                try restorer.setValue(node, fact(TraitIndex(rawValue: 999), .int(1)))
            }
        ),
        (
            "a value of another type",
            { (restorer: consuming HierarchyRestorer) throws(OperationError) in
                let node = try restorer.addNode("a", kind: .view)
                try restorer.setValue(node, fact(restorer.theme, .bool(true)))
            }
        ),
        (
            "a value twice",
            { (restorer: consuming HierarchyRestorer) throws(OperationError) in
                let node = try restorer.addNode("a", kind: .view)
                try restorer.setValue(node, fact(restorer.theme, .int(1)))
                try restorer.setValue(node, fact(restorer.theme, .int(2)))
            }
        ),
        (
            "a default",
            { (restorer: consuming HierarchyRestorer) throws(OperationError) in
                let node = try restorer.addNode("a", kind: .view)
                try restorer.setValue(node, fact(restorer.theme, .int(1), .default))
            }
        ),
        (
            "a kept value of a node that inherits",
            { (restorer: consuming HierarchyRestorer) throws(OperationError) in
                let node = try restorer.addNode("a", kind: .view)
                let below = try restorer.addNode("b", kind: .view, traitParent: node)
                try restorer.setValue(below, fact(restorer.theme, .int(1), .kept))
            }
        ),
        (
            "a value newer than the state",
            { (restorer: consuming HierarchyRestorer) throws(OperationError) in
                let node = try restorer.addNode("a", kind: .view)
                try restorer.setValue(node, fact(restorer.theme, .int(1), at: 7))
                _ = try restorer.finish(revision: 6)
            }
        ),
        (
            "a value of a node that is not there",
            { (restorer: consuming HierarchyRestorer) throws(OperationError) in
                try restorer.setValue(NodeIndex(rawValue: 12), fact(restorer.theme, .int(1)))
            }
        ),
        (
            "a registration for nothing",
            { (restorer: consuming HierarchyRestorer) throws(OperationError) in
                let node = try restorer.addNode("a", kind: .view)
                try restorer.addRegistration("r", node: node, traits: [], createdRevision: 1)
            }
        ),
        (
            "a registration for an unknown trait",
            { (restorer: consuming HierarchyRestorer) throws(OperationError) in
                let node = try restorer.addNode("a", kind: .view)
                try restorer.addRegistration(
                    "r", node: node, traits: [TraitIndex(rawValue: 500)], createdRevision: 1)
            }
        ),
        (
            "a registration for an unknown colour",
            { (restorer: consuming HierarchyRestorer) throws(OperationError) in
                let node = try restorer.addNode("a", kind: .view)
                try restorer.addRegistration(
                    "r", node: node, traits: [], colors: ["none"], createdRevision: 1)
            }
        ),
        (
            "a scope that the kind has not",
            { (restorer: consuming HierarchyRestorer) throws(OperationError) in
                let node = try restorer.addNode("a", kind: .view)
                try restorer.addScope(
                    node, "viewWillLayoutSubviews", reads: [], isStale: false, revision: 1)
            }
        ),
        (
            "a scope twice",
            { (restorer: consuming HierarchyRestorer) throws(OperationError) in
                let node = try restorer.addNode("a", kind: .view)
                for _ in 0..<2 {
                    try restorer.addScope(node, "draw", reads: [], isStale: false, revision: 1)
                }
            }
        ),
        (
            "a frame on one that is to come",
            { (restorer: consuming HierarchyRestorer) throws(OperationError) in
                let node = try restorer.addNode("a", kind: .view)
                _ = try restorer.addFrame(
                    ShownFrame(above: 1, node: node, values: [fact(restorer.theme, .int(1))]))
            }
        ),
        (
            "an empty frame",
            { (restorer: consuming HierarchyRestorer) throws(OperationError) in
                _ = try restorer.addFrame(ShownFrame(above: 0, node: nil, values: []))
            }
        ),
        (
            "a frame that was not added",
            { (restorer: consuming HierarchyRestorer) throws(OperationError) in
                let node = try restorer.addNode("a", kind: .view)
                try restorer.setShown(node, ShownState(frame: 3, marks: []))
            }
        ),
        (
            "a node that shows something else and does not wait",
            {
                (restorer: consuming HierarchyRestorer) throws(OperationError) in
                let node = try restorer.addNode("a", kind: .windowScene)
                let number = try restorer.addFrame(
                    ShownFrame(above: 0, node: node, values: [fact(restorer.theme, .int(1))]))
                try restorer.setShown(node, ShownState(frame: number, marks: []))
                _ = try restorer.finish(revision: 1)
            }
        ),
    ]

    @Test("Facts that contradict each other are refused")
    func contradictions() throws {
        for (name, attempt) in Self.contradictions {
            var limits = HierarchyLimits()
            limits.depthMax = 8
            let restorer = HierarchyRestorer(updates: .layout, limits: limits, hashSeed: 1)
            _ = try restorer.define(Self.theme)
            do throws(OperationError) {
                try attempt(restorer)
                Issue.record("\(name) was taken")
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

    @Test("A frozen hierarchy answers all that a service asks")
    func frozen() throws {
        let tree = try Fixture()
        let origin = tree.hierarchy
        try tree.commit {
            try tree.create("w", .windowScene)
            try tree.create("a", .window, "w")
            try tree.set("w", 3)
            try origin.defineEnvironmentKey(
                EnvironmentKey(key: "tint", type: .int, defaultValue: .int(0)))
            try origin.setEnvironment(tree["a"], "tint", .int(4))
            try origin.defineDynamic(
                DynamicValue(
                    kind: .color, name: "accent",
                    variants: [
                        DynamicVariant(when: TraitCollection(), value: "grey"),
                        DynamicVariant(
                            when: try TraitCollection(
                                definitions: origin.definitions, tree.theme, .int(3)),
                            value: "red"),
                    ]))
            _ = try origin.register(
                "r", node: tree["a"], traits: [tree.theme], colors: ["accent"], images: [])
            try origin.setScope(tree["a"], "draw", reads: [tree.theme])
        }
        let frozen = try origin.snapshot().materialize()
        try tree.commit { tree.delete("w") }
        let (w, a) = (
            try #require(frozen.node("w")), try #require(frozen.node("a"))
        )
        #expect(frozen.value(of: tree.theme, at: a) == .int(3))
        let source = Source(kind: .override, node: w, revision: 2)
        #expect(frozen.resolve(tree.theme, at: a) == Resolution(value: .int(3), source: source))
        #expect(frozen.chain(of: tree.theme, at: a).map(\.value) == [.int(3), .int(0)])
        #expect(frozen.overrides(of: w).map(\.1) == [.int(3)] && frozen.supplied(of: w).isEmpty)
        #expect(try frozen.environment("tint", at: a).value == .int(4))
        #expect(try frozen.ownEnvironment("tint", of: a) == .int(4))
        #expect(try frozen.resolveDynamic(.color, "accent", at: a).index == 1)
        #expect(frozen.definitions.dynamics(.color).map(\.name) == ["accent"])
        #expect(frozen.definitions.environmentKeys.map(\.key) == ["tint"])
        #expect(frozen.scopes(of: a).map(\.name) == ["draw"])
        #expect(frozen.scope(a, "draw") == frozen.scopesInOrder().first)
        let info = frozen.registrationInfo(try #require(frozen.registration(named: "r")))
        #expect(info.colors == ["accent"] && info.traits == [tree.theme] && info.node == a)
        #expect(frozen.registrations().count == 1 && frozen.registrations(of: a).count == 1)
        #expect(frozen.state(of: a) == .current && frozen.depth(of: a) == 1)
        #expect(frozen.traitRoot(of: a) == w && frozen.structuralChildren(of: w) == [a])
        #expect(frozen.shownCollection(of: a)[tree.theme] == .int(3))
        #expect(frozen.digest == frozen.recomputedDigest() && frozen.digest != origin.digest)
        try frozen.checkInvariants()
    }
}

extension HierarchyRestorer {
    fileprivate var theme: TraitIndex {
        definitions.index(of: "theme") ?? TraitIndex(rawValue: 0)
    }
}
