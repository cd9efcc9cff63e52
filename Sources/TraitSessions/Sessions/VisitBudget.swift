// Updates, and moves that have to measure what is below a node, take as long as the tree is large. A transaction
// of many could take hours.

import TraitEngine

/// The nodes that the operations of one transaction visit beyond those that they change.
struct VisitBudget {
    private let start: Int
    private var before: Int

    init(_ transaction: Transaction) {
        start = transaction.hierarchy.visitedNodeCount
        before = start
    }

    /// To be called after each operation. Returns how many nodes the operation has visited.
    ///
    /// - Throws: `transactionTooLarge` beyond the limit. The first operation that visits any may visit all.
    @discardableResult
    mutating func check(_ transaction: Transaction) throws(SessionError) -> Int {
        let visited = transaction.hierarchy.visitedNodeCount
        defer { before = visited }
        let limit = transaction.session.limits.updatedNodesMax
        if visited > before, before > start, visited - start > limit {
            throw .limit(
                .transactionTooLarge,
                "The operations of this transaction have updated more than updatedNodesMax=\(limit) nodes, or counted the levels of eight times as many below moved ones. Use fewer updates and moves, or several transactions.",
                name: "updatedNodesMax", value: limit)
        }
        return visited - before
    }
}
