// What notifying does not look at, and registrations with more traits than fit into a word.

import Testing

@testable import TraitEngine

@Suite struct NotifyingTests {
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
