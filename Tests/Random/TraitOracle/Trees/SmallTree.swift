// Lists every tree of a few nodes once, with every kind that a node may have and every pairing of views
// and controllers. Trees that differ only in the order of siblings count as one tree.

import TraitEngine

/// Nodes by number, in preorder: a parent comes before its children.
struct SmallTree: CustomStringConvertible {
    var kinds: [NodeKind] = []
    /// -1 for none.
    var parents: [Int] = []
    /// Of a view, the controller that owns it; -1 for none.
    var controllers: [Int] = []

    var count: Int { kinds.count }

    var description: String {
        kinds.indices.map { "\(kinds[$0].name) in \(parents[$0]) of \(controllers[$0])" }
            .joined(separator: "; ")
    }

    static func name(_ number: Int) -> String { "n\(number)" }

    // MARK: - All of them

    /// Calls `body` with every tree of that many nodes whose first node is of that kind.
    static func forEach(
        count: Int, first: NodeKind, _ body: (SmallTree) throws -> Void
    ) rethrows {
        var tree = SmallTree(kinds: [first], parents: [-1], controllers: [-1])
        try tree.extend(to: count, body)
    }

    private mutating func extend(
        to count: Int, _ body: (SmallTree) throws -> Void
    ) rethrows {
        if self.count == count {
            guard isFirstOfItsOrders else { return }
            return try pair(from: 0, body)
        }
        // In preorder the next node stands below the last one or one above that.
        var parent = self.count - 1
        while true {
            for kind in NodeKind.allCases
            where parent < 0 || kind.allowedParents.contains(kinds[parent]) {
                kinds.append(kind)
                parents.append(parent)
                controllers.append(-1)
                try extend(to: count, body)
                kinds.removeLast()
                parents.removeLast()
                controllers.removeLast()
            }
            if parent < 0 { return }
            parent = parents[parent]
        }
    }

    private mutating func pair(
        from start: Int, _ body: (SmallTree) throws -> Void
    ) rethrows {
        guard let view = kinds[start...].firstIndex(of: .view) else { return try body(self) }
        try pair(from: view + 1, body)
        for controller in kinds.indices
        where kinds[controller] == .viewController && !controllers.contains(controller) {
            controllers[view] = controller
            try pair(from: view + 1, body)
            controllers[view] = -1
        }
    }

    /// Of all orders of siblings, the one in which each stands behind those with lesser codes.
    private var isFirstOfItsOrders: Bool {
        let codes = kinds.indices.map(code)
        for (node, parent) in parents.enumerated().dropFirst() {
            let earlier = parents[..<node].lastIndex(of: parent)
            if let earlier, codes[node].lexicographicallyPrecedes(codes[earlier]) { return false }
        }
        return true
    }

    /// What hangs at a node, in preorder: levels and kinds.
    private func code(_ node: Int) -> [UInt8] {
        var levels: [Int: UInt8] = [node: 0]
        var code = [kinds[node].rawValue]
        for other in (node + 1)..<max(count, node + 1) {
            guard let level = levels[parents[other]] else { break }
            levels[other] = level + 1
            code += [level + 1, kinds[other].rawValue]
        }
        return code
    }

    // MARK: - The rules

    /// From which node each inherits; -1 for none.
    func traitParents(_ propagation: Propagation) -> [Int] {
        kinds.indices.map { node in
            if kinds[node] == .view, controllers[node] >= 0 { return controllers[node] }
            guard kinds[node] == .viewController, propagation == .unified else {
                return parents[node]
            }
            if let view = controllers.firstIndex(of: node), parents[view] >= 0 {
                return parents[view]
            }
            let parent = parents[node]
            if parent < 0 { return -1 }
            return kinds[parent] == .window || kinds[parent] == .presentationController
                ? parent : -1
        }
    }

    /// The node and those it inherits from, nearest first; nil for a cycle.
    static func path(of node: Int, _ parents: [Int]) -> [Int]? {
        var path = [node]
        while let last = path.last, parents[last] >= 0 {
            if path.count > parents.count { return nil }
            path.append(parents[last])
        }
        return path
    }

    /// Whether there is a cycle after one of the pairings, made one after the other.
    func passesThroughCycle(_ propagation: Propagation) -> Bool {
        var tree = self
        tree.controllers = controllers.map { _ in -1 }
        return controllers.indices.contains { view in
            tree.controllers[view] = controllers[view]
            let parents = tree.traitParents(propagation)
            return kinds.indices.contains { Self.path(of: $0, parents) == nil }
        }
    }

    func isAttached(_ path: [Int]) -> Bool {
        path.last.map { [.windowScene, .window, .environment].contains(kinds[$0]) } ?? false
    }
}
