// What `traitd render` looks at in a hierarchy: which nodes, which traits, and their values.

import JSONCodec
import TraitEngine
import TraitSessions

/// The nodes and traits to print.
struct HierarchySight {
    let session: Session
    let root: NodeIndex?
    /// Nil for those that are set somewhere, at the nodes where they are set.
    private let named: TraitSet?
    /// What was defined before any change.
    let definitionsAtStart: TraitDefinitions

    /// A node with the values that it shows, and where they come from.
    struct Values: Equatable {
        let node: NodeIndex
        let resolutions: [TraitIndex: Resolution]

        /// Values alone count: another source of the same value changes nothing that is seen.
        static func == (left: Values, right: Values) -> Bool {
            left.node == right.node
                && left.resolutions.mapValues(\.value) == right.resolutions.mapValues(\.value)
        }
    }

    /// - Throws: `unknownNode`, `unknownTrait`.
    init(_ session: Session, under node: String?, traits: String?) throws(SessionError) {
        self.session = session
        definitionsAtStart = session.hierarchy.definitions
        root = try session.locked { () throws(SessionError) in
            try node.map { name throws(SessionError) in try session.node(named: name, "node") }
        }
        guard let traits else {
            named = nil
            return
        }
        let names = traits.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        named = try session.locked { () throws(SessionError) in
            try session.traits(.names(names))
        }
    }

    var definitions: TraitDefinitions { session.hierarchy.definitions }

    /// Whether the traits to print were named.
    var isNamed: Bool { named != nil }

    /// The traits that values are read of, in catalogue order: those that are defined now, as a change
    /// may define traits and delete them.
    var read: [TraitIndex] {
        let definitions = definitions
        let all = definitions.inCatalogueOrder(definitions.settable)
        guard let named else { return all }
        return all.filter { trait in
            // Its index may be another trait's by now.
            named.contains(trait)
                && definitions.definition(at: trait) == definitionsAtStart.definition(at: trait)
        }
    }

    /// The values of every node, in tree order. O(nodes × traits).
    func values() -> [Values] {
        let read = read
        return session.locked {
            var all: [Values] = []
            session.hierarchy.forEachNode(under: root) { node, _ in
                all.append(
                    Values(
                        node: node,
                        resolutions: Dictionary(
                            uniqueKeysWithValues: read.map {
                                ($0, session.hierarchy.resolve($0, at: node))
                            })))
                return .descend
            }
            return all
        }
    }

    /// The answer of `GET …/nodes/{node}/traits?explain=true` for every node, a line each.
    func writeJSON(to output: OutputFile) {
        var options = TraitListing()
        options.explain = true
        options.specified = !isNamed
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
