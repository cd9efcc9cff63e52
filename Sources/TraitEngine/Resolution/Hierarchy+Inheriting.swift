// Whether a node shows what its trait parent shows, and colours and images at a node, for texts about many nodes.

extension Hierarchy {
    /// Whether the node certainly has the values of its trait parent, as it sets none. False in a layout hierarchy,
    /// where a node may show older values than its parent. O(1).
    package func inheritsAll(_ node: NodeIndex) -> Bool {
        layout == nil && recordIndex(of: node.rawValue) < 0
    }

    /// The position of the variant of a colour or image at a node. O(variants, and levels for each trait that can make a
    /// difference).
    package func choice(of dynamic: DynamicValue, at node: NodeIndex) -> Int {
        dynamic.choose { trait in
            dynamic.kind == .image
                ? self.imageValue(trait, node.rawValue) : self.value(of: trait, at: node)
        }
    }
}
