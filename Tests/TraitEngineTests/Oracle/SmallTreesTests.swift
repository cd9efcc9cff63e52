// Every tree of up to four nodes, of all kinds that may stand there, with every pairing of views
// and controllers: where an override reaches, who hears of it and in which order.

import Testing
import TraitEngine

@Suite struct SmallTreesTests {
    struct Start: Sendable, CustomTestStringConvertible {
        let propagation: Propagation
        let kind: NodeKind

        var testDescription: String { "\(propagation.rawValue), first node a \(kind.name)" }
    }

    static let starts = Propagation.allCases.flatMap { propagation in
        NodeKind.allCases.map { Start(propagation: propagation, kind: $0) }
    }

    @Test("In every small tree an override reaches exactly what inherits it", arguments: starts)
    func reach(_ start: Start) throws {
        var run = try SmallTreesRun(propagation: start.propagation)
        try run.extend([SmallTree.Node(kind: start.kind, parent: nil)])
        #expect(run.treeCount > 200 && run.toldCount > run.treeCount)
        if start.kind == .viewController { #expect(run.pairedCount > 100) }
    }
}

/// Nodes by number; a parent comes before its children.
private struct SmallTree {
    struct Node {
        let kind: NodeKind
        let parent: Int?
        var controller: Int?
    }

    static func name(_ number: Int) -> String { "n\(number)" }
}

private struct SmallTreesRun {
    private let engine: EngineDriver
    private let propagation: Propagation
    private let trait: TraitIndex
    var treeCount = 0
    var pairedCount = 0
    var toldCount = 0

    init(propagation: Propagation) throws {
        self.propagation = propagation
        engine = EngineDriver(propagation: propagation)
        engine.hierarchy.begin()
        try engine.apply(.define(TraitDefinition.conformance[0]))
        _ = engine.commit()
        trait = try engine.trait("theme")
    }

    /// Checks the tree, then every tree with one more node.
    mutating func extend(_ nodes: [SmallTree.Node]) throws {
        try pair(nodes, from: 0)
        guard nodes.count < 4 else { return }
        for kind in NodeKind.allCases {
            try extend(nodes + [SmallTree.Node(kind: kind, parent: nil)])
            for parent in nodes.indices where kind.allowedParents.contains(nodes[parent].kind) {
                try extend(nodes + [SmallTree.Node(kind: kind, parent: parent)])
            }
        }
    }

    /// Checks the tree with every pairing of views and controllers.
    private mutating func pair(_ nodes: [SmallTree.Node], from start: Int) throws {
        guard start < nodes.count else { return try check(nodes) }
        try pair(nodes, from: start + 1)
        guard nodes[start].kind == .view else { return }
        for controller in nodes.indices
        where nodes[controller].kind == .viewController
            && !nodes.contains(where: { $0.controller == controller })
        {
            var paired = nodes
            paired[start].controller = controller
            try pair(paired, from: start + 1)
        }
    }

    private mutating func check(_ nodes: [SmallTree.Node]) throws {
        treeCount += 1
        if nodes.contains(where: { $0.controller != nil }) { pairedCount += 1 }
        var state = OracleState(propagation: propagation)
        var refusal: String?
        engine.hierarchy.begin()
        for operation in operations(for: nodes) {
            let refusals = state.apply(operation, tick: 1)
            do {
                try engine.apply(operation)
            } catch let error as OperationError {
                refusal = error.rule
            }
            #expect(refusals == (refusal.map { [$0] } ?? []), "\(operation) in \(nodes)")
            if refusal != nil || !refusals.isEmpty { return engine.hierarchy.rollback() }
        }
        _ = engine.commit()
        for number in nodes.indices { try checkOverride(at: number, nodes, state) }
        engine.hierarchy.begin()
        for number in nodes.indices {
            if let node = engine.hierarchy.node(SmallTree.name(number)) {
                engine.hierarchy.deleteNode(node)
            }
        }
        _ = engine.commit()
        engine.hierarchy.acknowledge(through: engine.hierarchy.revision)
        try engine.hierarchy.checkInvariants()
    }

    private func operations(for nodes: [SmallTree.Node]) -> [Operation] {
        var operations = nodes.enumerated().map { number, node in
            Operation.create(
                SmallTree.name(number), node.kind, parent: node.parent.map(SmallTree.name),
                controller: nil, label: nil)
        }
        for (number, node) in nodes.enumerated() {
            guard let controller = node.controller else { continue }
            operations.append(
                .update(SmallTree.name(number), controller: .set(SmallTree.name(controller))))
        }
        // The last node registers first: order is by depth before it is by registration.
        for number in nodes.indices.reversed() {
            operations.append(.register("r\(number)", SmallTree.name(number), ["theme"]))
        }
        return operations
    }

    private mutating func checkOverride(
        at number: Int, _ nodes: [SmallTree.Node], _ state: OracleState
    ) throws {
        let parents = state.traitParents()
        let setter = SmallTree.name(number)
        var reached: [(depth: Int, number: Int)] = []
        for other in nodes.indices {
            let name = SmallTree.name(other)
            let above = state.ancestors(of: name, parents)
            if ([name] + above).contains(setter) { reached.append((above.count, -other)) }
        }
        let expected = reached.sorted(by: <).map { "n\(-$0.number)" }
        toldCount += expected.count
        for value in [1, 0] {
            engine.hierarchy.begin()
            try engine.apply(
                value == 1
                    ? .set(.override, setter, "theme", .int(1))
                    : .remove(.override, setter, "theme"))
            let told = engine.commit().told
            #expect(told.map(\.node) == expected, "override at \(setter) in \(nodes)")
            #expect(told.allSatisfy { $0.changes.map(\.current) == [.int(Int64(value))] })
            for other in nodes.indices {
                let name = SmallTree.name(other)
                guard let node = engine.hierarchy.node(name) else { continue }
                let read = engine.hierarchy.value(of: trait, at: node)
                let isReached = value == 1 && expected.contains(name)
                #expect(read == .int(isReached ? 1 : 0), "\(name) in \(nodes)")
            }
        }
    }
}
