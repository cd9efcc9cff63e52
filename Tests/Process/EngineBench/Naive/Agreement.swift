// Before the two engines are compared they go through the same random overrides. What they notify and
// what every node resolves to has to be the same, or there is nothing to compare.

import SeededRandom
import TraitEngine

/// What the engines agreed on.
struct Agreement {
    private(set) var commits = 0
    private(set) var notifications = 0
    private(set) var values = 0

    /// Sets overrides and removes overrides, then restores what was there, each in a commit of its own.
    ///
    /// - Throws: `BenchError` when the engines disagree.
    mutating func check(_ tree: Tree, _ naive: NaiveTree, _ random: inout SeededRandom) throws {
        let traits = tree.traits
        var replaced: [(position: Int, trait: Int, value: Int?)] = []
        for _ in 0..<100 {
            // Writes near the root reach more.
            let count = tree.nodes.count
            let position = random.below(random.chance(70) ? min(50, count) : count)
            // What the root is supplied with are overrides of the naive engine.
            let isTheme = position == 0 || random.chance(80)
            let trait = isTheme ? traits.themePosition : random.below(traits.all.count)
            replaced.append((position, trait, naive.nodes[position].overrides[trait]))
            let value = random.chance(70) ? random.below(traits.values[trait].count) : nil
            try write(position, trait, value, tree, naive)
        }
        for (position, node) in naive.nodes.enumerated() {
            for trait in [traits.themePosition, random.below(traits.all.count)] {
                let value = tree.hierarchy.value(of: traits.all[trait], at: tree.nodes[position])
                guard value == traits.values[trait][node.value(of: trait)] else {
                    throw BenchError("the engines disagree: trait \(trait) of node \(position)")
                }
                values += 1
            }
        }
        for (position, trait, value) in replaced.reversed() {
            try write(position, trait, value, tree, naive)
        }
    }

    /// One override, or none, in both.
    private mutating func write(
        _ position: Int, _ trait: Int, _ value: Int?, _ tree: Tree, _ naive: NaiveTree
    ) throws {
        let (hierarchy, index) = (tree.hierarchy, tree.traits.all[trait])
        let values = tree.traits.values[trait]
        hierarchy.begin()
        if let value {
            try hierarchy.setOverride(tree.nodes[position], index, values[value])
            naive.engine.set(naive.nodes[position], trait, value)
        } else {
            hierarchy.removeOverride(tree.nodes[position], index)
            naive.engine.remove(naive.nodes[position], trait)
        }
        let commit = hierarchy.finish()
        let notified = commit.notifications.map { notification in
            let name = hierarchy.registrationInfo(notification.registration).identifier ?? ""
            return NaiveNotification(
                registration: Int(name.dropFirst()) ?? -1,
                changes: commit.changes(of: notification).map { change in
                    .init(
                        trait: change.trait == index ? trait : -1,
                        previous: values.firstIndex(of: change.previous) ?? -1,
                        current: values.firstIndex(of: change.current) ?? -1)
                })
        }
        guard notified == naive.engine.commit() else {
            throw BenchError("the engines disagree on what a write at node \(position) notifies")
        }
        commits += 1
        notifications += notified.count
    }
}
