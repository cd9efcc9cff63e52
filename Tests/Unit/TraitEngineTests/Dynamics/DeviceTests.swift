// Images at nodes without a scale or idiom of their own: the device's count, and registrations are
// notified when these change.

import Testing
import TraitEngine

@Suite struct DeviceTests {
    private static func when(_ values: [TraitIndex: TraitValue]) throws -> TraitCollection {
        try TraitCollection { (bag: inout MutableTraits) throws(OperationError) in
            for (trait, value) in values { try bag.set(trait, value) }
        }
    }

    /// "name previous>current" of every change of a colour or image.
    private static func told(_ commit: Commit) -> [String] {
        commit.notifications.flatMap { note in
            commit.dynamicChanges(of: note).map { "\($0.name) \($0.previous)>\($0.current)" }
        }
    }

    @Test(
        "An image takes the scale from the scene where its node's is unspecified",
        arguments: [UpdateMode.immediate, .layout])
    func device(_ updates: UpdateMode) throws {
        let tree = try Fixture(updates: updates)
        let hierarchy = tree.hierarchy
        let scale = try #require(hierarchy.definitions.index(of: "displayScale"))
        let idiom = try #require(hierarchy.definitions.index(of: "userInterfaceIdiom"))
        var seen: [String] = []
        func commit(_ body: () throws -> Void) throws -> [String] {
            let commit = try tree.commit {
                try body()
                hierarchy.updateTraits()
            }
            return Self.told(commit)
        }
        func set(_ node: String, _ trait: TraitIndex, _ value: TraitValue) throws {
            try hierarchy.setOverride(tree[node], trait, value)
        }
        try tree.makeWorkedTree()
        seen = try commit {
            try tree.create("other", .windowScene)
            try tree.create("otherWindow", .window, "other")
            try hierarchy.defineDynamic(
                DynamicValue(
                    kind: .image, name: "icon",
                    variants: [
                        DynamicVariant(when: try Self.when([scale: .double(1)]), value: "1x"),
                        DynamicVariant(when: try Self.when([scale: .double(2)]), value: "2x"),
                        DynamicVariant(
                            when: try Self.when([scale: .double(2), idiom: .int(1)]), value: "pad"),
                        DynamicVariant(when: try Self.when([scale: .double(3)]), value: "3x"),
                    ]))
            try hierarchy.defineDynamic(
                DynamicValue(
                    kind: .color, name: "tint",
                    variants: [
                        DynamicVariant(when: try Self.when([:]), value: "any"),
                        DynamicVariant(when: try Self.when([scale: .double(2)]), value: "two"),
                    ]))
            try set("s", scale, .double(2))
            try set("other", scale, .double(3))
            // The views in m have no scale of their own, whatever is set above.
            try set("m", scale, .double(0))
        }
        #expect(seen.isEmpty)
        seen = try commit {
            _ = try hierarchy.register(
                "r", node: tree["leaf"], traits: [], colors: ["tint"], images: ["icon"])
        }
        func icon() throws -> String {
            let index = try hierarchy.resolveDynamic(.image, "icon", at: tree["leaf"]).index
            return ["1x", "2x", "pad", "3x"][index]
        }
        #expect(try icon() == "2x" && seen.isEmpty)
        #expect(try hierarchy.resolveDynamic(.color, "tint", at: tree["leaf"]).index == 0)
        #expect(hierarchy.value(of: scale, at: tree["leaf"]) == .double(0))
        #expect(try commit { try set("s", scale, .double(1)) } == ["icon 2x>1x"])
        #expect(try commit { try tree.move("m", "otherWindow") } == ["icon 1x>3x"])
        #expect(try commit { try set("s", scale, .double(2)) }.isEmpty)
        #expect(try commit { try tree.move("m", "a") } == ["icon 3x>2x"])
        #expect(try commit { try set("s", idiom, .int(1)) } == ["icon 2x>pad"])
        #expect(
            try commit {
                try set("s", scale, .double(3))
                try set("leaf", idiom, .int(0))
            } == ["icon pad>3x"])
        // What a node has of its own counts before the device's, and nothing changes when it goes.
        #expect(try commit { try set("leaf", scale, .double(3)) }.isEmpty)
        #expect(try commit { try set("s", scale, .double(1)) }.isEmpty)
        #expect(
            try commit { hierarchy.removeOverride(tree["leaf"], scale) } == ["icon 3x>1x"])
        #expect(try icon() == "1x")
    }

    @Test("Without a scene the root of the tree is the device")
    func rootAsDevice() throws {
        let tree = try Fixture()
        let hierarchy = tree.hierarchy
        let scale = try #require(hierarchy.definitions.index(of: "displayScale"))
        var sizes: [DynamicVariant] = []
        for size in [1.0, 3] {
            sizes.append(
                DynamicVariant(when: try Self.when([scale: .double(size)]), value: "\(size)"))
        }
        var told: [String] = []
        try tree.commit {
            try hierarchy.defineDynamic(DynamicValue(kind: .image, name: "icon", variants: sizes))
            for (node, parent) in [("root", nil), ("middle", "root"), ("inside", "middle")] {
                try tree.create(node, .environment, parent)
            }
            try hierarchy.setOverride(tree["middle"], scale, .double(0))
            _ = try hierarchy.register(
                "r", node: tree["inside"], traits: [], colors: [], images: ["icon"])
        }
        #expect(try hierarchy.resolveDynamic(.image, "icon", at: tree["inside"]).index == 0)
        told = Self.told(
            try tree.commit { try hierarchy.setOverride(tree["root"], scale, .double(3)) })
        #expect(told == ["icon 1.0>3.0"])
        try tree.commit { try tree.create("scene", .windowScene, "root") }
        try tree.commit { try tree.create("window", .window, "scene") }
        told = Self.told(
            try tree.commit {
                try hierarchy.setOverride(tree["root"], scale, .double(1))
                try hierarchy.setOverride(tree["scene"], scale, .double(3))
                try tree.move("middle", "window")
            })
        #expect(told.isEmpty)
    }
}
