// Environment keys: bridged to a trait both ways, or with values of their own.

import Testing

@testable import TraitEngine

@Suite struct EnvironmentTests {
    private let tree: Fixture
    private var hierarchy: Hierarchy { tree.hierarchy }

    init() throws {
        tree = try Fixture()
        try tree.makeWorkedTree()
    }

    private static let scheme = EnvironmentKey(
        key: "colorScheme", type: .string, defaultValue: .string("none"),
        bridgedTrait: "userInterfaceStyle",
        map: [(.string("light"), .int(1)), (.string("dark"), .int(2))])
    private static let spacing = EnvironmentKey(
        key: "spacing", type: .double, defaultValue: .double(8))

    private func define(_ keys: EnvironmentKey...) throws {
        try tree.commit { for key in keys { try hierarchy.defineEnvironmentKey(key) } }
    }

    private func read(_ key: String, _ node: String) throws -> TraitValue {
        try hierarchy.environment(key, at: tree[node]).value
    }

    // MARK: - Bridged

    @Test("A bridged key reads what a trait says above, and writes the trait's override")
    func bridgedBothWays() throws {
        try define(Self.scheme)
        try tree.commit { try hierarchy.setOverride(tree["s"], tree.style, .int(2)) }
        #expect(try read("colorScheme", "leaf") == .string("dark"))
        let commit = try tree.commit {
            try hierarchy.setEnvironment(tree["m"], "colorScheme", .string("light"))
        }
        #expect(hierarchy.value(of: tree.style, at: tree["leaf"]) == .int(1))
        #expect(hierarchy.override(tree.style, of: tree["m"]) == .int(1))
        let resolution = try hierarchy.environment("colorScheme", at: tree["leaf"])
        #expect(
            resolution.source
                == Source(kind: .override, node: tree["m"], revision: commit.revision))
        #expect(try hierarchy.ownEnvironment("colorScheme", of: tree["m"]) == .string("light"))
        #expect(try hierarchy.ownEnvironment("colorScheme", of: tree["leaf"]) == nil)
        try tree.commit { try hierarchy.removeEnvironment(tree["m"], "colorScheme") }
        #expect(hierarchy.override(tree.style, of: tree["m"]) == nil)
        #expect(try read("colorScheme", "m") == .string("dark"))
    }

    @Test("Values that are not the key's, or that its map does not translate, are refused")
    func bridgedRefusals() throws {
        try define(Self.scheme)
        for value in [TraitValue.int(1), .string("none"), .string("blue"), .null] {
            #expect(throws: OperationError.self) {
                try tree.commit {
                    try hierarchy.setEnvironment(tree["m"], "colorScheme", value)
                }
            }
        }
        #expect(throws: OperationError.unknownEnvironmentKey("other")) {
            try tree.commit { try hierarchy.setEnvironment(tree["m"], "other", .int(1)) }
        }
        #expect(throws: OperationError.unknownEnvironmentKey("other")) {
            try read("other", "m")
        }
    }

    @Test("A bridge must lead to a trait, one to one, and keep its type without a map")
    func badBridges() throws {
        func refuse(
            _ type: TraitType, _ value: TraitValue, _ trait: String?,
            _ map: [(TraitValue, TraitValue)] = []
        ) {
            let key = EnvironmentKey(
                key: "bad", type: type, defaultValue: value, bridgedTrait: trait,
                map: map.map { (environment: $0, trait: $1) })
            #expect(throws: OperationError.self) { try define(key) }
            #expect(hierarchy.definitions.environmentKeys.isEmpty)
        }
        refuse(.int, .int(0), "nothing")
        refuse(.int, .int(0), "artworkSubtype")
        refuse(.bool, .bool(false), "theme")
        refuse(.int, .int(0), nil, [(.int(1), .int(2))])
        refuse(.bool, .bool(true), "theme", [(.bool(true), .int(1)), (.bool(true), .int(2))])
        refuse(.bool, .bool(true), "theme", [(.bool(true), .int(1)), (.bool(false), .int(1))])
        refuse(.bool, .bool(true), "theme", [(.int(1), .int(1))])
        refuse(.bool, .bool(true), "theme", [(.bool(true), .bool(true))])
        refuse(.bool, .int(1), "theme", [(.bool(true), .int(1))])
    }

    // MARK: - Unbridged

    @Test("What holds the values of a key is no trait that anybody sees")
    func invisible() throws {
        try define(Self.spacing)
        try tree.commit {
            try hierarchy.setEnvironment(tree["m"], "spacing", .double(4))
            try tree.set("m", 3)
        }
        #expect(hierarchy.definitions.index(of: "spacing") == nil)
        #expect(hierarchy.definitions.custom == [tree.theme])
        #expect(hierarchy.definitions.set(.all).count == 23)
        #expect(hierarchy.specifiedTraits(at: tree["leaf"]) == [tree.theme])
        #expect(hierarchy.overrides(of: tree["m"]).map(\.0) == [tree.theme])
        #expect(hierarchy.shownCollection(of: tree["leaf"]).traits == [tree.theme])
        // Replacing the overrides leaves the environment alone.
        try tree.commit { try hierarchy.replaceOverrides(tree["m"], []) }
        #expect(try read("spacing", "leaf") == .double(4))
        // A trait may have the name of a key.
        try tree.commit {
            _ = try hierarchy.defineTrait(
                TraitDefinition(key: "spacing", type: .int, defaultValue: .int(1)))
        }
        #expect(try read("spacing", "leaf") == .double(4))
    }

    // MARK: - Definitions

    @Test("The same definition again makes no commit, another is refused; both can be undone")
    func defining() throws {
        try define(Self.scheme, Self.spacing)
        #expect(hierarchy.definitions.environmentKeys.map(\.key) == ["colorScheme", "spacing"])
        let again = try tree.commit {
            try hierarchy.defineEnvironmentKey(Self.spacing)
            try hierarchy.defineEnvironmentKey(Self.scheme)
        }
        #expect(again.isUnchanged)
        #expect(throws: OperationError.environmentKeyImmutable("spacing")) {
            try define(EnvironmentKey(key: "spacing", type: .double, defaultValue: .double(9)))
        }
        #expect(throws: OperationError.environmentKeyImmutable("colorScheme")) {
            try define(
                EnvironmentKey(key: "colorScheme", type: .string, defaultValue: .string("none")))
        }
        try tree.pending { try hierarchy.deleteEnvironmentKey("spacing") }
        try tree.pending { try hierarchy.deleteEnvironmentKey("colorScheme") }
        #expect(hierarchy.definitions.environmentKeys.isEmpty)
        hierarchy.undo()
        hierarchy.undo()
        try hierarchy.checkInvariants()
        #expect(hierarchy.definitions.environmentKey(named: "spacing") != nil)
        let nothing = try tree.commit {
            try hierarchy.defineEnvironmentKey(
                EnvironmentKey(key: "x", type: .bool, defaultValue: .bool(false)))
            try hierarchy.deleteEnvironmentKey("x")
        }
        #expect(nothing.isUnchanged)
    }

    @Test("A key of its own stays while a node sets it; a trait while a key leads to it")
    func inUse() throws {
        try define(
            Self.spacing,
            EnvironmentKey(key: "k", type: .int, defaultValue: .int(5), bridgedTrait: "theme"))
        try tree.commit {
            try hierarchy.setEnvironment(tree["m"], "spacing", .double(4))
            try hierarchy.setEnvironment(tree["m"], "k", .int(4))
        }
        #expect(throws: OperationError.traitInUse("spacing")) {
            try tree.commit { try hierarchy.deleteEnvironmentKey("spacing") }
        }
        try tree.commit { try hierarchy.removeEnvironment(tree["m"], "spacing") }
        try tree.commit { try hierarchy.deleteEnvironmentKey("spacing") }
        tree.hierarchy.acknowledge(through: tree.hierarchy.revision)
        // Values that a bridged key set stay, as they are the trait's.
        try tree.commit { tree.remove("m") }
        #expect(throws: OperationError.traitInUse("theme")) {
            try tree.commit { try hierarchy.deleteTrait(tree.theme) }
        }
        try tree.commit { try hierarchy.deleteEnvironmentKey("k") }
        try tree.commit { try hierarchy.deleteTrait(tree.theme) }
        #expect(throws: OperationError.unknownEnvironmentKey("k")) {
            try tree.commit { try hierarchy.deleteEnvironmentKey("k") }
        }
    }

    @Test("There is a limit of keys")
    func limit() throws {
        var limits = HierarchyLimits()
        limits.environmentKeysMax = 1
        let small = try Fixture(limits: limits)
        #expect(throws: OperationError.limit(name: "environmentKeysMax", value: 1)) {
            try small.commit {
                try small.hierarchy.defineEnvironmentKey(Self.spacing)
                try small.hierarchy.defineEnvironmentKey(Self.scheme)
            }
        }
    }
}
