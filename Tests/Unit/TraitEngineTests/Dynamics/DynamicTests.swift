// Colours and images as part of a hierarchy, and which registrations are notified when they change.

import Testing

@testable import TraitEngine

@Suite struct DynamicTests {
    private let tree: Fixture
    private var hierarchy: Hierarchy { tree.hierarchy }

    init() throws {
        tree = try Fixture()
        try tree.makeWorkedTree()
    }

    /// A value "n" for each theme n, after "any" for all others.
    private func themed(
        _ kind: DynamicKind = .color, _ name: String = "tint", _ themes: [Int64] = [1, 2]
    ) throws -> DynamicValue {
        var variants = [DynamicVariant(when: try when([:]), value: "any")]
        for theme in themes {
            variants.append(
                DynamicVariant(when: try when([tree.theme: .int(theme)]), value: "\(theme)"))
        }
        return try DynamicValue(kind: kind, name: name, variants: variants)
    }

    private func when(_ values: [TraitIndex: TraitValue]) throws -> TraitCollection {
        try TraitCollection(definitions: hierarchy.definitions) {
            (bag: inout MutableTraits) throws(OperationError) in
            for (trait, value) in values { try bag.set(trait, value) }
        }
    }

    private func darkImage(_ name: String = "icon") throws -> DynamicValue {
        try DynamicValue(
            kind: .image, name: name,
            variants: [
                DynamicVariant(when: try when([:]), value: "light"),
                DynamicVariant(when: try when([tree.style: .int(2)]), value: "dark"),
            ])
    }

    private func define() throws {
        try tree.commit {
            try hierarchy.defineDynamic(try themed())
            try hierarchy.defineDynamic(try darkImage())
        }
    }

    private func register(
        _ name: String, _ node: String, _ traits: TraitSet = [], colors: [String] = [],
        images: [String] = []
    ) throws {
        _ = try hierarchy.register(
            name, node: tree[node], traits: traits, colors: colors, images: images)
    }

    /// "registration:name previous>current" of every change of a colour or image.
    private func told(_ commit: Commit) -> [String] {
        commit.notifications.flatMap { note in
            let name = hierarchy.registrationInfo(note.registration).identifier ?? "watch"
            return commit.dynamicChanges(of: note).map {
                "\(name):\($0.name) \($0.previous)>\($0.current)"
            }
        }
    }

    // MARK: - Definitions

    @Test("A definition is listed, resolves at a node, and can be undone")
    func defining() throws {
        try define()
        let definitions = hierarchy.definitions
        #expect(definitions.dynamics(.color).map(\.name) == ["tint"])
        #expect(definitions.dynamic(.image, named: "icon")?.variants.count == 2)
        #expect(definitions.dynamic(.color, named: "icon") == nil)
        try tree.commit { try tree.set("m", 2) }
        let choice = try hierarchy.resolveDynamic(.color, "tint", at: tree["leaf"])
        #expect(choice == DynamicChoice(index: 2, dependsOn: [tree.theme]))
        let value = try #require(hierarchy.definitions.dynamic(.color, named: "tint"))
        #expect(value.resolve(hierarchy.shownCollection(of: tree["leaf"])) == choice)
        #expect(throws: OperationError.unknownDynamic(.image, "tint")) {
            try hierarchy.resolveDynamic(.image, "tint", at: tree["leaf"])
        }
        try tree.pending { try hierarchy.deleteDynamic(.color, "tint") }
        #expect(hierarchy.definitions.dynamics(.color).isEmpty)
        hierarchy.undo()
        try hierarchy.checkInvariants()
        #expect(hierarchy.definitions.dynamics(.color).count == 1)
    }

    @Test("The same definition again makes no commit, another replaces it, a new one goes again")
    func redefining() throws {
        try define()
        #expect(try tree.commit { try hierarchy.defineDynamic(try themed()) }.isUnchanged)
        let other = try tree.commit {
            try hierarchy.defineDynamic(try themed(.color, "tint", [7]))
        }
        #expect(!other.isUnchanged)
        #expect(hierarchy.definitions.dynamic(.color, named: "tint")?.variants.count == 2)
        let nothing = try tree.commit {
            try hierarchy.defineDynamic(try themed(.color, "short-lived"))
            try hierarchy.deleteDynamic(.color, "short-lived")
        }
        #expect(nothing.isUnchanged)
        #expect(throws: OperationError.unknownDynamic(.color, "short-lived")) {
            try tree.commit { try hierarchy.deleteDynamic(.color, "short-lived") }
        }
    }

    @Test("Values are compared by bytes")
    func bytes() throws {
        func value(_ string: String) throws -> DynamicValue {
            try DynamicValue(
                kind: .color, name: "c",
                variants: [DynamicVariant(when: try when([:]), value: string)])
        }
        try tree.commit { try hierarchy.defineDynamic(value("\u{E9}")) }
        #expect(try !tree.commit { try hierarchy.defineDynamic(value("e\u{301}")) }.isUnchanged)
    }

    @Test("A definition in use stays: of colours, of images, and of the traits they name")
    func inUse() throws {
        try define()
        #expect(throws: OperationError.traitInUse("theme")) {
            try tree.commit { try hierarchy.deleteTrait(tree.theme) }
        }
        try tree.commit { try register("r", "leaf", colors: ["tint"]) }
        #expect(throws: OperationError.dynamicInUse(.color, "tint")) {
            try tree.commit { try hierarchy.deleteDynamic(.color, "tint") }
        }
        #expect(throws: OperationError.dynamicInUse(.color, "tint")) {
            try tree.commit { try hierarchy.defineDynamic(try themed(.color, "tint", [9])) }
        }
        #expect(try tree.commit { try hierarchy.defineDynamic(try themed()) }.isUnchanged)
        try tree.pending { tree.delete("leaf") }
        try tree.pending { try hierarchy.deleteDynamic(.color, "tint") }
        try tree.pending { try hierarchy.deleteTrait(tree.theme) }
        for _ in 0..<3 { hierarchy.undo() }
        try hierarchy.checkInvariants()
        #expect(told(try tree.commit { try tree.set("s", 1) }) == ["r:tint any>1"])
    }

    @Test("What cannot be is refused: names, unknown traits, values, too many variants")
    func refusals() throws {
        let stranger = TraitIndex(rawValue: 900)
        func define(_ name: String, _ collection: TraitCollection) throws {
            let value = try DynamicValue(
                kind: .color, name: name,
                variants: [DynamicVariant(when: collection, value: "v")])
            try tree.commit { try hierarchy.defineDynamic(value) }
        }
        #expect(throws: OperationError.malformedIdentifier("a/b")) {
            try define("a/b", when([:]))
        }
        let foreign = Hierarchy(hashSeed: 1)
        foreign.begin()
        var last = stranger
        for number in 0..<3 {
            last = try foreign.defineTrait(
                TraitDefinition(key: "t\(number)", type: .bool, defaultValue: .bool(false)))
        }
        let unknown = try TraitCollection(definitions: foreign.definitions, last, .bool(true))
        #expect(throws: OperationError.self) { try define("c", unknown) }
        foreign.rollback()
        let many = try DynamicValue(
            kind: .color, name: "many",
            variants: Array(
                repeating: DynamicVariant(when: try when([:]), value: ""),
                count: hierarchy.limits.variantsMax + 1))
        #expect(throws: OperationError.limit(name: "variantsMax", value: 1_000)) {
            try tree.commit { try hierarchy.defineDynamic(many) }
        }
        #expect(throws: OperationError.unknownDynamic(.color, "none")) {
            try tree.commit { try register("r", "leaf", colors: ["none"]) }
        }
        #expect(throws: OperationError.emptyTraitList) {
            try tree.commit { try register("r", "leaf") }
        }
    }

    // MARK: - Hearing

    @Test("Traits that were asked for come in the same notification, others do not come")
    func withTraits() throws {
        try define()
        try tree.commit {
            try register("both", "leaf", [tree.style], colors: ["tint"])
            try tree.register("plain", "leaf")
            try register("late", "m", [tree.theme], colors: ["tint"])
        }
        let info = hierarchy.registrationInfo(hierarchy.registrations()[0])
        #expect(info.traits == [tree.style] && info.colors == ["tint"] && info.images == [])
        let commit = try tree.commit { try tree.set("s", 1) }
        #expect(tree.told(commit) == ["late:0>1", "both:", "plain:0>1"])
        #expect(told(commit) == ["late:tint any>1", "both:tint any>1"])
        let style = try tree.commit {
            try hierarchy.setOverride(tree["s"], tree.style, .int(2))
        }
        #expect(tree.told(style) == ["both:0>2"] && told(style) == [])
        let all = try tree.commit {
            try tree.set("s", 2)
            try hierarchy.setOverride(tree["s"], tree.style, .int(1))
        }
        #expect(tree.told(all) == ["late:1>2", "both:2>1", "plain:1>2"])
        #expect(told(all) == ["late:tint 1>2", "both:tint 1>2"])
        // Equal frames and selections carry equal changes.
        let keys = all.notifications.map { [UInt64($0.frame), $0.selection] }
        #expect(Set(keys).count == 3)
    }

    @Test("The commit that registers tells nothing, and what ended hears nothing")
    func lifetime() throws {
        try define()
        let made = try tree.commit {
            try register("r", "leaf", colors: ["tint"])
            try tree.set("s", 1)
        }
        #expect(made.notifications.isEmpty)
        try tree.pending { hierarchy.unregister(hierarchy.registrations()[0]) }
        #expect(try tree.pending { try tree.set("s", 2) }.notifications.isEmpty)
        hierarchy.undo()
        hierarchy.undo()
        try hierarchy.checkInvariants()
        #expect(told(try tree.commit { try tree.set("s", 2) }) == ["r:tint 1>2"])
        try tree.commit { tree.delete("b") }
        #expect(
            hierarchy.parts.registrations.hiddenCount == 0 && hierarchy.parts.dynamics.usesAre([:]))
        struct Refusal: Error {}
        #expect(throws: Refusal.self) {
            try tree.commit {
                try register("x", "m", colors: ["tint", "tint"])
                throw Refusal()
            }
        }
        #expect(hierarchy.parts.dynamics.count == 0)
    }

    @Test("More than 64 changed traits come with a colour, too")
    func manyTraits() throws {
        try define()
        var traits: [TraitIndex] = []
        try tree.commit {
            for number in 0..<80 {
                traits.append(
                    try hierarchy.defineTrait(
                        TraitDefinition(key: "t\(number)", type: .int, defaultValue: .int(0))))
            }
            try register("r", "leaf", TraitSet(traits), colors: ["tint"])
            try register("one", "leaf", [traits[79]], colors: ["tint"])
        }
        let commit = try tree.commit {
            for trait in traits { try hierarchy.setOverride(tree["w"], trait, .int(1)) }
            try tree.set("w", 1)
        }
        #expect(commit.notifications.map { commit.changes(of: $0).count } == [80, 1])
        #expect(told(commit) == ["r:tint any>1", "one:tint any>1"])
    }
}
