// The digest distinguishes states that differ in one fact, and does not distinguish histories that
// led to the same state. That it follows every change is checked by the invariants.

import Testing
import TraitEngine

@Suite struct DigestTests {
    /// A tree with something of every kind in it.
    private static func make(
        _ updates: UpdateMode = .immediate, hashSeed: UInt64 = 7
    ) throws -> Hierarchy {
        let hierarchy = Hierarchy(updates: updates, hashSeed: hashSeed)
        try hierarchy.commit {
            for key in ["theme", "density"] {
                _ = try $0.defineTrait(
                    TraitDefinition(key: key, type: .int, defaultValue: .int(0)))
            }
            try $0.defineEnvironmentKey(
                EnvironmentKey(key: "tint", type: .string, defaultValue: .string("")))
            for (name, kind, parent) in [
                ("scene", NodeKind.windowScene, nil), ("window", .window, "scene"),
                ("a", .view, "window"), ("b", .view, "window"), ("c", .view, "a"),
                ("lone", .view, nil), ("host", .viewController, "window"),
            ] {
                let above = try parent.map(hierarchy.find)
                _ = try $0.createNode(name, kind: kind, parent: above)
            }
            try $0.setOverride($0.find("a"), $0.trait("theme"), .int(1))
            try $0.setEnvironment($0.find("a"), "tint", .string("red"))
            try $0.color("accent", "red")
            try $0.color("border", "grey")
            for (name, node) in [("r1", "a"), ("r2", "b")] {
                _ = try $0.register(
                    name, node: $0.find(node), traits: [$0.trait("theme")], colors: ["accent"],
                    images: [])
            }
            try $0.setScope($0.find("a"), "draw", reads: [$0.trait("theme")])
            try $0.setScope($0.find("b"), "draw", reads: [$0.trait("theme")])
        }
        return hierarchy
    }

    private typealias Fault = @Sendable (Hierarchy) throws -> Void

    private static let faults: [(String, Fault)] = [
        ("a node", { _ = try $0.createNode("d", kind: .view, parent: $0.find("window")) }),
        ("a node's name", { _ = try $0.createNode("e", kind: .view, parent: $0.find("window")) }),
        ("its kind", { _ = try $0.createNode("d", kind: .environment, parent: $0.find("window")) }),
        ("its parent", { _ = try $0.createNode("d", kind: .view, parent: $0.find("a")) }),
        ("a label", { try $0.updateNode($0.find("b"), label: .set("x")) }),
        ("a label's text", { try $0.updateNode($0.find("b"), label: .set("y")) }),
        ("a deletion", { try $0.deleteNode($0.find("c")) }),
        ("a controller", { try $0.updateNode($0.find("b"), controller: .set($0.find("host"))) }),
        ("a structural parent", { try $0.updateNode($0.find("host"), parent: .clear) }),
        ("a value", { try $0.setOverride($0.find("a"), $0.trait("theme"), .int(2)) }),
        ("its node", { try $0.setOverride($0.find("b"), $0.trait("theme"), .int(1)) }),
        ("its trait", { try $0.setOverride($0.find("a"), $0.trait("density"), .int(1)) }),
        ("its layer", { try $0.setSupplied($0.find("a"), $0.trait("theme"), .int(1)) }),
        ("a kept value", { try $0.updateNode($0.find("c"), parent: .clear) }),
        ("an environment value", { try $0.setEnvironment($0.find("a"), "tint", .string("blue")) }),
        (
            "a definition",
            {
                _ = try $0.defineTrait(
                    TraitDefinition(key: "k", type: .bool, defaultValue: .bool(false)))
            }
        ),
        (
            "a member of a definition",
            {
                _ = try $0.defineTrait(
                    TraitDefinition(
                        key: "k", type: .bool, defaultValue: .bool(false),
                        affectsColorAppearance: true))
            }
        ),
        (
            "the order of definitions",
            {
                try $0.deleteTrait($0.trait("density"))
                try $0.define("k", "density")
            }
        ),
        (
            "the same in the other order",
            {
                try $0.deleteTrait($0.trait("density"))
                try $0.define("density", "k")
            }
        ),
        (
            "an environment key",
            {
                try $0.defineEnvironmentKey(
                    EnvironmentKey(key: "k", type: .int, defaultValue: .int(0)))
            }
        ),
        ("a colour's value", { try $0.color("border", "black") }),
        ("another colour", { try $0.color("shadow", "black") }),
        (
            "the order of colours",
            {
                try $0.deleteDynamic(.color, "border")
                try $0.color("shadow", "black")
                try $0.color("border", "grey")
            }
        ),
        (
            "a registration",
            {
                _ = try $0.register("r3", node: $0.find("a"), traits: [$0.trait("theme")])
            }
        ),
        (
            "its node",
            {
                _ = try $0.register("r3", node: $0.find("b"), traits: [$0.trait("theme")])
            }
        ),
        (
            "its traits",
            {
                _ = try $0.register("r3", node: $0.find("a"), traits: [$0.trait("density")])
            }
        ),
        (
            "its colours",
            {
                _ = try $0.register(
                    "r3", node: $0.find("a"), traits: [$0.trait("theme")], colors: ["accent"],
                    images: [])
            }
        ),
        (
            "the order of registrations",
            {
                $0.unregister(try $0.registered("r1"))
                _ = try $0.register(
                    "r1", node: $0.find("a"), traits: [$0.trait("theme")], colors: ["accent"],
                    images: [])
            }
        ),
        ("a scope", { try $0.setScope($0.find("c"), "draw", reads: [$0.trait("theme")]) }),
        (
            "its name",
            {
                try $0.setScope($0.find("c"), "updateProperties", reads: [$0.trait("theme")])
            }
        ),
        ("what it reads", { try $0.setScope($0.find("c"), "draw", reads: [$0.trait("density")]) }),
        (
            "the order of scopes",
            {
                try $0.removeScope($0.find("a"), "draw")
                try $0.setScope($0.find("a"), "draw", reads: [$0.trait("theme")])
            }
        ),
        (
            "a limit of sizes",
            {
                try $0.setContentSizeLimits(
                    $0.find("b"), minimum: "UICTContentSizeCategoryL", maximum: nil)
            }
        ),
        (
            "the other limit",
            {
                try $0.setContentSizeLimits(
                    $0.find("b"), minimum: nil, maximum: "UICTContentSizeCategoryL")
            }
        ),
    ]

    @Test("States that differ in one fact have different digests", arguments: UpdateMode.allCases)
    func faults(_ updates: UpdateMode) throws {
        let origin = try Self.make(updates)
        var seen = [origin.digest.content: "the origin"]
        for (name, fault) in Self.faults {
            let hierarchy = try Self.make(updates)
            #expect(hierarchy.digest == origin.digest)
            try hierarchy.commit(fault)
            let other = seen.updateValue(name, forKey: hierarchy.digest.content)
            #expect(other == nil, "\(name) has the digest of \(other ?? "")")
            // Undone, everything is as it was.
            hierarchy.undo()
            try hierarchy.checkInvariants()
            #expect(hierarchy.digest == origin.digest, "\(name), undone")
        }
    }

    @Test("Only the full digest counts the revisions that set things")
    func revisions() throws {
        let (origin, later) = (try Self.make(), try Self.make())
        try later.commit { try $0.setOverride($0.find("c"), $0.trait("theme"), .int(5)) }
        try later.commit { try $0.removeOverride($0.find("c"), $0.trait("theme")) }
        #expect(later.digest.content == origin.digest.content)
        #expect(later.digest.full != origin.digest.full)
    }

    @Test("The order of siblings and of roots counts")
    func order() throws {
        for (first, second) in [("x", "y"), ("y", "x")] {
            for parent in ["window", nil] {
                let (one, other) = (try Self.make(), try Self.make())
                for (hierarchy, names) in [(one, [first, second]), (other, [second, first])] {
                    try hierarchy.commit {
                        let above = try parent.map(hierarchy.find)
                        for name in names {
                            _ = try $0.createNode(name, kind: .view, parent: above)
                        }
                    }
                }
                #expect(one.digest.content != other.digest.content)
                // The same order again, by a move.
                let node = try other.find(second)
                try other.commit {
                    try $0.updateNode(node, parent: parent == nil ? .set($0.find("b")) : .clear)
                }
                try other.commit {
                    try $0.updateNode(
                        node, parent: parent == nil ? .clear : .set($0.find("window")))
                }
                try other.checkInvariants()
                let kept = other.kept(of: node).isEmpty
                #expect(!kept || one.digest.content == other.digest.content)
            }
        }
    }

    @Test("What led to a state, and the hash seed, do not count")
    func histories() throws {
        let (one, other) = (try Self.make(hashSeed: 1), try Self.make(hashSeed: 2))
        try one.commit { try $0.setOverride($0.find("b"), $0.trait("theme"), .int(5)) }
        try one.commit {
            _ = try $0.createNode("x", kind: .view, parent: $0.find("b"), label: "x")
            try $0.updateNode($0.find("c"), parent: .set($0.find("b")))
        }
        try other.commit {
            _ = try $0.createNode("y", kind: .view, parent: $0.find("b"))
            _ = try $0.createNode("x", kind: .view, parent: $0.find("window"))
            try $0.deleteNode($0.find("y"))
        }
        other.acknowledge(through: other.revision)
        try other.commit {
            try $0.updateNode($0.find("x"), parent: .set($0.find("b")), label: .set("x"))
            try $0.updateNode($0.find("c"), parent: .set($0.find("b")))
            try $0.setOverride($0.find("b"), $0.trait("theme"), .int(5))
        }
        // The scope of b became stale in both.
        #expect(one.digest.content == other.digest.content)
        try one.checkInvariants()
        try other.checkInvariants()
    }

    @Test("A rolled back transaction leaves the digest")
    func rollback() throws {
        for updates in UpdateMode.allCases {
            let hierarchy = try Self.make(updates)
            let before = hierarchy.digest
            for (_, fault) in Self.faults {
                hierarchy.begin()
                try fault(hierarchy)
                hierarchy.rollback()
                #expect(hierarchy.digest == before)
            }
            try hierarchy.checkInvariants()
        }
    }

    @Test("In a layout hierarchy what nodes show and what waits counts")
    func layout() throws {
        let hierarchy = try Self.make(.layout)
        var seen: Set<UInt64> = [hierarchy.digest.content]
        try hierarchy.commit { $0.updateTraits() }
        #expect(seen.insert(hierarchy.digest.content).inserted)
        try hierarchy.commit { try $0.setOverride($0.find("a"), $0.trait("theme"), .int(9)) }
        #expect(seen.insert(hierarchy.digest.content).inserted)
        try hierarchy.commit { $0.updateTraits(of: try $0.find("a")) }
        #expect(seen.insert(hierarchy.digest.content).inserted)
        try hierarchy.checkInvariants()
    }

    @Test("A trait that frames show is in use until they show it no more, and can come back")
    func deletedTrait() throws {
        let hierarchy = try Self.make(.layout)
        try hierarchy.commit {
            try $0.setOverride($0.find("b"), $0.trait("density"), .int(3))
            $0.updateTraits()
        }
        let shown = hierarchy.digest
        hierarchy.begin()
        try hierarchy.removeOverride(hierarchy.find("b"), hierarchy.trait("density"))
        #expect(throws: OperationError.traitInUse("density")) {
            try hierarchy.deleteTrait(hierarchy.trait("density"))
        }
        hierarchy.rollback()
        try hierarchy.checkInvariants()
        #expect(hierarchy.digest == shown)
        try hierarchy.commit {
            try $0.removeOverride($0.find("b"), $0.trait("density"))
            $0.updateTraits()
        }
        let before = hierarchy.digest
        try hierarchy.commit { try $0.deleteTrait($0.trait("density")) }
        try hierarchy.checkInvariants()
        #expect(hierarchy.digest != before)
        hierarchy.undo()
        try hierarchy.checkInvariants()
        #expect(hierarchy.digest == before)
        hierarchy.undo()
        try hierarchy.checkInvariants()
        #expect(hierarchy.digest == shown)
    }

    @Test("A value that is what it was on a node that is then deleted does not count")
    func revertedAndDeleted() throws {
        let hierarchy = try Self.make()
        try hierarchy.commit {
            let (node, theme) = (try $0.find("a"), try $0.trait("theme"))
            try $0.setOverride(node, theme, .int(2))
            try $0.setOverride(node, theme, .int(1))
            try $0.deleteNode(node)
        }
        try hierarchy.checkInvariants()
        hierarchy.undo()
        try hierarchy.checkInvariants()
    }

    @Test("Watches, reclaiming and acknowledgements do not count")
    func listeners() throws {
        let hierarchy = try Self.make()
        try hierarchy.commit { try $0.deleteNode($0.find("a")) }
        let before = hierarchy.digest
        _ = try hierarchy.addWatch(
            node: hierarchy.find("b"), traits: [hierarchy.trait("theme")])
        hierarchy.acknowledge(through: hierarchy.revision)
        while hierarchy.reclaimSlice() {}
        #expect(hierarchy.digest == before)
    }

    @Test("A snapshot has the digest of its revision")
    func snapshots() throws {
        let hierarchy = try Self.make(.layout)
        let snapshot = try hierarchy.snapshot()
        let before = hierarchy.digest
        try hierarchy.commit { try $0.deleteNode($0.find("a")) }
        let frozen = try snapshot.materialize()
        #expect(frozen.digest == before && frozen.recomputedDigest() == before)
        #expect(hierarchy.digest != before)
    }
}

extension Hierarchy {
    func commit(_ body: (Hierarchy) throws -> Void) throws {
        begin()
        try body(self)
        _ = commit()
    }

    func find(_ name: String) throws -> NodeIndex { try #require(node(name)) }

    func trait(_ key: String) throws -> TraitIndex {
        try #require(definitions.index(of: key))
    }

    fileprivate func registered(_ name: String) throws -> RegistrationIndex {
        try #require(registration(named: name))
    }

    fileprivate func define(_ keys: String...) throws {
        for key in keys {
            _ = try defineTrait(TraitDefinition(key: key, type: .int, defaultValue: .int(0)))
        }
    }

    fileprivate func color(_ name: String, _ value: String) throws {
        try defineDynamic(
            DynamicValue(
                kind: .color, name: name,
                variants: [DynamicVariant(when: TraitCollection(), value: value)]))
    }
}
