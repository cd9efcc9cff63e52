// A node as answers show it: the same members that a body may have, and the values of a layer.

import JSONCodec
import TraitEngine

package enum NodeWriter {
    /// `{"id","kind","parent","controller"?,"label"?,"overrides"?,"supplied"?,"traitParent","depth","state"}`
    /// and what `more` adds. O(depth).
    ///
    /// - Parameters:
    ///   - position: depth and state, when the caller has them; nil looks them up.
    ///   - budget: how many bytes the writer may have before the last value.
    /// - Returns: whether that is all; if not, the writer has a beginning.
    @discardableResult
    package static func write(
        _ node: NodeIndex, of session: SessionState, at position: NodePosition? = nil,
        budget: Int = .max, into writer: inout JSONWriter,
        more: (inout JSONWriter) -> Void = { _ in }
    ) -> Bool {
        begin(node, of: session.hierarchy, into: &writer)
        for layer in [ValueLayer.overrides, .supplied] {
            let values = session.hierarchy.values(layer, of: node)
            if values.isEmpty { continue }
            writer.key(layer.member)
            guard write(values, of: session, budget, into: &writer) else { return false }
        }
        end(node, of: session, at: position, into: &writer)
        more(&writer)
        writer.endObject()
        return true
    }

    /// Begins the object of a node, with the members before the values.
    static func begin(_ node: NodeIndex, of hierarchy: Hierarchy, into writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("id", node, of: hierarchy)
        writeStand(of: node, in: hierarchy, into: &writer)
        writer.member("label", ifPresent: hierarchy.label(of: node))
    }

    /// `"kind","parent","controller"?` of the open object.
    package static func writeStand(
        of node: NodeIndex, in hierarchy: Hierarchy, into writer: inout JSONWriter
    ) {
        writer.member("kind", hierarchy.kind(of: node).literal)
        writer.member("parent", orNull: hierarchy.parent(of: node), of: hierarchy)
        if let controller = hierarchy.controller(of: node) {
            writer.member("controller", controller, of: hierarchy)
        }
    }

    /// Writes the members behind the values. The object stays open.
    static func end(
        _ node: NodeIndex, of session: SessionState, at position: NodePosition? = nil,
        into writer: inout JSONWriter
    ) {
        let hierarchy = session.hierarchy
        writer.member("traitParent", orNull: hierarchy.traitParent(of: node), of: hierarchy)
        let position = position ?? NodePosition(of: node, in: hierarchy)
        writer.member("depth", position.depth)
        session.write(position.state, into: &writer)
    }

    private static func write(
        _ values: [(TraitIndex, TraitValue)], of session: SessionState, _ budget: Int,
        into writer: inout JSONWriter
    ) -> Bool {
        writer.beginObject()
        for (trait, value) in values {
            if writer.count >= budget { return false }
            write(value, of: trait, of: session, into: &writer)
        }
        writer.endObject()
        return true
    }

    fileprivate static func write(
        _ value: TraitValue, of trait: TraitIndex, of session: SessionState,
        into writer: inout JSONWriter
    ) {
        let encoding = session.encodings.encoding(of: trait, in: session.hierarchy.definitions)
        writer.key(encoding.definition.key)
        encoding.write(value, into: &writer)
    }
}

/// A node, or one layer of its values, written in parts: a thousand values may have 16 KiB each. The parts make
/// one JSON object and a newline.
package struct NodeText: Sendable {
    private let node: NodeIndex
    /// The layer that is listed alone; nil for the whole node.
    private let listed: ValueLayer?
    private var hasBegun = false
    /// The layers that are written whole, and how many values of the next one are written.
    private var layers = 0
    private var values = 0

    package init(_ node: NodeIndex, listing layer: ValueLayer? = nil) {
        self.node = node
        listed = layer
    }

    /// Writes on until the writer has `budget` bytes; a value is never cut.
    ///
    /// - Returns: whether that is all.
    package mutating func write(
        from session: SessionState, budget: Int, into writer: inout JSONWriter
    ) -> Bool {
        if !hasBegun { begin(session, &writer) }
        let all = listed.map { [$0] } ?? [.overrides, .supplied]
        for layer in all[layers...] {
            guard write(layer, session, budget, &writer) else { return false }
            layers += 1
            values = 0
        }
        if listed == nil { NodeWriter.end(node, of: session, into: &writer) }
        if listed == .overrides { session.writeEnds(at: node, into: &writer) }
        writer.endText()
        return true
    }

    private mutating func begin(_ session: SessionState, _ writer: inout JSONWriter) {
        hasBegun = true
        guard listed != nil else {
            return NodeWriter.begin(node, of: session.hierarchy, into: &writer)
        }
        writer.beginObject()
        writer.member("node", node, of: session.hierarchy)
        writer.member("uid", session.uid)
        writer.member("revision", session.head)
    }

    /// Returns whether the layer is complete.
    private mutating func write(
        _ layer: ValueLayer, _ session: SessionState, _ budget: Int, _ writer: inout JSONWriter
    ) -> Bool {
        let hierarchy = session.hierarchy
        let all = hierarchy.values(layer, of: node)
        if all.isEmpty, listed == nil { return true }
        if values == 0 {
            writer.key(layer.member)
            writer.beginObject()
        } else {
            // The part before ended behind a value.
            writer.separate()
        }
        for (trait, value) in all[values...] {
            NodeWriter.write(value, of: trait, of: session, into: &writer)
            values += 1
            if writer.count >= budget, values < all.count { return false }
        }
        writer.endObject()
        return true
    }
}
