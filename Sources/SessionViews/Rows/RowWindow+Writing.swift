// A window of rows as answers show it.

import JSONCodec
import TraitEngine
import TraitSessions

extension RowWindow {
    /// Keys of overrides that a row lists.
    private static let overridesMax = 6
    /// Registrations that are counted at one node.
    private static let registrationsMax = 1_000
    /// Values and registrations that are counted for one answer: about a millisecond.
    private static let visitsMax = 20_000

    /// `{"uid","revision","total","from","row"?,"hits"?,"hidden"?,"rows"}`. Ends early at `bytesMax`, or when many
    /// values and registrations were counted, but never before the first row.
    ///
    /// - Parameter state: has the order of nodes that the window was found in.
    package func write(from state: SessionState, bytesMax: Int, into writer: inout JSONWriter) {
        let hierarchy = state.hierarchy
        writer.beginObject()
        writer.member("uid", state.uid)
        writer.member("revision", state.head)
        writer.member("total", total)
        writer.member("from", from)
        if let row { writer.member("row", row) }
        if let hits {
            writer.beginObject("hits")
            writer.member("total", hits.total)
            if let previous = hits.previous { writer.member("previous", previous) }
            if let next = hits.next { writer.member("next", next) }
            writer.endObject()
        }
        if !hidden.isEmpty {
            writer.beginArray("hidden")
            for node in hidden { hierarchy.withIdentifier(of: node) { writer.value(bytes: $0) } }
            writer.endArray()
        }
        writer.beginArray("rows")
        var positions = NodePositions()
        var visits = 0
        for (offset, row) in rows.enumerated() {
            if visits >= Self.visitsMax { break }
            let nodeState = positions.next(row.node, depth: row.level - 1, in: hierarchy).state
            let summary = hierarchy.summary(
                of: row.node, overridesMax: Self.overridesMax,
                registrationsMax: Self.registrationsMax)
            visits += summary.visits
            let fits = writer.attempt { writer in
                write(row, from + offset, summary, nodeState, of: state, into: &writer)
                // With room for the end of the text.
                return offset == 0 || writer.count + 4 <= bytesMax
            }
            if !fits { break }
        }
        writer.endArray()
        writer.endText()
    }

    private func write(
        _ row: Row, _ number: Int, _ summary: NodeSummary, _ nodeState: NodeState,
        of state: SessionState, into writer: inout JSONWriter
    ) {
        let hierarchy = state.hierarchy
        writer.beginObject()
        writer.member("row", number)
        writer.member("id", row.node, of: hierarchy)
        writer.member("kind", hierarchy.kind(of: row.node).name)
        writer.member("label", ifPresent: hierarchy.label(of: row.node))
        writer.member("level", row.level)
        writer.member("position", row.position)
        writer.member("setSize", row.setSize)
        writer.member("children", row.children)
        writer.member("open", row.isOpen)
        writer.member("descendants", row.descendants)
        writer.beginArray("overrides")
        for trait in summary.overrides { writer.value(hierarchy.definitions[trait].key) }
        writer.endArray()
        writer.member("values", summary.values)
        writer.member("registrations", summary.registrations)
        writer.member("scopes", summary.scopes)
        if nodeState != .current { state.write(nodeState, into: &writer) }
        if row.isHit { writer.member("hit", true) }
        writer.endObject()
    }
}
