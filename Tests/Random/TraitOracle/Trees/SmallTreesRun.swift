// Every tree of up to five nodes, of all kinds that may stand there, with every pairing of views
// and controllers: where an override at each node reaches, which registrations it notifies and in which order.

import TraitEngine

struct SmallTreesRun {
    struct Start: Sendable, CustomStringConvertible {
        let propagation: Propagation
        let updates: UpdateMode
        let kind: NodeKind

        var description: String {
            "\(propagation.rawValue), \(updates.rawValue), first node a \(kind.name)"
        }
    }

    static let starts = Propagation.allCases.flatMap { propagation in
        UpdateMode.allCases.flatMap { updates in
            NodeKind.allCases.map { Start(propagation: propagation, updates: updates, kind: $0) }
        }
    }

    /// Every tree of up to that many nodes that begins so.
    /// - Returns: what was done, for people to read.
    static func run(_ start: Start, countMax: Int) throws -> String {
        var run = try SmallTreesRun(start)
        for count in 1...countMax {
            try SmallTree.forEach(count: count, first: start.kind) { try run.check($0) }
        }
        try run.hierarchy.checkInvariants()
        let done = "\(run.treeCount) trees, \(run.toldCount) notifications"
        if countMax > 3 {
            try expect(run.treeCount > 100 && run.toldCount > run.treeCount, done)
            if start.kind == .viewController { try expect(run.pairedCount > 50, done) }
        }
        return done
    }

    let hierarchy: Hierarchy
    private let start: Start
    /// One for each node, so that one commit tries an override at each of them.
    private var traits: [TraitIndex] = []
    var treeCount = 0
    var pairedCount = 0
    var toldCount = 0

    init(_ start: Start) throws {
        self.start = start
        hierarchy = Hierarchy(
            propagation: start.propagation, updates: start.updates, hashSeed: 0x5EED)
        hierarchy.begin()
        for number in 0..<5 {
            traits.append(
                try hierarchy.defineTrait(
                    TraitDefinition(key: "t\(number)", type: .int, defaultValue: .int(0))))
        }
        _ = hierarchy.commit()
        hierarchy.acknowledge(through: hierarchy.revision)
    }

    mutating func check(_ tree: SmallTree) throws {
        let parents = tree.traitParents(start.propagation)
        let paths = tree.kinds.indices.compactMap { SmallTree.path(of: $0, parents) }
        hierarchy.begin()
        let nodes: [NodeIndex]
        do {
            nodes = try make(tree)
        } catch let error as OperationError {
            try expect(
                error.rule == "cycle" && tree.passesThroughCycle(start.propagation), "\(tree)")
            return hierarchy.rollback()
        }
        try expect(!tree.passesThroughCycle(start.propagation), "a cycle was made: \(tree)")
        hierarchy.updateTraits()
        _ = hierarchy.commit()
        treeCount += 1
        if tree.controllers.contains(where: { $0 >= 0 }) { pairedCount += 1 }
        try checkOverrides(tree, paths, nodes)
        hierarchy.begin()
        for node in nodes + nodes.reversed() where hierarchy.contains(node) {
            try? hierarchy.deleteNode(node)
        }
        try expect(hierarchy.nodeCount == 0, "nodes are left of \(tree)")
        _ = hierarchy.commit()
        hierarchy.acknowledge(through: hierarchy.revision)
        if treeCount % 1_000 == 0 { try hierarchy.checkInvariants() }
    }

    private func make(_ tree: SmallTree) throws -> [NodeIndex] {
        var nodes: [NodeIndex] = []
        for (number, kind) in tree.kinds.enumerated() {
            let parent = tree.parents[number] < 0 ? nil : nodes[tree.parents[number]]
            nodes.append(
                try hierarchy.createNode(SmallTree.name(number), kind: kind, parent: parent))
        }
        for (view, controller) in tree.controllers.enumerated() where controller >= 0 {
            try hierarchy.updateNode(nodes[view], controller: .set(nodes[controller]))
        }
        // The last node registers first: order is by depth before it is by registration.
        for number in nodes.indices.reversed() {
            _ = try hierarchy.register(
                "r\(number)", node: nodes[number], traits: TraitSet(traits))
        }
        return nodes
    }

    /// An override at every node, each of another trait, then none again.
    private mutating func checkOverrides(
        _ tree: SmallTree, _ paths: [[Int]], _ nodes: [NodeIndex]
    ) throws {
        // The overrides that a node shows. Of what is detached in a layout hierarchy only scenes,
        // windows and controllers show any: their own, and those of such nodes right above.
        let shown = tree.kinds.indices.map { number -> [Int] in
            if start.updates == .immediate || tree.isAttached(paths[number]) {
                return paths[number]
            }
            return Array(
                paths[number].prefix { tree.kinds[$0].showsWrites })
        }
        let listeners = tree.kinds.indices.filter { !shown[$0].isEmpty }
            .sorted { (paths[$0].count, -$0) < (paths[$1].count, -$1) }
        for value in [Int64(1), 0] {
            hierarchy.begin()
            for (number, node) in nodes.enumerated() {
                if value == 1 {
                    try hierarchy.setOverride(node, traits[number], .int(1))
                } else {
                    hierarchy.removeOverride(node, traits[number])
                }
            }
            hierarchy.updateTraits()
            let commit = hierarchy.commit()
            let told = commit.notifications
            try expect(told.map(\.node) == listeners.map { nodes[$0] }, "\(tree)")
            for (notification, number) in zip(told, listeners) {
                let changes = commit.changes(of: notification)
                try expect(
                    changes.map(\.trait) == shown[number].sorted().map { traits[$0] }, "\(tree)")
                let isRight = changes.allSatisfy {
                    $0.current == .int(value) && $0.previous == .int(1 - value)
                }
                try expect(isRight, "\(tree)")
                toldCount += changes.count
            }
            for number in listeners {
                try checkValues(number, value, tree, shown[number], nodes)
            }
        }
    }

    private func checkValues(
        _ number: Int, _ value: Int64, _ tree: SmallTree, _ path: [Int], _ nodes: [NodeIndex]
    ) throws {
        for setter in nodes.indices {
            let read = hierarchy.resolve(traits[setter], at: nodes[number])
            let isReached = value == 1 && path.contains(setter)
            if read.value != .int(isReached ? 1 : 0)
                || read.source.node != (isReached ? nodes[setter] : nil)
            {
                throw Mistaken("\(read) of \(setter) at \(number) in \(tree)")
            }
        }
    }
}
