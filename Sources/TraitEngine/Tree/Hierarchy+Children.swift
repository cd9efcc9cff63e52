// What stands directly in a node.

extension Hierarchy {
    /// The nodes whose structural parent the node is, in no particular order. O(trait children).
    public func structuralChildren(of node: NodeIndex) -> [NodeIndex] {
        var children: [NodeIndex] = []
        forEachStructuralChild(node.rawValue) { children.append(NodeIndex(rawValue: $0)) }
        return children
    }
}
