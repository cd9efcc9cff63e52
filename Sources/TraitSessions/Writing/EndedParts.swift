// The parts of a session that end with a deletion, for answers: a dry run shows them before they are lost.

import JSONCodec
import TraitEngine

/// The numbers of deleted nodes, of the overrides of these nodes, and of deleted scopes.
struct EndedCounts: Sendable {
    var nodes = 0
    var overrides = 0
    var scopes = 0

    static func += (counts: inout EndedCounts, other: EndedCounts) {
        counts.nodes += other.nodes
        counts.overrides += other.overrides
        counts.scopes += other.scopes
    }
}

/// The deleted parts that the answer to a write shows. A class, since outcomes are copied and few have one.
package final class EndedParts: Sendable {
    private let counts: EndedCounts
    /// How many registrations ended, and the first of their names.
    private let registrations: Int
    private let names: [String]

    init(_ counts: EndedCounts, registrations: Int, names: [String]) {
        self.counts = counts
        self.registrations = registrations
        self.names = names
    }

    /// `"ended":{"nodes","overrides","scopes","registrations":[…],"truncated"?}` of the open object.
    func write(into body: inout JSONWriter) {
        body.beginObject("ended")
        body.member("nodes", counts.nodes)
        body.member("overrides", counts.overrides)
        body.member("scopes", counts.scopes)
        body.member("registrations", names)
        body.flag("truncated", when: registrations > names.count)
        body.endObject()
    }
}

extension SessionState {
    /// The parts of the whole session, which end with it. O(nodes).
    func everything() -> EndedParts {
        let hierarchy = hierarchy
        var counts = EndedCounts(nodes: hierarchy.nodeCount, scopes: hierarchy.scopeCount)
        hierarchy.forEachNode { node, _ in
            counts.overrides += hierarchy.overrides(of: node).count
            return .descend
        }
        let names = hierarchy.registrations(limit: limits.answeredChangesMax).compactMap {
            hierarchy.registrationInfo($0).identifier
        }
        return EndedParts(counts, registrations: hierarchy.registrationCount, names: names)
    }

    /// The nodes and scopes that the commit deletes, and the registrations that end; nil when there are none.
    func ended(with commit: Commit, _ transaction: Transaction) -> EndedParts? {
        let counts = transaction.ended
        if commit.isUnchanged
            || counts.nodes + counts.scopes == 0 && commit.endedRegistrations.isEmpty
        {
            return nil
        }
        let named = commit.endedRegistrations.lazy.compactMap(\.identifier)
        let names = Array(named.prefix(limits.answeredChangesMax))
        let isAll = names.count < limits.answeredChangesMax
        return EndedParts(
            counts, registrations: isAll ? names.count : named.reduce(0) { count, _ in count + 1 },
            names: names)
    }
}
