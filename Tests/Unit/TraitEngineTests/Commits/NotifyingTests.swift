// Who hears of what, in which order, and what the engine does not look at.

import Testing

@testable import TraitEngine

@Suite struct NotifyingTests {
    @Test("Ancestors hear first, on one level whoever registered first")
    func order() throws {
        let tree = try Fixture()
        try tree.makeWorkedTree()
        try tree.commit {
            try tree.create("other", .view, "w")
            try tree.register("r1", "leaf")
            try tree.register("r2", "other")
            try tree.register("r3", "A")
            try tree.register("r4", "s")
            try tree.register("r5", "A")
        }
        let commit = try tree.commit { try tree.set("s", 4) }
        #expect(tree.told(commit) == ["r4:0>4", "r2:0>4", "r3:0>4", "r5:0>4", "r1:0>4"])
    }

    @Test("No registration hears of the commit that made it")
    func noInitialCall() throws {
        let tree = try Fixture()
        try tree.makeWorkedTree()
        let commit = try tree.commit {
            try tree.register("r", "leaf")
            try tree.set("s", 1)
        }
        #expect(commit.notifications.isEmpty)
        let next = try tree.commit { try tree.set("s", 2) }
        #expect(tree.told(next) == ["r:1>2"])
    }

    @Test("Nearer overrides hide a change, and nothing below them is visited")
    func shields() throws {
        let tree = try Fixture()
        try tree.commit {
            try tree.create("e", .environment)
            for child in 0..<10 {
                try tree.create("c\(child)", .view, "e")
                try tree.set("c\(child)", 9)
                for leaf in 0..<10 {
                    try tree.create("c\(child)-\(leaf)", .view, "c\(child)")
                    try tree.register("r\(child)-\(leaf)", "c\(child)-\(leaf)")
                }
            }
        }
        let hidden = try tree.commit { try tree.set("e", 1) }
        #expect(hidden.notifications.isEmpty)
        #expect(tree.hierarchy.visitedWatchNodes == 11)
        try tree.commit { try tree.hierarchy.setOverride(tree["e"], tree.style, .int(2)) }
        #expect(tree.hierarchy.visitedWatchNodes <= 1, "nobody watches the style")
        let one = try tree.commit { tree.remove("c3") }
        #expect(one.notifications.count == 10)
        #expect(tree.hierarchy.visitedWatchNodes == 11)
    }

    @Test("A moved subtree hears what is different in its new place")
    func moves() throws {
        let tree = try Fixture()
        try tree.commit {
            try tree.create("e", .environment)
            try tree.create("left", .view, "e")
            try tree.create("right", .view, "e")
            try tree.create("v", .view, "left")
            try tree.create("leaf", .view, "v")
            try tree.set("left", 1)
            try tree.set("right", 1)
            try tree.hierarchy.setOverride(tree["right"], tree.style, .int(2))
            try tree.register("r1", "leaf")
            _ = try tree.hierarchy.register(
                "r2", node: tree["leaf"], traits: [tree.theme, tree.style])
        }
        let equal = try tree.commit { try tree.move("v", "right") }
        #expect(tree.told(equal) == ["r2:0>2"])
        let back = try tree.commit {
            try tree.move("v", "left")
            try tree.set("left", 6)
        }
        #expect(tree.told(back) == ["r1:1>6", "r2:2>0,1>6"])
        let change = back.changes(of: back.notifications[1])
        #expect(change.map(\.trait) == [tree.style, tree.theme])
        #expect(change[0].source == .default)
        #expect(
            change[1].source
                == Source(kind: .override, node: tree["left"], revision: back.revision))
    }

    @Test("Changes above and at a node add up to one notification")
    func severalCauses() throws {
        let tree = try Fixture()
        try tree.makeWorkedTree()
        try tree.commit {
            try tree.set("m", 2)
            try tree.register("r1", "m")
            try tree.register("r2", "leaf")
            try tree.register("r3", "a")
        }
        let commit = try tree.commit {
            try tree.set("s", 5)
            tree.remove("m")
            try tree.set("b", 2)
        }
        #expect(tree.told(commit) == ["r3:0>5", "r1:2>5"])
        let same = try tree.commit {
            try tree.set("m", 5)
            tree.remove("s")
        }
        #expect(tree.told(same) == ["r3:5>0"])
    }

    @Test("A new node between two old ones changes what passes")
    func wedge() throws {
        let tree = try Fixture()
        try tree.makeWorkedTree()
        try tree.commit { try tree.register("r", "leaf") }
        let commit = try tree.commit {
            try tree.create("new", .view, "m")
            try tree.set("new", 8)
            try tree.move("b", "new")
        }
        #expect(tree.told(commit) == ["r:0>8"])
        let gone = try tree.commit {
            try tree.move("b", "a")
            tree.delete("new")
        }
        #expect(tree.told(gone) == ["r:8>0"])
    }

    @Test("A supplied value gives way to an override, and comes through when that goes")
    func layers() throws {
        let tree = try Fixture()
        try tree.makeWorkedTree()
        try tree.commit { try tree.register("r", "leaf") }
        let (hierarchy, theme) = (tree.hierarchy, tree.theme)
        let first = try tree.commit { try hierarchy.setSupplied(tree["m"], theme, .int(1)) }
        #expect(tree.told(first) == ["r:0>1"])
        let second = try tree.commit { try tree.set("m", 2) }
        #expect(tree.told(second) == ["r:1>2"])
        let hidden = try tree.commit { try hierarchy.setSupplied(tree["m"], theme, .int(3)) }
        #expect(!hidden.isUnchanged && hidden.notifications.isEmpty)
        let third = try tree.commit { tree.remove("m") }
        #expect(tree.told(third) == ["r:2>3"])
        let source = hierarchy.resolve(theme, at: tree["leaf"]).source
        #expect(source == Source(kind: .supplied, node: tree["m"], revision: hidden.revision))
    }

    @Test("Registrations with many traits hear of all of them, of more than 64 too")
    func manyTraits() throws {
        let tree = try Fixture()
        try tree.makeWorkedTree()
        var traits: [TraitIndex] = []
        try tree.commit {
            for number in 0..<200 {
                traits.append(
                    try tree.hierarchy.defineTrait(
                        TraitDefinition(
                            key: "t\(number)", type: .int, defaultValue: .int(0))))
            }
            _ = try tree.hierarchy.register("all", node: tree["leaf"], traits: TraitSet(traits))
            _ = try tree.hierarchy.register("last", node: tree["m"], traits: [traits[199]])
            // Equal modulo 64 to one that changes, but not the same.
            _ = try tree.hierarchy.register("none", node: tree["m"], traits: [traits[100]])
            try tree.hierarchy.setOverride(tree["B"], traits[5], .int(9))
        }
        let commit = try tree.commit {
            for (number, trait) in traits.enumerated() where number % 64 != 100 % 64 {
                try tree.hierarchy.setOverride(tree["w"], trait, .int(Int64(number + 1)))
            }
        }
        let names = commit.notifications.map {
            tree.hierarchy.registrationInfo($0.registration).identifier
        }
        #expect(names == ["last", "all"])
        let expected = (0..<200).filter { $0 % 64 != 36 && $0 != 5 }.map { traits[$0] }
        #expect(commit.changes(of: commit.notifications[1]).map(\.trait) == expected)
        #expect(commit.changes(of: commit.notifications[0]).map(\.current) == [.int(200)])
    }
}
