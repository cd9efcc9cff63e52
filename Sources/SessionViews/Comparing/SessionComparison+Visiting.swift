// How a comparison visits nodes and registrations, in slices, and finds a node in the other session.

import TraitEngine
import TraitSessions

extension SessionComparison {
    /// Visits the next nodes in tree order. Returns whether there are more.
    func visit(_ hierarchy: Hierarchy, _ body: (NodeIndex) -> Void) -> Bool {
        visitWithLevel(hierarchy) { node, _ in body(node) }
    }

    func visitWithLevel(_ hierarchy: Hierarchy, _ body: (NodeIndex, Int) -> Void) -> Bool {
        hierarchy.visit(after: &lastNode, atMost: Self.itemsAtATime, body)
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

    // MARK: - The same node in the other session

    /// The node of `b` with the name and kind of a node of `a`; nil when there is none. A node
    /// cannot change its kind.
    func counterpart(_ node: NodeIndex) -> NodeIndex? {
        let known = counterparts[node]
        if known != Counterpart.unknown {
            return known == Counterpart.none ? nil : NodeIndex(rawValue: known)
        }
        var found = a.hierarchy.withIdentifier(of: node) { b.hierarchy.node($0) }
        if let other = found, b.hierarchy.kind(of: other) != a.hierarchy.kind(of: node) {
            found = nil
        }
        counterparts[node] = found?.rawValue ?? Counterpart.none
        return found
    }

    /// The node of `a` that a node of `b` becomes.
    func origin(_ node: NodeIndex) -> NodeIndex? {
        if fates[node] == .gone { return nil }
        return b.hierarchy.withIdentifier(of: node) { a.hierarchy.node($0) }
    }

    /// Whether a node of `a` and a node of `b` are the same one, or both are nil.
    func isSame(_ one: NodeIndex?, _ other: NodeIndex?) -> Bool {
        guard let one else { return other == nil }
        return other != nil && counterpart(one) == other
    }
}
