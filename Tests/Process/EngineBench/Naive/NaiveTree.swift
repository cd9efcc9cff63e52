// The naive engine's copy of a measured tree, and the same writes on it.

import TraitEngine

struct NaiveTree {
    let engine = NaiveEngine()
    let nodes: [NaiveNode]
    let themePosition: Int

    /// The same nodes with the same values.
    init(_ tree: Tree) {
        var nodes: [NaiveNode] = []
        nodes.reserveCapacity(tree.parents.count)
        for (position, parent) in tree.parents.enumerated() {
            let node = engine.makeNode(below: parent < 0 ? nil : nodes[Int(parent)])
            nodes.append(node)
            let index = tree.nodes[position]
            let values = tree.hierarchy.supplied(of: index) + tree.hierarchy.overrides(of: index)
            for (trait, value) in values {
                guard let place = tree.traits.all.firstIndex(of: trait),
                    let number = tree.traits.values[place].firstIndex(of: value)
                else { continue }
                engine.set(node, place, number)
            }
        }
        _ = engine.commit()
        self.nodes = nodes
        themePosition = tree.traits.themePosition
    }

    /// Registers for the theme at each of these nodes.
    func register(at positions: some Sequence<Int>) {
        for position in positions { engine.register(nodes[position], [themePosition]) }
    }

    /// Sets the theme at a node as a commit of its own. Returns how many were notified.
    func write(_ position: Int, _ value: Int) -> Int {
        engine.set(nodes[position], themePosition, value)
        return engine.commit().count
    }
}
