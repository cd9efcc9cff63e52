// The summary of a node for lists of many nodes, and versions that show whether an order or a search is still valid.

/// Numbers that rise with changes, also with those that are undone. Equal numbers of one hierarchy and its snapshots
/// mean that nothing of the kind has changed.
package struct HierarchyVersions: Hashable, Sendable {
    /// Which nodes there are, and their order in the trait tree.
    package let order: UInt64
    package let labels: UInt64
    /// Which nodes set which traits.
    package let values: UInt64
}

/// The numbers of values that a node sets, and of registrations at it.
package struct NodeSummary {
    /// The first traits that it overrides, in catalogue order.
    package fileprivate(set) var overrides: [TraitIndex] = []
    /// Overrides and supplied values.
    package fileprivate(set) var values = 0
    package fileprivate(set) var registrations = 0
    package fileprivate(set) var scopes = 0
    /// The number of records that were visited, hidden registrations included.
    package fileprivate(set) var visits = 0
}

extension Hierarchy {
    /// O(1).
    package var versions: HierarchyVersions {
        HierarchyVersions(
            order: parts.nodes.orderVersion, labels: parts.nodes.labelVersion,
            values: parts.traits.valueVersion)
    }

    /// Whether a node overrides a trait. O(values of the node).
    package func overrides(_ trait: TraitIndex, at node: NodeIndex) -> Bool {
        storedValue(node.rawValue, trait.rawValue, .override) != nil
    }

    /// O(values of the node + `registrationsMax`).
    ///
    /// - Parameter registrationsMax: so many registrations are looked at; the counts of a node that has more are too low.
    package func summary(
        of node: NodeIndex, overridesMax: Int, registrationsMax: Int
    ) -> NodeSummary {
        var summary = NodeSummary()
        summarizeValues(of: node.rawValue, overridesMax, &summary)
        let watch = parts.nodes[node.rawValue].watch
        if watch < 0 { return summary }
        var index = parts.watches[watch].firstRegistration
        var left = registrationsMax
        while index >= 0, left > 0 {
            let registration = parts.registrations[index]
            if let scope = registration.scope {
                if parts.scopes[scope]?.node == node.rawValue { summary.scopes += 1 }
            } else if !registration.isWatch, !registration.isHidden {
                summary.registrations += 1
            }
            index = registration.next
            left -= 1
        }
        summary.visits += registrationsMax - left
        return summary
    }

    private func summarizeValues(
        of node: Int32, _ overridesMax: Int, _ summary: inout NodeSummary
    ) {
        let record = recordIndex(of: node)
        if record < 0 { return }
        var entries: ContiguousArray<RecordEntry> = []
        recordReader.entries(record, into: &entries)
        if !definitions.isInCatalogueOrder { sortByCatalogue(&entries) }
        let hidden = definitions.hidden
        for entry in entries where entry.layer == .override || entry.layer == .supplied {
            let trait = TraitIndex(rawValue: entry.trait)
            // The environment's values.
            if hidden.contains(trait) { continue }
            summary.values += 1
            if entry.layer == .override, summary.overrides.count < overridesMax {
                summary.overrides.append(trait)
            }
        }
        summary.visits += entries.count
    }
}
