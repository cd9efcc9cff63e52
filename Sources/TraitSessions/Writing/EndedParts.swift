// What a deletion takes with it, for answers: a dry run shows it before it is lost.

import JSONCodec
import TraitEngine

/// What a write has deleted: nodes, what went with them, and registrations.
package struct EndedParts: Sendable {
    package var nodes = 0
    package var overrides = 0
    package var scopes = 0
    /// How many registrations ended, and the first of their names.
    package var registrations = 0
    package var names: [String] = []

    mutating func add(_ other: EndedParts) {
        nodes += other.nodes
        overrides += other.overrides
        scopes += other.scopes
    }

    /// `"ended":{"nodes","overrides","scopes","registrations":[…],"truncated"?}` of the open object.
    func write(into body: inout JSONWriter) {
        body.beginObject("ended")
        body.member("nodes", nodes)
        body.member("overrides", overrides)
        body.member("scopes", scopes)
        body.beginArray("registrations")
        for name in names { body.value(name) }
        body.endArray()
        body.flag("truncated", when: registrations > names.count)
        body.endObject()
    }
}

extension Session {
    /// What ends with the session. O(nodes).
    func everything() -> EndedParts {
        let hierarchy = hierarchy
        var parts = EndedParts()
        parts.nodes = hierarchy.nodeCount
        parts.scopes = hierarchy.scopeCount
        hierarchy.forEachNode { node, _ in
            parts.overrides += hierarchy.overrides(of: node).count
            return .descend
        }
        parts.registrations = hierarchy.registrationCount
        parts.names = hierarchy.registrations(limit: limits.answeredChangesMax).compactMap {
            hierarchy.registrationInfo($0).identifier
        }
        return parts
    }

    /// What the commit deletes, with the registrations that end; nil when that is nothing.
    func ended(with commit: Commit, _ parts: EndedParts) -> EndedParts? {
        if commit.isUnchanged
            || parts.nodes + parts.scopes == 0 && commit.endedRegistrations.isEmpty
        {
            return nil
        }
        var parts = parts
        let names = commit.endedRegistrations.lazy.compactMap(\.identifier)
        parts.names = Array(names.prefix(limits.answeredChangesMax))
        parts.registrations =
            parts.names.count < limits.answeredChangesMax
            ? parts.names.count : names.reduce(0) { count, _ in count + 1 }
        return parts
    }
}
