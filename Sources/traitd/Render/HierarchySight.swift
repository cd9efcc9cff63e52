// What `traitd render` looks at in a hierarchy: which nodes, which traits, and their values.

import JSONCodec
import TraitEngine
import TraitSessions

/// The nodes and traits to print.
struct HierarchySight {
    let session: Session
    let root: NodeIndex?
    /// Nil for those that are set somewhere, at the nodes where they are set.
    let traits: [TraitIndex]?

    /// A node with the values that it shows, and where they come from.
    struct Values: Equatable {
        let node: NodeIndex
        /// In catalogue order.
        let resolutions: [Resolution]

        /// Values alone count: another source of the same value changes nothing that is seen.
        static func == (left: Values, right: Values) -> Bool {
            left.node == right.node
                && left.resolutions.map(\.value) == right.resolutions.map(\.value)
        }
    }

    /// - Throws: `unknownNode`, `unknownTrait`.
    init(_ session: Session, under node: String?, traits: String?) throws(SessionError) {
        self.session = session
        root = try session.locked { () throws(SessionError) in
            try node.map { name throws(SessionError) in try session.node(named: name, "node") }
        }
        guard let traits else {
            self.traits = nil
            return
        }
        let names = traits.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        let set = try session.locked { () throws(SessionError) in
            try session.traits(.names(names))
        }
        self.traits = session.hierarchy.definitions.inCatalogueOrder(set)
    }

    var definitions: TraitDefinitions { session.hierarchy.definitions }

    /// The traits that values are read of, in catalogue order.
    var read: [TraitIndex] { traits ?? definitions.inCatalogueOrder(definitions.settable) }

    /// The values of every node, in tree order. O(nodes × traits).
    func values() -> [Values] {
        let read = read
        return session.locked {
            var all: [Values] = []
            session.hierarchy.forEachNode(under: root) { node, _ in
                all.append(
                    Values(
                        node: node,
                        resolutions: read.map { session.hierarchy.resolve($0, at: node) }))
                return .descend
            }
            return all
        }
    }

    /// The answer of `GET …/nodes/{node}/traits?explain=true` for every node, a line each.
    func writeJSON(to output: OutputFile) {
        var options = TraitListing()
        options.explain = true
        options.specified = traits == nil
        let set = TraitSet(read)
        session.locked {
            session.hierarchy.forEachNode(under: root) { node, _ in
                var writer = JSONWriter()
                var text = ExplainedTraits(set, at: node, options)
                while !text.write(from: session, budget: .max, into: &writer) {}
                writer.array().withUnsafeBytes(output.write)
                return .descend
            }
        }
    }

    /// A value as people read it: JSON, but plain words without quotes.
    func text(_ value: TraitValue, of trait: TraitIndex) -> String {
        var writer = JSONWriter()
        session.locked {
            session.encodings.encoding(of: trait, in: definitions).write(value, into: &writer)
        }
        let json = String(decoding: writer.array(), as: UTF8.self)
        let word = json.dropFirst().dropLast()
        let isWord =
            json.hasPrefix("\"") && !word.isEmpty
            && word.allSatisfy { $0.isLetter || $0.isNumber || "._-".contains($0) }
        return isWord ? String(word) : json
    }

    func name(_ node: NodeIndex) -> String { session.hierarchy.identifier(of: node) }
}
