// A node as answers show it: the same members that a body may have, and the values of a layer.

import JSONCodec
import TraitEngine

package enum NodeWriter {
    /// `{"id","kind","parent","controller"?,"label"?,"overrides"?,"supplied"?,"traitParent","depth","state"}`
    /// and what `more` adds. O(depth).
    ///
    /// - Parameter position: depth and state, when the caller has them; nil looks them up.
    package static func write(
        _ node: NodeIndex, of session: Session, at position: NodePosition? = nil,
        into writer: inout JSONWriter,
        more: (inout JSONWriter) -> Void = { _ in }
    ) {
        let hierarchy = session.hierarchy
        writer.beginObject()
        writer.member("id", node, of: hierarchy)
        writer.member("kind", hierarchy.kind(of: node).name)
        writer.member("parent", orNull: hierarchy.parent(of: node), of: hierarchy)
        if let controller = hierarchy.controller(of: node) {
            writer.member("controller", controller, of: hierarchy)
        }
        writer.member("label", ifPresent: hierarchy.label(of: node))
        let overrides = hierarchy.overrides(of: node)
        if !overrides.isEmpty {
            writer.key("overrides")
            write(overrides, of: session, into: &writer)
        }
        let supplied = hierarchy.supplied(of: node)
        if !supplied.isEmpty {
            writer.key("supplied")
            write(supplied, of: session, into: &writer)
        }
        writer.member("traitParent", orNull: hierarchy.traitParent(of: node), of: hierarchy)
        let position = position ?? NodePosition(of: node, in: hierarchy)
        writer.member("depth", position.depth)
        session.write(position.state, into: &writer)
        more(&writer)
        writer.endObject()
    }

    package static func write(
        _ values: [(TraitIndex, TraitValue)], of session: Session, into writer: inout JSONWriter
    ) {
        writer.beginObject()
        for (trait, value) in values {
            let encoding = session.encodings.encoding(
                of: trait, in: session.hierarchy.definitions)
            writer.key(encoding.definition.key)
            encoding.write(value, into: &writer)
        }
        writer.endObject()
    }
}
