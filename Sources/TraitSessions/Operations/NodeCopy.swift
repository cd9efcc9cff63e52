// The operation that copies a subtree.

import JSONCodec
import TraitEngine
import TraitJSON

/// The names and the place of a copy, and how much it has.
package struct NodeCopy {
    let object: ObjectReader

    private var to: JSONValue? { object["to"] }
    private var prefix: JSONValue? { object["prefix"] }
    var move: NodeMove { NodeMove(object: object) }

    /// - Throws: `malformedBody`, `missingMember`.
    func checked() throws(SessionError) -> NodeCopy {
        _ = try move.checked()
        if to == nil, prefix == nil {
            throw SessionError(
                .missingMember, "A copy needs `to`, `prefix` or both: its nodes have other names.",
                pointer: "")
        }
        _ = try object.bool("registrations")
        if let depth = try object.integer("depth"), depth < 0 {
            throw SessionError(
                .malformedBody, "`depth` counts levels below the node; it is \(depth).",
                pointer: "/depth")
        }
        return self
    }

    var withRegistrations: Bool { object["registrations"]?.bool ?? false }
    /// Levels below the node.
    var levels: Int { object["depth"]?.int64.flatMap { Int(exactly: $0) } ?? .max }

    /// How the copy of a node is named.
    func names(of node: String) throws(SessionError) -> Names {
        var root: String?
        if let to {
            guard let text = to.string else { throw .wrongType("to", "a string", to) }
            guard Identifier.isValid(text.bytes) else {
                throw SessionError.malformedIdentifier(text.string).at("/to")
            }
            root = text.string
        }
        guard let prefix else { return Names(root: root, old: node, new: root ?? node) }
        let texts = prefix.kind == .array ? prefix.elements.compactMap { $0.string?.string } : []
        guard texts.count == 2, prefix.count == 2 else {
            throw .wrongType("prefix", "the old prefix and the new one, two strings", prefix)
        }
        return Names(root: root, old: texts[0], new: texts[1])
    }

    struct Names {
        /// The name of the copied node; nil where the prefix gives it.
        let root: String?
        let old: String
        let new: String

        /// The name with the new prefix; nil for a name without the old one.
        func replaced(_ name: String) -> String? {
            name.utf8.starts(with: old.utf8)
                ? new + String(decoding: name.utf8.dropFirst(old.utf8.count), as: UTF8.self) : nil
        }
    }
}
