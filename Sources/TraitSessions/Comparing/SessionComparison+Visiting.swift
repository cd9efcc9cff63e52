// How a comparison visits nodes and registrations, in slices.

import TraitEngine

extension SessionComparison {
    func visit(_ hierarchy: Hierarchy, _ body: (NodeIndex) -> Void) -> Bool {
        visitWithLevel(hierarchy) { node, _ in body(node) }
    }

    /// Visits the next nodes in tree order. Returns whether there are more.
    func visitWithLevel(
        _ hierarchy: Hierarchy, _ body: (NodeIndex, Int) -> Void
    ) -> Bool {
        var visits = 0
        var hasMore = false
        hierarchy.forEachNode(after: lastNode) { node, level in
            if visits == Self.itemsAtATime {
                hasMore = true
                return .stop
            }
            body(node, level)
            lastNode = node
            visits += 1
            return .descend
        }
        return hasMore
    }

    func visitRegistrations(of session: SessionState, _ body: (RegistrationInfo) -> Void)
        -> Bool
    {
        let some = session.hierarchy.registrations(
            after: lastRegistration, limit: Self.itemsAtATime)
        for registration in some { body(session.hierarchy.registrationInfo(registration)) }
        lastRegistration = some.last ?? lastRegistration
        return some.count == Self.itemsAtATime
    }
}
