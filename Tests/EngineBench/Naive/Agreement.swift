// Before anything is timed both engines go through the same random commits. What they notify and
// what every node resolves to has to be the same, or there is nothing to compare.

import SeededRandom
import TraitEngine

/// Two engines in lockstep over one random script.
struct Agreement {
    /// What a comparison went through; all of it has to be more than nothing.
    struct Outcome {
        var commits = 0
        var notifications = 0
        var values = 0
        var moves = 0
        var deletions = 0
        var deepest = 0
    }

    private struct Node {
        let index: NodeIndex
        let naive: NaiveNode
    }

    private struct Pair {
        let index: RegistrationIndex
        let naive: NaiveRegistration
        let node: NodeIndex
    }

    private let hierarchy: Hierarchy
    private let naive = NaiveEngine()
    private let traits: BenchTraits
    private var random: SeededRandom
    private var nodes: [Node] = []
    private var pairs: [Pair] = []
    private var numberOf: [RegistrationIndex: Int] = [:]
    private var made = 0
    /// Chains grow long when new nodes go below the newest.
    private let prefersDepth: Bool
    private(set) var outcome = Outcome()

    private init(_ random: SeededRandom, prefersDepth: Bool) throws {
        self.random = random
        self.prefersDepth = prefersDepth
        hierarchy = Hierarchy(hashSeed: 1)
        hierarchy.begin()
        traits = try BenchTraits(in: hierarchy)
        let root = try hierarchy.createNode("root", kind: .environment)
        hierarchy.finish()
        nodes = [Node(index: root, naive: naive.makeNode(below: nil))]
        if prefersDepth {
            hierarchy.begin()
            for _ in 0..<200 { try create(below: nodes[0]) }
            hierarchy.finish()
            _ = naive.commit()
        }
    }

    /// Goes through so many scripts of so many commits.
    ///
    /// - Throws: `BenchError` that names the script's seed when the engines disagree.
    static func check(scripts: Int, commits: Int, seed: UInt64) throws -> Outcome {
        var total = Outcome()
        for script in 0..<scripts {
            let scriptSeed = seed &+ UInt64(script)
            var agreement = try Agreement(
                SeededRandom(seed: scriptSeed), prefersDepth: script % 2 == 1)
            do {
                for _ in 0..<commits { try agreement.step() }
            } catch {
                throw BenchError("the engines disagree, script seed \(scriptSeed): \(error)")
            }
            total.add(agreement.outcome)
        }
        guard total.notifications > 0, total.moves > 0, total.deletions > 0, total.deepest > 128
        else { throw BenchError("the scripts tried too little to compare: \(total)") }
        return total
    }

    // MARK: - One commit

    private mutating func step() throws {
        hierarchy.begin()
        for _ in 0...random.below(6) { try operate() }
        let commit = hierarchy.finish()
        let expected = naive.commit()
        outcome.commits += 1
        outcome.notifications += expected.count
        guard commit.notifications.count == expected.count else {
            throw BenchError(
                "\(commit.notifications.count) notifications instead of \(expected.count)")
        }
        for (notification, expected) in zip(commit.notifications, expected) {
            try compare(notification, of: commit, expected)
        }
        try compareValues()
    }

    private mutating func operate() throws {
        // Writes near the root reach more.
        let node = nodes[
            random.below(random.chance(30) ? min(5, nodes.count) : nodes.count)]
        let trait = random.below(random.chance(70) ? 3 : traits.all.count)
        switch random.below(100) {
        case ..<(nodes.count < 400 ? 30 : 5): try create(below: node)
        case ..<45:
            let value = random.below(traits.values[trait].count)
            try hierarchy.setOverride(node.index, traits.all[trait], traits.values[trait][value])
            naive.set(node.naive, trait, value)
        case ..<70: removeOverride()
        case ..<84: try register(node)
        case ..<87: unregister()
        case ..<97: move(nodes[random.below(nodes.count)])
        default: try delete(nodes[nodes.count - 1 - random.below((nodes.count + 1) / 2)])
        }
    }

    private mutating func create(below node: Node) throws {
        let parent = prefersDepth ? nodes[nodes.count - 1] : node
        let index = try hierarchy.createNode("n\(made)", kind: .view, parent: parent.index)
        made += 1
        nodes.append(Node(index: index, naive: naive.makeNode(below: parent.naive)))
        outcome.deepest = max(outcome.deepest, hierarchy.depth(of: index))
    }

    /// Takes away one that is there, so that they stay few enough for changes to reach far.
    private mutating func removeOverride() {
        for _ in 0..<50 {
            let node = nodes[random.below(nodes.count)]
            guard let trait = node.naive.overrides.keys.min() else { continue }
            hierarchy.removeOverride(node.index, traits.all[trait])
            return naive.remove(node.naive, trait)
        }
    }

    private mutating func register(_ node: Node) throws {
        let watched = Set((0...random.below(3)).map { _ in random.below(5) })
        let index = try hierarchy.register(
            "r\(made)", node: node.index, traits: TraitSet(watched.map { traits.all[$0] }))
        made += 1
        let registration = naive.register(node.naive, watched)
        numberOf[index] = registration.number
        pairs.append(Pair(index: index, naive: registration, node: node.index))
    }

    private mutating func unregister() {
        if pairs.isEmpty { return }
        let pair = pairs.remove(at: random.below(pairs.count))
        hierarchy.unregister(pair.index)
        naive.unregister(pair.naive)
    }

    /// A move that would be a cycle is refused by the one and left out for the other.
    private mutating func move(_ node: Node) {
        let parent = nodes[random.below(nodes.count)]
        if node.naive === nodes[0].naive || node.naive.parent === parent.naive { return }
        do {
            try hierarchy.updateNode(node.index, parent: .set(parent.index))
        } catch {
            return
        }
        naive.move(node.naive, below: parent.naive)
        outcome.moves += 1
    }

    private mutating func delete(_ node: Node) throws {
        // Deep chains would lose most of themselves each time.
        if node.naive === nodes[0].naive { return }
        if prefersDepth, node.naive !== nodes[nodes.count - 1].naive, random.chance(90) {
            return
        }
        try hierarchy.deleteNode(node.index)
        naive.delete(node.naive)
        outcome.deletions += 1
        let hierarchy = hierarchy
        nodes.removeAll { !hierarchy.contains($0.index) }
        pairs.removeAll { !hierarchy.contains($0.node) }
    }

    // MARK: - Comparing

    private func compare(
        _ notification: Notification, of commit: Commit, _ expected: NaiveNotification
    ) throws {
        guard numberOf[notification.registration] == expected.registration else {
            throw BenchError("another registration is notified, or in another order")
        }
        let changes = commit.changes(of: notification).map { change in
            let trait = traits.all.firstIndex(of: change.trait) ?? -1
            let values = trait < 0 ? [] : traits.values[trait]
            return NaiveNotification.Change(
                trait: trait, previous: values.firstIndex(of: change.previous) ?? -1,
                current: values.firstIndex(of: change.current) ?? -1)
        }
        if changes != expected.changes {
            throw BenchError("changes \(changes) instead of \(expected.changes)")
        }
    }

    private mutating func compareValues() throws {
        for node in nodes {
            for trait in traits.all.indices.prefix(5) {
                let value = hierarchy.value(of: traits.all[trait], at: node.index)
                if value != traits.values[trait][node.naive.value(of: trait)] {
                    throw BenchError(
                        "\(hierarchy.identifier(of: node.index)) has \(value) for trait \(trait)")
                }
                outcome.values += 1
            }
        }
        try compareCollection(of: nodes[random.below(nodes.count)])
    }

    /// All traits of one node at once.
    private mutating func compareCollection(of node: Node) throws {
        var differing: [TraitIndex] = []
        hierarchy.values(of: traits.set, at: node.index) { trait, value in
            guard let place = traits.all.firstIndex(of: trait) else { return }
            if value != traits.values[place][node.naive.value(of: place)] {
                differing.append(trait)
            }
        }
        if !differing.isEmpty { throw BenchError("the collection differs in \(differing)") }
        outcome.values += traits.all.count
    }
}

extension Agreement.Outcome {
    fileprivate mutating func add(_ other: Agreement.Outcome) {
        commits += other.commits
        notifications += other.notifications
        values += other.values
        moves += other.moves
        deletions += other.deletions
        deepest = max(deepest, other.deepest)
    }
}
