// Parents with many watched children: the notifications must not depend on how children are found,
// and no other child is visited.

import SeededRandom
import Testing
import TraitEngine

@Suite struct WideParentTests {
    /// Does the same to a hierarchy that groups watched children and to one that lists them.
    private struct Pair {
        let grouped = Hierarchy(
            hashSeed: 1, sizes: StructureSizes(blockLevels: 2, listedChildrenMax: 3))
        let listed = Hierarchy(
            hashSeed: 2, sizes: StructureSizes(blockLevels: 64, listedChildrenMax: .max))

        /// The notifications of both, in words; they must agree.
        func commit(_ body: (Hierarchy) throws -> Void) throws -> [String] {
            var told: [[String]] = []
            for hierarchy in [grouped, listed] {
                hierarchy.begin()
                try body(hierarchy)
                let commit = hierarchy.commit()
                told.append(commit.notifications.map { describe($0, commit, hierarchy) })
                try hierarchy.checkInvariants()
            }
            #expect(told[0] == told[1])
            return told[0]
        }

        private func describe(
            _ notification: Notification, _ commit: Commit, _ hierarchy: Hierarchy
        ) -> String {
            let info = hierarchy.registrationInfo(notification.registration)
            let changes = commit.changes(of: notification).map {
                "\($0.trait) \($0.previous) \($0.current)"
            }
            return "\(info.identifier ?? "") \(hierarchy.identifier(of: info.node)) \(changes)"
        }
    }

    private func node(_ hierarchy: Hierarchy, _ name: String) throws -> NodeIndex {
        try #require(hierarchy.node(name))
    }

    @Test(
        "Grouped or listed, the same hear of the same in the same order",
        arguments: 1...8 as ClosedRange<UInt64>)
    func agree(_ seed: UInt64) throws {
        let pair = Pair()
        var random = SeededRandom(seed: seed)
        // Half of the seeds have traits from 64 on, where masks of traits are folded.
        let traitCount = seed % 2 == 0 ? 4 : 90
        func trait() -> TraitIndex {
            let first = UInt16(TraitDefinitions.customStart)
            // Pairs that share a bit of a folded mask, where there are any.
            let offsets: [UInt16] = traitCount > 65 ? [0, 1, 64, 65] : [0, 1, 2]
            let offset = offsets.randomElement(using: &random) ?? 0
            return TraitIndex(rawValue: first + offset)
        }
        _ = try pair.commit { hierarchy in
            for number in 0..<traitCount {
                _ = try hierarchy.defineTrait(
                    TraitDefinition(key: "t\(number)", type: .int, defaultValue: .int(0)))
            }
            for parent in 0..<3 {
                _ = try hierarchy.createNode("p\(parent)", kind: .environment)
            }
        }
        var names: [String] = []
        var told = 0
        var groups = 0
        for step in 0..<300 {
            let name = names.randomElement(using: &random) ?? "p0"
            let parent = "p\(Int.random(in: 0..<3, using: &random))"
            let some = TraitSet([trait(), trait()])
            let (one, other) = (trait(), trait())
            let roll = Int.random(in: 0..<16, using: &random)
            told += try pair.commit { hierarchy in
                let target = try node(hierarchy, name)
                let above = try node(hierarchy, parent)
                switch roll {
                case 0...3 where names.count < 60:
                    let made = try hierarchy.createNode(
                        "n\(step)", kind: .environment, parent: above)
                    _ = try hierarchy.register("r\(step)", node: made, traits: some)
                case 4, 5: try hierarchy.setOverride(target, one, .int(Int64(step % 3)))
                case 6:
                    try hierarchy.setOverride(target, one, .int(Int64(step)))
                    try hierarchy.setOverride(above, one, .int(Int64(step + 1)))
                case 7: hierarchy.removeOverride(target, one)
                case 8:
                    hierarchy.removeOverride(target, one)
                    try hierarchy.setOverride(above, one, .int(Int64(step)))
                case 9 where name.hasPrefix("n"):
                    try hierarchy.updateNode(target, parent: .set(above))
                    try hierarchy.setOverride(above, other, .int(Int64(step)))
                case 10 where step % 3 == 0 && name.hasPrefix("n"):
                    try hierarchy.deleteNode(target)
                case 11:
                    if let first = hierarchy.registrations(of: target).first {
                        hierarchy.unregister(first)
                    } else {
                        _ = try hierarchy.register("r\(step)", node: target, traits: some)
                    }
                default: try hierarchy.setOverride(above, one, .int(Int64(step)))
                }
            }.count
            groups += pair.grouped.visitedWatchGroups
            #expect(pair.listed.visitedWatchGroups == 0)
            if step % 11 == 0, pair.grouped.unacknowledgedCount > 0 {
                for hierarchy in [pair.grouped, pair.listed] { hierarchy.undo() }
            } else if step % 3 == 0 {
                for hierarchy in [pair.grouped, pair.listed] {
                    hierarchy.acknowledge(through: hierarchy.revision)
                }
            }
            try pair.grouped.checkInvariants()
            names = (0..<300).map { "n\($0)" }.filter { pair.grouped.node($0) != nil }
        }
        #expect(told > 300)
        #expect(groups > 100)
        #expect(names.count > 20)
    }

    /// A parent with watched children, one in a hundred of them for `theme`.
    private func wideTree(_ count: Int) throws -> Fixture {
        let tree = try Fixture()
        tree.hierarchy.begin()
        try tree.create("top", .environment)
        for number in 0..<count {
            try tree.create("n\(number)", .environment, "top")
            let trait = number % 100 == 7 ? tree.theme : tree.style
            _ = try tree.hierarchy.register(
                "r\(number)", node: tree["n\(number)"], traits: [trait])
        }
        _ = tree.hierarchy.commit()
        return tree
    }

    @Test("Among many watched children only those that ask for the trait are visited")
    func visits() throws {
        let tree = try wideTree(3_000)
        let commit = try tree.pending { try tree.set("top", 1) }
        #expect(commit.notifications.count == 30)
        #expect(tree.hierarchy.visitedWatchNodes == 31)
        // A group with sixteen slots for each, and one above for each at the most.
        #expect(tree.hierarchy.visitedWatchGroups <= 1 + 12 + 30)
    }

    @Test("Children that are all shielded are not visited, until their overrides go")
    func shields() throws {
        let tree = try wideTree(3_000)
        try tree.pending {
            for number in 0..<3_000 where number % 100 == 7 { try tree.set("n\(number)", 5) }
        }
        let shielded = try tree.pending { try tree.set("top", 1) }
        #expect(shielded.notifications.isEmpty)
        #expect(tree.hierarchy.visitedWatchNodes == 1 && tree.hierarchy.visitedWatchGroups == 1)
        tree.hierarchy.undo()
        tree.hierarchy.undo()
        #expect(try tree.pending { try tree.set("top", 1) }.notifications.count == 30)
        tree.hierarchy.undo()
        try tree.pending { try tree.set("n7", 5) }
        try tree.pending { tree.remove("n7") }
        #expect(try tree.pending { try tree.set("top", 1) }.notifications.count == 30)
    }

    @Test("A child shielded in the commit that changes its parent hears what it had before")
    func shieldedAtOnce() throws {
        let tree = try wideTree(300)
        try tree.pending { try tree.set("top", 1) }
        let commit = try tree.pending {
            try tree.set("top", 2)
            try tree.set("n7", 3)
        }
        #expect(tree.told(commit).sorted() == ["r107:1>2", "r207:1>2", "r7:1>3"])
        let last = try tree.pending { try tree.set("top", 4) }
        #expect(tree.told(last).sorted() == ["r107:2>4", "r207:2>4"])
    }

    @Test("When nobody asks for a trait any more, the way down to it is forgotten")
    func forgetting() throws {
        let tree = try wideTree(300)
        try tree.pending {
            for number in [7, 107, 207] {
                let registration = try #require(tree.hierarchy.registration(named: "r\(number)"))
                tree.hierarchy.unregister(registration)
            }
        }
        #expect(try tree.pending { try tree.set("top", 1) }.notifications.isEmpty)
        #expect(try tree.pending { try tree.set("top", 2) }.notifications.isEmpty)
        #expect(tree.hierarchy.visitedWatchGroups == 0)
    }
}
