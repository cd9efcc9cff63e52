// A value for each node of a hierarchy, in an array by the nodes' indices: nodes are visited by the million.

import TraitEngine

/// Nodes that were given no value have `filler`.
struct NodeMap<Value> {
    private var values: [Value] = []
    private let filler: Value

    init(_ filler: Value) { self.filler = filler }

    /// O(1), amortized.
    subscript(node: NodeIndex) -> Value {
        get {
            let index = Int(node.rawValue)
            return index < values.count ? values[index] : filler
        }
        set {
            let index = Int(node.rawValue)
            if index >= values.count {
                let count = max(index + 1, 2 * values.count)
                values.append(contentsOf: repeatElement(filler, count: count - values.count))
            }
            values[index] = newValue
        }
    }
}

extension NodeMap: Sendable where Value: Sendable {}
